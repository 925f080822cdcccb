#pragma once
#include <glib.h>

/// A Gaussian or a box as a symmetric filter: weights from the centre outwards, each of a pair once; the sum
/// over all 2 × radius + 1 is 1.
typedef struct {
  /// ⌈3 × sigma⌉, or ⌈radius⌉ of a box.
  int radius;
  float *weights;
} PhGaussian;

/// `sigma` in pixels, above 0.
PhGaussian ph_gaussian_new(double sigma);

/// The mean over a square instead: pixels count up to `radius` (above 0) from the centre, the
/// outermost by the fraction of it.
PhGaussian ph_gaussian_box(double radius);

void ph_gaussian_clear(PhGaussian *gaussian);
