#pragma once
#include <stddef.h>

#include "loops/loops.h"

/// A plane of float samples.
typedef struct {
  float *samples;
  int width, height;
  /// The number of samples from one row to the next.
  int pitch;
} PhFloatPlane;

/// The number of samples at each edge of a plane that `ph_patches_run` leaves unchanged.
enum { PH_PATCH_MARGIN = 8 };

/// Removes noise from a plane; the result goes to another plane of the same size.
///
/// The patches have 8 × 8 samples; one starts at every second row and column, so they overlap. Each
/// patch is filtered in three steps:
///
/// - The discrete cosine transform is computed.
/// - Coefficients up to `threshold` become 0; the threshold is usually 2 to 3 times the standard
///   deviation of the noise.
/// - The patch is transformed back.
///
/// A sample becomes the weighted mean of its patches. Patches with fewer remaining coefficients
/// have more weight. Width, height and the coordinates of the first sample must be even, so that
/// patches have the same positions in every plane.
///
/// Source: G. Yu and G. Sapiro, DCT image denoising, Image Processing On Line 2011, with the
/// weights of K. Dabov et al., Image denoising by sparse 3-D transform-domain collaborative
/// filtering, 2007.
void ph_patches_run(const PhLoops *loops, const PhFloatPlane *from, float threshold, float *scratch,
                    const PhFloatPlane *to);

/// The number of floats of scratch memory for a plane of this size.
size_t ph_patches_room(int width, int height);
