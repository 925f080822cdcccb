#pragma STDC FP_CONTRACT OFF

#include <math.h>

#include "squares.h"
#include "window.h"

/// The operation `phbatch_deconvolve`: sharpens the luminance by Richardson–Lucy deconvolution.
///
/// The kernel estimates the sharp picture that becomes the given picture if it is blurred.
///
/// - d: the given picture, which is the luminance in linear light plus 1/4096.
/// - P: the blur, a Gaussian of `sigma` (0.3…2 pixels) that is cut off at 3 × sigma.
/// - u: the sharp picture. It is d at the start; each of the `iterations` (1…20) replaces it by
///   `u × P(1 + t (q − 1))`.
/// - q: the ratio `d ÷ P(u)`.
/// - t: the damping `U⁹ (10 − 9 U)`, with `U = min(1, (d − P(u))² ÷ (threshold² P(u)))`, multiplied
///   by alpha, so that transparent pixels do not count. Deviations that may be noise, with the
///   standard deviation `threshold × √d`, are thus not sharpened. `threshold` is 0…1; with 0, t is
///   alpha.
///
/// After the iterations, the range of d is computed within ⌈2 × sigma⌉ pixels. If u is outside this
/// range, u moves to the nearest end by the fraction `halo` (0…1) of the distance. R, G and B are
/// multiplied by `1 + amount × (u ÷ d − 1)`. The input is RGB with or without premultiplied alpha,
/// which is kept.
///
/// Sources: W. H. Richardson, J. Opt. Soc. Am. 62 (1972); L. B. Lucy, Astron. J. 79 (1974);
/// damping: R. L. White, "Image restoration using the damped Richardson–Lucy method", Proc. SPIE
/// 2198 (1994), with the normal approximation of the likelihood.
///
/// Reach: 2 × iterations × ⌈3 × sigma⌉ pixels. Kind of buffers: windows (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  double sigma, rounds, amount, threshold, halo;

  /// Set by `build`: the number of iterations, and the Gaussian.
  int iterations;
  PhGaussian blur;
  PhWindowPlan plan;
} PhDeconvolve;

typedef PhKernelClass PhDeconvolveClass;

PH_DEFINE_OPERATION(PhDeconvolve, ph_deconvolve, ph_kernel_get_type())

/// The light that is added to the luminance; without it, noise in black areas would give large
/// ratios `q`.
static const float ph_pedestal = 1.0f / 4096;

/// The number of planes and of rows of scratch memory.
enum { PH_RESTORED_PLANES = 5, PH_RESTORED_ROWS = 4 };

static int margin_of(const PhDeconvolve *deconvolve) {
  int has_alpha = deconvolve->parent_instance.in->Bands == 4;
  return (2 * deconvolve->iterations + has_alpha) * deconvolve->blur.radius;
}

static size_t ph_deconvolve_scratch(const PhKernel *kernel, int width, int height) {
  int margin = margin_of((const PhDeconvolve *)kernel);
  size_t wide = (size_t)(width + 2 * margin);
  return PH_RESTORED_PLANES * wide * (size_t)(height + 2 * margin) + PH_RESTORED_ROWS * wide;
}

/// The planes of a block in scratch memory, with the block's margin on every side: the luminance,
/// alpha, the restored luminance, and two planes for its iterations.
typedef struct {
  const PhDeconvolve *deconvolve;
  PhArea light, alpha, restored, blurred, spare;
  float *row, *colours[3];
} PhRestoration;

/// Reads `count` pixels of a row from `x` on as linear light that is not premultiplied.
static void read_colours(const PhRestoration *bench, const PhWindow *window, int x, int y,
                         int count) {
  const PhLoops *loops = bench->deconvolve->parent_instance.loops;
  ptrdiff_t at = (ptrdiff_t)y * window->pitch + x;
  for (int c = 0; c < 3; c++) {
    const float *from = window->in[c] + at;
    float *to = bench->colours[c];
    for (int i = 0; i < count; i++) {
      float alpha = window->bands == 4 ? window->in[3][at + i] : 1;
      to[i] = alpha > 1.0f / 512 ? from[i] / alpha : 0;
    }
    loops->decode_run[PH_OPAQUE](to, count);
  }
}

/// Reads the luminance and alpha of the block and its margin.
static void read_light(const PhRestoration *bench, const PhWindow *window, int margin) {
  PhArea light = bench->light;
  for (int y = 0; y < light.height; y++) {
    read_colours(bench, window, -margin, y - margin, light.width);
    const float *red = bench->colours[0], *green = bench->colours[1], *blue = bench->colours[2];
    const float *from =
        window->bands == 4 ? window->in[3] + (y - margin) * window->pitch - margin : NULL;
    int at = y * light.pitch;
    for (int x = 0; x < light.width; x++) {
      float value = 0.2126f * red[x] + 0.7152f * green[x] + 0.0722f * blue[x];
      float alpha = from ? from[x] > 1.0f / 512 ? from[x] : 0 : 1;
      light.samples[at + x] = (value > 0 ? value : 0) + ph_pedestal;
      bench->alpha.samples[at + x] = alpha < 1 ? alpha : 1;
    }
  }
}

static void blur(const PhRestoration *bench, PhArea from, PhArea to) {
  const PhDeconvolve *deconvolve = bench->deconvolve;
  ph_area_filter(deconvolve->parent_instance.loops, &deconvolve->blur, from.samples, from.pitch,
                 bench->row, to);
}

/// Gives transparent pixels the mean luminance of the opaque ones around them.
static void fill_transparent(const PhRestoration *bench) {
  int radius = bench->deconvolve->blur.radius;
  PhArea light = bench->light, alpha = bench->alpha;
  for (int i = 0; i < light.pitch * light.height; i++)
    bench->spare.samples[i] = light.samples[i] * alpha.samples[i];
  PhArea inner = ph_area_inset(light, radius), weight = ph_area_inset(alpha, radius);
  PhArea sums = ph_area_inset(bench->blurred, radius);
  PhArea weights = ph_area_inset(bench->restored, radius);
  blur(bench, ph_area_inset(bench->spare, radius), sums);
  blur(bench, weight, weights);
  for (int y = 0; y < inner.height; y++)
    for (int x = 0; x < inner.width; x++) {
      int at = y * inner.pitch + x;
      if (!(weight.samples[at] > 0) && weights.samples[at] > 0)
        inner.samples[at] = sums.samples[at] / weights.samples[at];
    }
}

/// Replaces the blurred luminance by the factors of Richardson and Lucy, damped.
static void find_factors(const PhDeconvolve *deconvolve, PhArea light, PhArea alpha,
                         PhArea blurred) {
  float square = (float)(deconvolve->threshold * deconvolve->threshold);
  for (int y = 0; y < blurred.height; y++) {
    const float *own = light.samples + y * light.pitch, *weight = alpha.samples + y * alpha.pitch;
    float *to = blurred.samples + y * blurred.pitch;
    for (int x = 0; x < blurred.width; x++) {
      float difference = own[x] - to[x];
      float noise = square * to[x], likely = difference * difference;
      float u = likely < noise ? likely / noise : 1, third = u * u * u;
      float damped = third * third * third * (10 - 9 * u);
      to[x] = 1 + weight[x] * damped * (difference / to[x]);
    }
  }
}

/// Runs the iterations. The restored luminance is then valid for the block.
static void restore(const PhRestoration *bench, int start) {
  const PhDeconvolve *deconvolve = bench->deconvolve;
  int radius = deconvolve->blur.radius;
  for (int i = 0; i < bench->light.pitch * bench->light.height; i++)
    bench->restored.samples[i] = bench->light.samples[i];
  for (int k = 0, inset = start; k < deconvolve->iterations; k++, inset += 2 * radius) {
    PhArea first = ph_area_inset(bench->blurred, inset + radius);
    blur(bench, ph_area_inset(bench->restored, inset + radius), first);
    find_factors(deconvolve, ph_area_inset(bench->light, inset + radius),
                 ph_area_inset(bench->alpha, inset + radius), first);
    PhArea factors = ph_area_inset(bench->spare, inset + 2 * radius);
    blur(bench, ph_area_inset(bench->blurred, inset + 2 * radius), factors);
    PhArea restored = ph_area_inset(bench->restored, inset + 2 * radius);
    for (int y = 0; y < restored.height; y++)
      for (int x = 0; x < restored.width; x++) {
        int at = y * restored.pitch + x;
        restored.samples[at] *= factors.samples[at];
      }
  }
}

/// Reduces halos in the block: moves restored luminance that is outside the range of the input
/// luminance around the pixel towards that range, by the fraction `halo`.
static void limit_halos(const PhRestoration *bench, int margin) {
  const PhDeconvolve *deconvolve = bench->deconvolve;
  const PhLoops *loops = deconvolve->parent_instance.loops;
  int radius = (int)ceil(2 * deconvolve->sigma);
  PhArea light = ph_area_inset(bench->light, margin);
  PhArea low = ph_area_inset(bench->blurred, margin), high = ph_area_inset(bench->spare, margin);
  PhArea restored = ph_area_inset(bench->restored, margin);
  ph_area_extreme(loops->lowest, radius, light.samples, light.pitch, bench->row, low);
  ph_area_extreme(loops->highest, radius, light.samples, light.pitch, bench->row, high);
  float halo = (float)deconvolve->halo;
  for (int y = 0; y < light.height; y++)
    for (int x = 0; x < light.width; x++) {
      int at = y * light.pitch + x;
      float value = restored.samples[at];
      float within = value > low.samples[at] ? value : low.samples[at];
      within = within < high.samples[at] ? within : high.samples[at];
      restored.samples[at] = value + halo * (within - value);
    }
}

static void ph_deconvolve_filter(const PhKernel *kernel, const PhWindow *window) {
  PhRestoration bench = {.deconvolve = (const PhDeconvolve *)kernel};
  int margin = margin_of(bench.deconvolve), wide = window->width + 2 * margin;
  PhArea area = {window->scratch, wide, wide, window->height + 2 * margin};
  PhArea *const areas[PH_RESTORED_PLANES] = {&bench.light, &bench.alpha, &bench.restored,
                                             &bench.blurred, &bench.spare};
  for (int i = 0; i < PH_RESTORED_PLANES; i++, area.samples += wide * area.height)
    *areas[i] = area;
  bench.row = area.samples;
  for (int c = 0; c < 3; c++) bench.colours[c] = bench.row + (c + 1) * wide;
  read_light(&bench, window, margin);
  if (window->bands == 4) fill_transparent(&bench);
  restore(&bench, window->bands == 4 ? bench.deconvolve->blur.radius : 0);
  if (bench.deconvolve->halo > 0) limit_halos(&bench, margin);
  float amount = (float)bench.deconvolve->amount;
  for (int y = 0; y < window->height; y++) {
    read_colours(&bench, window, 0, y, window->width);
    int at = (y + margin) * wide + margin;
    for (int c = 0; c < 3; c++) {
      float *colours = bench.colours[c], *to = window->out[c] + y * window->width;
      for (int x = 0; x < window->width; x++)
        colours[x] *=
            1 + amount * (bench.restored.samples[at + x] / bench.light.samples[at + x] - 1);
      kernel->loops->encode_run[PH_OPAQUE](colours, window->width);
      for (int x = 0; x < window->width; x++)
        to[x] = window->bands == 4 ? colours[x] * window->in[3][y * window->pitch + x] : colours[x];
    }
  }
}

static int ph_deconvolve_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhDeconvolve *deconvolve = (PhDeconvolve *)object;
  if (VIPS_OBJECT_CLASS(ph_deconvolve_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  deconvolve->iterations = (int)(deconvolve->rounds + 0.5);
  deconvolve->blur = ph_gaussian_new(deconvolve->sigma);
  deconvolve->plan =
      (PhWindowPlan){.margin = margin_of(deconvolve), .rows = 128, .columns = 512,
                     .scratch = ph_deconvolve_scratch, .filter = ph_deconvolve_filter};
  return ph_window_output(kernel, &deconvolve->plan);
}

static void ph_deconvolve_finalize(GObject *object) {
  ph_gaussian_clear(&((PhDeconvolve *)object)->blur);
  G_OBJECT_CLASS(ph_deconvolve_parent_class)->finalize(object);
}

static void ph_deconvolve_class_init(PhDeconvolveClass *class) {
  G_OBJECT_CLASS(class)->finalize = ph_deconvolve_finalize;
  ph_kernel_class_describe(class, "phbatch_deconvolve", "sharpen by deconvolution",
                           ph_deconvolve_build);
  VIPS_ARG_DOUBLE(class, "sigma", 10, "Sigma", "Standard deviation of the blur, in pixels",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhDeconvolve, sigma), 0.3, 2, 0.7);
  VIPS_ARG_DOUBLE(class, "iterations", 11, "Iterations", "Number of iterations",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhDeconvolve, rounds), 1, 20, 10);
  VIPS_ARG_DOUBLE(class, "amount", 12, "Amount", "Share of the change that is taken",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDeconvolve, amount), 0, 1, 1);
  VIPS_ARG_DOUBLE(class, "threshold", 13, "Threshold", "Standard deviation of noise at white",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDeconvolve, threshold), 0, 1, 0);
  VIPS_ARG_DOUBLE(class, "halo", 14, "Halo", "Share of halos that is removed",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDeconvolve, halo), 0, 1, 0);
}

static void ph_deconvolve_init(PhDeconvolve *deconvolve) {
  deconvolve->sigma = 0.7;
  deconvolve->rounds = 10;
  deconvolve->amount = 1;
}
