#pragma once
#include <stddef.h>

#include "loops/loops.h"

/// A way to find the median of squares of samples, for many neighbouring squares at a time.
///
/// The columns of a square are sorted, then merged in pairs, in fours, in eights: a merged column
/// serves all squares that hold it. What is sorted are rows of PH_WIRE samples: wires of a sorting
/// network, whose exchanges are rows' least and greatest. Exchanges whose result cannot matter for
/// the median are left out. Source of the merge: K. E. Batcher, Sorting networks and their
/// applications, AFIPS 1968, for lists of any lengths.
typedef struct PhNetwork PhNetwork;

/// For squares of (2 × radius + 1)² samples, radius 1…5.
PhNetwork *ph_network_new(int radius);

void ph_network_free(PhNetwork *network);

/// Floats of scratch that `ph_network_run` needs.
size_t ph_network_room(const PhNetwork *network);

/// Medians of the squares around `count` samples (at most `PH_WIRE − 2 × radius`) of a row; `pitch`
/// leads to the next row.
void ph_network_run(const PhNetwork *network, const PhLoops *loops, const float *centre, int pitch,
                    int count, float *scratch, float *to);
