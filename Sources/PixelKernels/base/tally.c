#include "phbatch_tally.h"

#include <glib-object.h>
#include <stdatomic.h>

struct PhTally {
  atomic_uint_fast64_t written, clipped;
};

G_DEFINE_BOXED_TYPE(PhTally, ph_tally, ph_tally_retain, ph_tally_release)

PhTally *ph_tally_new(void) { return g_atomic_rc_box_new0(PhTally); }

PhTally *ph_tally_retain(PhTally *tally) { return g_atomic_rc_box_acquire(tally); }

void ph_tally_release(PhTally *tally) { g_atomic_rc_box_release(tally); }

// The two counts are independent of each other, so relaxed memory order is enough.

void ph_tally_add(PhTally *tally, uint64_t written, uint64_t clipped) {
  atomic_fetch_add_explicit(&tally->written, written, memory_order_relaxed);
  if (clipped) atomic_fetch_add_explicit(&tally->clipped, clipped, memory_order_relaxed);
}

uint64_t ph_tally_written(const PhTally *tally) {
  return atomic_load_explicit(&tally->written, memory_order_relaxed);
}

uint64_t ph_tally_clipped(const PhTally *tally) {
  return atomic_load_explicit(&tally->clipped, memory_order_relaxed);
}
