#include "axis.h"

#include <math.h>

/// The cubic filters of two parameters.
///
/// Source: Mitchell and Netravali, "Reconstruction Filters in Computer Graphics", SIGGRAPH 1988,
/// equation 8.
static double piecewise_cubic(double x, double b, double c) {
  if (x < 1)
    return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + (6 - 2 * b)) / 6;
  if (x < 2)
    return ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x +
            (8 * b + 24 * c)) / 6;
  return 0;
}

/// sinc(x) × sinc(x ÷ lobes).
static double lanczos(double x, double lobes) {
  if (x < 1e-8) return 1;
  if (x >= lobes) return 0;
  double angle = G_PI * x;
  return lobes * sin(angle) * sin(angle / lobes) / (angle * angle);
}

/// The kernel's value at a distance ≥ 0.
static double value(VipsKernel kernel, double distance) {
  switch (kernel) {
    case VIPS_KERNEL_LINEAR: return fmax(0, 1 - distance);
    case VIPS_KERNEL_CUBIC: return piecewise_cubic(distance, 0, 0.5);
    case VIPS_KERNEL_MITCHELL: return piecewise_cubic(distance, 1.0 / 3, 1.0 / 3);
    case VIPS_KERNEL_LANCZOS2: return lanczos(distance, 2);
    default: return lanczos(distance, 3);
  }
}

/// The distance from which on the kernel is 0.
static int radius(VipsKernel kernel) {
  switch (kernel) {
    case VIPS_KERNEL_LINEAR: return 1;
    case VIPS_KERNEL_LANCZOS3: return 3;
    default: return 2;
  }
}

/// The inputs and weights of one output; `sums` has room for `axis->taps` numbers.
static void fill(PhAxis *axis, VipsKernel kernel, int output, double *sums) {
  double stretch = fmax(1, (double)axis->from / axis->to);
  double reach = radius(kernel) * stretch;
  double centre = (2.0 * output + 1) * axis->from / (2.0 * axis->to) - 0.5;
  int low = (int)ceil(centre - reach);
  int high = (int)floor(centre + reach);
  int first = VIPS_CLIP(0, low, axis->from - 1);
  int count = VIPS_CLIP(0, high, axis->from - 1) - first + 1;
  double total = 0;
  for (int i = 0; i < count; i++) sums[i] = 0;
  for (int i = low; i <= high; i++) {
    double weight = value(kernel, fabs(i - centre) / stretch);
    sums[VIPS_CLIP(0, i - first, count - 1)] += weight;
    total += weight;
  }
  axis->first[output] = first;
  axis->count[output] = count;
  float *weights = axis->weights + (size_t)output * (size_t)axis->taps;
  for (int i = 0; i < count; i++) weights[i] = (float)(sums[i] / total);
}

int ph_axis_init(PhAxis *axis, VipsKernel kernel, int from, int to) {
  int reach = (int)ceil(radius(kernel) * fmax(1, (double)from / to));
  int taps = VIPS_MIN(2 * reach + 1, from);
  double *sums = g_try_new(double, taps);
  *axis = (PhAxis){
      .from = from,
      .to = to,
      .taps = taps,
      .first = g_try_new(int, to),
      .count = g_try_new(int, to),
      .weights = g_try_new(float, (size_t)to * (size_t)taps),
  };
  int failed = !sums || !axis->first || !axis->count || !axis->weights;
  if (failed)
    vips_error("phbatch_kernel", "out of memory");
  else
    for (int i = 0; i < to; i++) fill(axis, kernel, i, sums);
  g_free(sums);
  return failed ? -1 : 0;
}

void ph_axis_clear(PhAxis *axis) {
  g_clear_pointer(&axis->first, g_free);
  g_clear_pointer(&axis->count, g_free);
  g_clear_pointer(&axis->weights, g_free);
}
