#pragma once
#include <vips/vips.h>

/// How the samples along one axis of an image become those of a resized one.
///
/// The centre of output `j` lies at `(j + ½) × extent ÷ to − ½` of the input's samples. The kernel's
/// weights are taken at the exact distances from there; where samples are reduced the kernel is
/// widened by `extent ÷ to`. Weights of samples outside the image go to the sample at its edge, and
/// the weights of an output sum to 1.
typedef struct {
  /// Samples in the input and the output.
  int from, to;
  /// How many samples the output covers: `from`, unless the last one lies half outside the image.
  double extent;
  /// The most weights an output has; the distance between the weights of two outputs.
  int taps;
  /// For each output its first input, and how many there are. Neither end ever goes back.
  int *first, *count;
  float *weights;
} PhAxis;

/// Returns 0, or −1 with libvips's error text set. `kernel` is not VIPS_KERNEL_NEAREST.
int ph_axis_init(PhAxis *axis, VipsKernel kernel, int from, int to);

/// The same where the output covers `extent` of the samples, more than `from` − 1.
int ph_axis_init_part(PhAxis *axis, VipsKernel kernel, int from, double extent, int to);

void ph_axis_clear(PhAxis *axis);

/// The input after the last one of an output.
static inline int ph_axis_end(const PhAxis *axis, int output) {
  return axis->first[output] + axis->count[output];
}

static inline const float *ph_axis_weights(const PhAxis *axis, int output) {
  return axis->weights + (size_t)output * (size_t)axis->taps;
}
