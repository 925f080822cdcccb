#pragma once
#include <stddef.h>
#include <stdint.h>

/// How many pixels kernels have written as integers, and how many of them were clipped.
///
/// Kernels take it as their argument "tally" and keep a reference: all their threads may add to it,
/// and it may be read after they ended. To GLib it is a boxed type.
typedef struct PhTally PhTally;

/// The GType.
size_t ph_tally_get_type(void);

/// Of no pixels; it belongs to the caller.
PhTally *_Nonnull ph_tally_new(void);

PhTally *_Nonnull ph_tally_retain(PhTally *_Nonnull tally);

/// The tally ends with its last reference.
void ph_tally_release(PhTally *_Nonnull tally);

void ph_tally_add(PhTally *_Nonnull tally, uint64_t written, uint64_t clipped);

uint64_t ph_tally_written(const PhTally *_Nonnull tally);
uint64_t ph_tally_clipped(const PhTally *_Nonnull tally);
