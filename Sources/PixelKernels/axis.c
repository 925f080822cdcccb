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

/// sinc(x) × sinc(x ÷ 2), sinc(x) being sin πx ÷ πx; sin 2t is 2 sin t cos t.
static double lanczos2(double x) {
  double t = G_PI / 2 * x;
  double ratio = t > 1e-8 ? sin(t) / t : 1;
  return x < 2 ? ratio * ratio * cos(t) : 0;
}

/// sinc(x) × sinc(x ÷ 3); sin 3t is 3 sin t − 4 sin³ t.
static double lanczos3(double x) {
  double t = G_PI / 3 * x;
  double sine = sin(t);
  double ratio = t > 1e-8 ? sine / t : 1;
  return x < 3 ? ratio * ratio * (1 - 4.0 / 3 * sine * sine) : 0;
}

/// The kernel's value at a distance ≥ 0.
static double value(VipsKernel kernel, double distance) {
  switch (kernel) {
    case VIPS_KERNEL_LINEAR: return fmax(0, 1 - distance);
    case VIPS_KERNEL_CUBIC: return piecewise_cubic(distance, 0, 0.5);
    case VIPS_KERNEL_MITCHELL: return piecewise_cubic(distance, 1.0 / 3, 1.0 / 3);
    case VIPS_KERNEL_LANCZOS2: return lanczos2(distance);
    default: return lanczos3(distance);
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
  // At whole distances all kernels but one are 0, which sines are only nearly.
  gboolean same = axis->from == axis->to && kernel != VIPS_KERNEL_MITCHELL;
  double reach = same ? 0.5 : radius(kernel) * stretch;
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
