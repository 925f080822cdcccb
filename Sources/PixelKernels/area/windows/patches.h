#pragma once
#include <stddef.h>

#include "loops/loops.h"

/// A plane of float samples.
typedef struct {
  float *samples;
  int width, height;
  /// From one row to the next.
  int pitch;
} PhFloatPlane;

/// Samples at either edge of a plane that `ph_patches_run` leaves as they are.
enum { PH_PATCH_MARGIN = 8 };

/// Removes noise from a plane, into another one of the same size.
///
/// Overlapping patches of 8 × 8 samples, one at every other row and column, are put under the cosine
/// transform; coefficients up to `threshold` (2 to 3 times the noise's standard deviation is usual) are
/// dropped; where patches overlap, those with fewer coefficients weigh more. Width, height and the
/// coordinates of the first sample must be even, so that patches lie the same in any plane.
/// Source: G. Yu and G. Sapiro, DCT image denoising, Image Processing On Line 2011, with the weights
/// of K. Dabov et al., Image denoising by sparse 3-D transform-domain collaborative filtering, 2007.
void ph_patches_run(const PhLoops *loops, const PhFloatPlane *from, float threshold, float *scratch,
                    const PhFloatPlane *to);

/// Floats of scratch for a plane of that width.
size_t ph_patches_room(int width, int height);
