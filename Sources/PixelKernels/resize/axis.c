#include "axis.h"

#include <math.h>

/// Returns the value of the cubic filter with the parameters B and C.
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

/// An angle with its sine and cosine, which are advanced by the addition theorems. The rounding
/// errors add up: after some hundred steps the last digits of the doubles are wrong.
typedef struct {
  double angle, sine, cosine;
} PhAngle;

static PhAngle angle(double t) { return (PhAngle){t, sin(t), cos(t)}; }

static void advance(PhAngle *at, PhAngle step) {
  double sine = at->sine * step.cosine + at->cosine * step.sine;
  at->cosine = at->cosine * step.cosine - at->sine * step.sine;
  at->sine = sine;
  at->angle += step.angle;
}

static double ratio(PhAngle at) { return fabs(at.angle) > 1e-8 ? at.sine / at.angle : 1; }

/// Computes sinc(x) × sinc(x ÷ 2), where sinc(x) is sin πx ÷ πx. The angle `at` is π ÷ 2 × x; the
/// sine of twice the angle, sin 2t, is computed as 2 sin t cos t.
static double lanczos2(PhAngle at) { return ratio(at) * ratio(at) * at.cosine; }

/// Computes sinc(x) × sinc(x ÷ 3). The angle `at` is π ÷ 3 × x; the sine of three times the angle,
/// sin 3t, is computed as 3 sin t − 4 sin³ t.
static double lanczos3(PhAngle at) {
  return ratio(at) * ratio(at) * (1 - 4.0 / 3 * at.sine * at.sine);
}

/// Returns the value of a kernel other than Lanczos at a distance ≥ 0.
static double value(VipsKernel kernel, double distance) {
  switch (kernel) {
    case VIPS_KERNEL_LINEAR: return fmax(0, 1 - distance);
    case VIPS_KERNEL_CUBIC: return piecewise_cubic(distance, 0, 0.5);
    default: return piecewise_cubic(distance, 1.0 / 3, 1.0 / 3);
  }
}

/// Computes the values of a kernel at `count` distances, from `start` on in equal steps.
static void values(VipsKernel kernel, double start, double step, int count, double *to) {
  if (kernel != VIPS_KERNEL_LANCZOS2 && kernel != VIPS_KERNEL_LANCZOS3) {
    for (int i = 0; i < count; i++) to[i] = value(kernel, fabs(start + i * step));
    return;
  }
  int lobes = kernel == VIPS_KERNEL_LANCZOS2 ? 2 : 3;
  PhAngle at = angle(G_PI / lobes * start), by = angle(G_PI / lobes * step);
  for (int i = 0; i < count; i++, advance(&at, by)) {
    gboolean is_in = fabs(start + i * step) < lobes;
    to[i] = !is_in ? 0 : lobes == 2 ? lanczos2(at) : lanczos3(at);
  }
}

/// The distance at which and beyond which a kernel is 0.
static int radius(VipsKernel kernel) {
  switch (kernel) {
    case VIPS_KERNEL_LINEAR: return 1;
    case VIPS_KERNEL_LANCZOS3: return 3;
    default: return 2;
  }
}

/// Computes the inputs and weights of one output. `sums` and `weights` are scratch memory: `sums`
/// has room for `axis->taps` values, `weights` for all weights of an output far from the edges.
static void fill(PhAxis *axis, VipsKernel kernel, int output, double *sums, double *weights) {
  double stretch = fmax(1, axis->extent / axis->to);
  // All kernels except Mitchell are 0 at whole distances other than 0. If the size stays the same,
  // the samples at these distances are left out, because computed sines would make their weights
  // only nearly 0.
  gboolean same =
      axis->extent == axis->to && axis->start == 0 && kernel != VIPS_KERNEL_MITCHELL;
  double reach = same ? 0.5 : radius(kernel) * stretch;
  double centre = axis->start + (2.0 * output + 1) * axis->extent / (2.0 * axis->to) - 0.5;
  int low = (int)ceil(centre - reach);
  int high = (int)floor(centre + reach);
  int first = VIPS_CLIP(0, low, axis->from - 1);
  int count = VIPS_CLIP(0, high, axis->from - 1) - first + 1;
  double total = 0;
  values(kernel, (low - centre) / stretch, 1 / stretch, high - low + 1, weights);
  for (int i = 0; i < count; i++) sums[i] = 0;
  for (int i = low; i <= high; i++) {
    sums[VIPS_CLIP(0, i - first, count - 1)] += weights[i - low];
    total += weights[i - low];
  }
  axis->first[output] = first;
  axis->count[output] = count;
  float *to = axis->weights + (size_t)output * (size_t)axis->taps;
  for (int i = 0; i < count; i++) to[i] = (float)(sums[i] / total);
}

int ph_axis_init(PhAxis *axis, VipsKernel kernel, int from, double start, double extent, int to) {
  int reach = (int)ceil(radius(kernel) * fmax(1, extent / to));
  int taps = VIPS_MIN(2 * reach + 1, from);
  double *sums = g_try_new(double, taps);
  double *weights = g_try_new(double, 2 * reach + 1);
  *axis = (PhAxis){
      .from = from,
      .to = to,
      .start = start,
      .extent = extent,
      .taps = taps,
      .first = g_try_new(int, to),
      .count = g_try_new(int, to),
      .weights = g_try_new(float, (size_t)to * (size_t)taps),
  };
  int failed = !sums || !weights || !axis->first || !axis->count || !axis->weights;
  if (failed)
    vips_error("phbatch_kernel", "out of memory");
  else
    for (int i = 0; i < to; i++) fill(axis, kernel, i, sums, weights);
  g_free(sums);
  g_free(weights);
  return failed ? -1 : 0;
}

void ph_axis_clear(PhAxis *axis) {
  g_clear_pointer(&axis->first, g_free);
  g_clear_pointer(&axis->count, g_free);
  g_clear_pointer(&axis->weights, g_free);
}
