#pragma once
#include <glib.h>

/// A Gaussian or a box as a symmetric filter. The weights are listed from the centre outwards, one
/// weight for each symmetric pair of samples; the sum over all 2 × radius + 1 samples is 1.
typedef struct {
  /// The radius in pixels: ⌈3 × sigma⌉ for a Gaussian, ⌈radius⌉ for a box.
  int radius;
  float *weights;
} PhGaussian;

/// Creates a Gaussian; `sigma` is in pixels, above 0.
PhGaussian ph_gaussian_new(double sigma);

/// Creates the mean over a square of `radius` (above 0) pixels around the centre; the outermost
/// pixels of a fractional radius are weighted by the fraction.
PhGaussian ph_gaussian_box(double radius);

void ph_gaussian_clear(PhGaussian *gaussian);
