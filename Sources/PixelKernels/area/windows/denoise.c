#pragma STDC FP_CONTRACT OFF

#include <string.h>

#include "area/gaussian.h"
#include "patches.h"
#include "window.h"

/// The operation `phbatch_denoise`: removes luma and chroma noise.
///
/// The colours are converted to orthonormal opponent axes. Overlapping cosine patches (see
/// patches.h) are then thresholded: luma at full and at half resolution, chroma at half and at a
/// quarter of the resolution. The lower resolutions remove coarse blotches.
///
/// - `luma`, `chroma` (0…1): ten times the standard deviation of the noise, for samples of 0…1.
///   With 0, luma or chroma does not change.
/// - `detail` (0…1): lowers the threshold from 3.3 to 1.3 standard deviations, which keeps more
///   detail and more noise.
///
/// The input is RGB with or without premultiplied alpha; alpha is kept.
///
/// Reach: 64 pixels, or 80 with alpha. Kind of buffers: windows (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  double luma;
  double chroma;
  double detail;

  /// Set by `build`: the number of pixels on each side of a block that affect the block, and the
  /// box filter that computes the mean colour around nearly transparent pixels.
  int reach;
  PhGaussian box;
  PhWindowPlan plan;
} PhDenoise;

typedef PhKernelClass PhDenoiseClass;

PH_DEFINE_OPERATION(PhDenoise, ph_denoise, ph_kernel_get_type())

/// `PH_REACH`: the number of pixels on each side that the filters at a quarter and at half the
/// resolution read in total. `PH_ALIGNMENT`: the alignment of planes in pixels. `PH_CARRY`: the
/// distance in pixels over which colours fill nearly transparent pixels.
enum { PH_REACH = 56, PH_ALIGNMENT = 8, PH_CARRY = 16 };

/// The number of pixels on each side of a block that are read: the reach plus the alignment.
static int margin(const PhDenoise *denoise) { return denoise->reach + PH_ALIGNMENT; }

/// Returns the area of the image that is denoised to compute a block. Its position and size are
/// multiples of PH_ALIGNMENT, so that patches have the same positions for all blocks.
static VipsRect frame(const PhDenoise *denoise, const PhWindow *window) {
  int reach = denoise->reach;
  int left = VIPS_ROUND_DOWN(window->left + PH_ALIGNMENT, PH_ALIGNMENT) - margin(denoise);
  int top = VIPS_ROUND_DOWN(window->top + PH_ALIGNMENT, PH_ALIGNMENT) - margin(denoise);
  int right = VIPS_ROUND_UP(window->left + window->width + reach, PH_ALIGNMENT);
  int bottom = VIPS_ROUND_UP(window->top + window->height + reach, PH_ALIGNMENT);
  return (VipsRect){left, top, right - left, bottom - top};
}

static size_t ph_denoise_scratch(const PhKernel *kernel, int width, int height) {
  int around = 2 * margin((const PhDenoise *)kernel);
  width = VIPS_ROUND_UP(width + around, PH_ALIGNMENT);
  height = VIPS_ROUND_UP(height + around, PH_ALIGNMENT);
  size_t full = (size_t)width * (size_t)height;
  // The planes in scratch memory: at full resolution the three planes and a denoised one, three
  // planes at half and two at a quarter of the resolution; then five rows, and the memory for
  // patches.
  return 4 * full + 3 * (full / 4) + 2 * (full / 16) + 5 * (size_t)width +
         ph_patches_room(width, height);
}

/// An allocator of planes in the scratch memory of a block.
typedef struct {
  const PhLoops *loops;
  float *next;
} PhBench;

static float *take(PhBench *bench, size_t count) {
  float *taken = bench->next;
  bench->next += count;
  return taken;
}

static PhFloatPlane plane(PhBench *bench, int width, int height) {
  return (PhFloatPlane){take(bench, (size_t)width * (size_t)height), width, height, width};
}

static PhFloatPlane half(PhBench *bench, const PhFloatPlane *full) {
  PhFloatPlane half = plane(bench, full->width / 2, full->height / 2);
  for (int y = 0; y < half.height; y++) {
    const float *rows = full->samples + 2 * y * full->pitch;
    bench->loops->halve(rows, rows + full->pitch, half.samples + y * half.pitch, half.width);
  }
  return half;
}

static PhFloatPlane clean(PhBench *bench, const PhFloatPlane *noisy, double threshold) {
  PhFloatPlane clean = plane(bench, noisy->width, noisy->height);
  ph_patches_run(bench->loops, noisy, (float)threshold, bench->next, &clean);
  return clean;
}

/// Subtracts `base` from a plane and adds `better`, the denoised base; both have half the plane's
/// resolution. If the threshold is above 0, the plane's difference from `base` is shrunk as well.
/// Leaves two samples at each edge unchanged.
static void replace_base(PhBench *bench, PhFloatPlane *full, const PhFloatPlane *base,
                         const PhFloatPlane *better, double threshold) {
  const PhLoops *loops = bench->loops;
  int count = base->width - 2;
  float *old = bench->next;
  float *new = old + full->width;
  for (int y = 2; y < full->height - 2; y++) {
    int near = (y / 2) * base->pitch + 1;
    int far = near + (y % 2 ? base->pitch : -base->pitch);
    loops->twice(base->samples + near, base->samples + far, old, count);
    loops->twice(better->samples + near, better->samples + far, new, count);
    float *row = full->samples + y * full->pitch + 2;
    if (threshold > 0)
      loops->replace_base_shrunk(row, old, new, (float)threshold, 2 * count);
    else
      loops->replace_base(row, old, new, 2 * count);
  }
}

/// Denoises luma: first at half the resolution, then at full resolution.
static void clean_luma(PhBench bench, PhFloatPlane *luma, double threshold) {
  PhFloatPlane base = half(&bench, luma);
  PhFloatPlane better = clean(&bench, &base, threshold / 2);
  replace_base(&bench, luma, &base, &better, 0);
  PhFloatPlane result = clean(&bench, luma, threshold);
  memcpy(luma->samples, result.samples,
         (size_t)luma->width * (size_t)luma->height * sizeof(float));
}

/// Denoises chroma: first in patches at a quarter of the resolution, then in patches at half, then
/// each sample at full resolution by itself.
static void clean_chroma(PhBench bench, PhFloatPlane *chroma, double threshold) {
  PhFloatPlane base = half(&bench, chroma);
  PhFloatPlane coarse = half(&bench, &base);
  PhFloatPlane coarse_better = clean(&bench, &coarse, threshold / 4);
  PhFloatPlane fine = plane(&bench, base.width, base.height);
  memcpy(fine.samples, base.samples, (size_t)base.width * (size_t)base.height * sizeof(float));
  replace_base(&bench, &fine, &coarse, &coarse_better, 0);
  PhFloatPlane better = clean(&bench, &fine, threshold / 2);
  replace_base(&bench, chroma, &base, &better, threshold);
}

/// Computes the means over squares around the pixels of one row; leaves out the PH_CARRY pixels at
/// each end of the row.
static void average_row(const PhDenoise *denoise, const float *row, int pitch, int width,
                        float *scratch, float *to) {
  const PhLoops *loops = denoise->parent_instance.loops;
  const float *lines[2 * PH_CARRY + 1];
  for (int k = -PH_CARRY; k <= PH_CARRY; k++) lines[PH_CARRY + k] = row + k * pitch;
  loops->filter(lines + PH_CARRY, denoise->box.weights, PH_CARRY, scratch, width);
  for (int k = 0; k <= 2 * PH_CARRY; k++) lines[k] = scratch + k;
  loops->filter(lines + PH_CARRY, denoise->box.weights, PH_CARRY, to + PH_CARRY,
                width - 2 * PH_CARRY);
}

/// Divides the colours by alpha. Nearly transparent pixels get the mean colour around them, so that
/// no dark colour is mixed into visible neighbours.
static void take_alpha_out(const PhDenoise *denoise, const PhWindow *window, int offset,
                           const VipsRect *area, float *scratch, PhFloatPlane *planes) {
  int width = area->width, pitch = window->pitch;
  float *sums[4];
  for (int band = 0; band < 4; band++) sums[band] = scratch + (band + 1) * width;
  for (int y = PH_CARRY; y < area->height - PH_CARRY; y++) {
    int at = offset + y * pitch;
    const float *alpha = window->in[3] + at;
    gboolean clear = FALSE;
    for (int x = PH_CARRY; x < width - PH_CARRY && !clear; x++) clear = alpha[x] < 0.0625f;
    for (int band = 0; band < 4 && clear; band++)
      average_row(denoise, window->in[band] + at, pitch, width, scratch, sums[band]);
    for (int c = 0; c < 3; c++) {
      float *to = planes[c].samples + y * width;
      for (int x = PH_CARRY; x < width - PH_CARRY; x++)
        if (alpha[x] >= 0.0625f)
          to[x] /= alpha[x];
        else
          to[x] = sums[3][x] > 1e-6f ? sums[c][x] / sums[3][x] : 0;
    }
  }
}

static void ph_denoise_filter(const PhKernel *kernel, const PhWindow *window) {
  const PhDenoise *denoise = (const PhDenoise *)kernel;
  const PhLoops *loops = kernel->loops;
  VipsRect area = frame(denoise, window);
  int x = window->left - area.left;
  int y = window->top - area.top;
  PhBench bench = {loops, window->scratch};
  PhFloatPlane planes[3];
  for (int c = 0; c < 3; c++) {
    planes[c] = plane(&bench, area.width, area.height);
    for (int row = 0; row < area.height; row++)
      memcpy(planes[c].samples + row * area.width,
             window->in[c] + (row - y) * window->pitch - x, (size_t)area.width * sizeof(float));
  }
  if (window->bands == 4)
    take_alpha_out(denoise, window, -y * window->pitch - x, &area, bench.next, planes);
  int count = area.width * area.height;
  loops->opponents(planes[0].samples, planes[1].samples, planes[2].samples, count);
  double threshold = 0.1 * (3.3 - 2 * denoise->detail);
  if (denoise->luma > 0) clean_luma(bench, &planes[0], denoise->luma * threshold);
  for (int c = 1; c < 3 && denoise->chroma > 0; c++)
    clean_chroma(bench, &planes[c], denoise->chroma * threshold);
  loops->colours(planes[0].samples, planes[1].samples, planes[2].samples, count);
  for (int c = 0; c < 3; c++)
    for (int row = 0; row < window->height; row++) {
      const float *from = planes[c].samples + (y + row) * area.width + x;
      float *to = window->out[c] + row * window->width;
      const float *alpha = window->bands == 4 ? window->in[3] + row * window->pitch : NULL;
      for (int i = 0; i < window->width; i++) to[i] = alpha ? from[i] * alpha[i] : from[i];
    }
}

static int ph_denoise_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhDenoise *denoise = (PhDenoise *)object;
  if (VIPS_OBJECT_CLASS(ph_denoise_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  denoise->reach = kernel->in->Bands == 4 ? PH_REACH + PH_CARRY : PH_REACH;
  denoise->box = ph_gaussian_box(PH_CARRY);
  denoise->plan =
      (PhWindowPlan){.margin = margin(denoise), .rows = 128, .columns = 512,
                    .scratch = ph_denoise_scratch, .filter = ph_denoise_filter};
  return ph_window_output(kernel, &denoise->plan);
}

static void ph_denoise_finalize(GObject *object) {
  ph_gaussian_clear(&((PhDenoise *)object)->box);
  G_OBJECT_CLASS(ph_denoise_parent_class)->finalize(object);
}

static void ph_denoise_class_init(PhDenoiseClass *class) {
  G_OBJECT_CLASS(class)->finalize = ph_denoise_finalize;
  ph_kernel_class_describe(class, "phbatch_denoise", "remove noise", ph_denoise_build);
  VIPS_ARG_DOUBLE(class, "luma", 10, "Luma", "Noise of brightness", VIPS_ARGUMENT_REQUIRED_INPUT,
                  G_STRUCT_OFFSET(PhDenoise, luma), 0, 1, 0);
  VIPS_ARG_DOUBLE(class, "chroma", 11, "Chroma", "Noise of colour", VIPS_ARGUMENT_REQUIRED_INPUT,
                  G_STRUCT_OFFSET(PhDenoise, chroma), 0, 1, 0);
  VIPS_ARG_DOUBLE(class, "detail", 12, "Detail", "How much detail to keep",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhDenoise, detail), 0, 1, 0.5);
}

static void ph_denoise_init(PhDenoise *denoise) { denoise->detail = 0.5; }
