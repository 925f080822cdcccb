#pragma once
#include <stddef.h>
#include <stdint.h>

/// Counts the pixels that kernels write as integers, and the clipped ones among them.
///
/// Kernels accept a tally as their argument "tally" and keep a reference. All their threads may add
/// to it concurrently, and it may be read at any time. In GLib it is a boxed type.
typedef struct PhTally PhTally;

/// The tally's GType.
size_t ph_tally_get_type(void);

/// Creates a tally with both counts 0; it belongs to the caller.
PhTally *_Nonnull ph_tally_new(void);

PhTally *_Nonnull ph_tally_retain(PhTally *_Nonnull tally);

/// Releases a reference; the last release frees the tally.
void ph_tally_release(PhTally *_Nonnull tally);

void ph_tally_add(PhTally *_Nonnull tally, uint64_t written, uint64_t clipped);

uint64_t ph_tally_written(const PhTally *_Nonnull tally);
uint64_t ph_tally_clipped(const PhTally *_Nonnull tally);
