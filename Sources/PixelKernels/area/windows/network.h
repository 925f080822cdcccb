#pragma once
#include <stddef.h>

#include "loops/loops.h"

/// A sorting network that finds the medians of many neighbouring squares of samples simultaneously.
///
/// The network sorts the columns of a square, then merges them in pairs, fours and eights; a merged
/// column serves all squares that contain it. The wires of the network are rows of PH_WIRE samples;
/// a comparator computes the minimum and the maximum of two rows. Comparators that cannot affect
/// the median are left out. Source of the merge: K. E. Batcher, Sorting networks and their
/// applications, AFIPS 1968, for lists of any length.
typedef struct PhNetwork PhNetwork;

/// Creates a network for squares of (2 × radius + 1)² samples; `radius` is 1…5.
PhNetwork *ph_network_new(int radius);

void ph_network_free(PhNetwork *network);

/// The number of floats of scratch memory that `ph_network_run` needs.
size_t ph_network_room(const PhNetwork *network);

/// Computes the medians of the squares around `count` samples (at most `PH_WIRE − 2 × radius`) of a
/// row; `pitch` is the number of floats from one row to the next.
void ph_network_run(const PhNetwork *network, const PhLoops *loops, const float *centre, int pitch,
                    int count, float *scratch, float *to);
