#include "denoise.h"

#include <string.h>

#include "patches.h"
#include "window.h"

typedef struct {
  PhKernel parent_instance;
  double luma;
  double chroma;
  double detail;
  PhWindowing windowing;
} PhDenoise;

typedef PhKernelClass PhDenoiseClass;

G_DEFINE_TYPE(PhDenoise, ph_denoise, ph_kernel_get_type())

/// Pixels around a block: patches at a quarter of the resolution, 8 samples of a half below them, and
/// what aligning the planes to 8 pixels costs.
enum { PH_REACH = 56, PH_ALIGNMENT = 8, PH_MARGIN = PH_REACH + PH_ALIGNMENT };

/// The plane that a block is computed in: a whole number of patches at a quarter of the resolution.
static VipsRect frame(const PhWindow *window) {
  int left = VIPS_ROUND_DOWN(window->left + PH_MARGIN - PH_REACH, PH_ALIGNMENT) - PH_MARGIN;
  int top = VIPS_ROUND_DOWN(window->top + PH_MARGIN - PH_REACH, PH_ALIGNMENT) - PH_MARGIN;
  int right = VIPS_ROUND_UP(window->left + window->width + PH_REACH, PH_ALIGNMENT);
  int bottom = VIPS_ROUND_UP(window->top + window->height + PH_REACH, PH_ALIGNMENT);
  return (VipsRect){left, top, right - left, bottom - top};
}

static size_t ph_denoise_scratch(const PhKernel *kernel, int width, int height) {
  (void)kernel;
  width = VIPS_ROUND_UP(width + 2 * PH_MARGIN, PH_ALIGNMENT);
  height = VIPS_ROUND_UP(height + 2 * PH_MARGIN, PH_ALIGNMENT);
  size_t full = (size_t)width * (size_t)height;
  // Three planes and a clean one; three of half and two of a quarter of the resolution; two rows.
  return 4 * full + 3 * (full / 4) + 2 * (full / 16) + 2 * (size_t)width +
         ph_patches_room(width, height);
}

/// What a block works with: planes that are carved out of its scratch one after the other.
typedef struct {
  const PhLoops *loops;
  float *next;
} PhBench;

static float *take(PhBench *bench, size_t count) {
  float *taken = bench->next;
  bench->next += count;
  return taken;
}

static PhPlane plane(PhBench *bench, int width, int height) {
  return (PhPlane){take(bench, (size_t)width * (size_t)height), width, height, width};
}

static PhPlane half(PhBench *bench, const PhPlane *full) {
  PhPlane half = plane(bench, full->width / 2, full->height / 2);
  for (int y = 0; y < half.height; y++) {
    const float *rows = full->samples + 2 * y * full->pitch;
    bench->loops->halve(rows, rows + full->pitch, half.samples + y * half.pitch, half.width);
  }
  return half;
}

static PhPlane clean(PhBench *bench, const PhPlane *noisy, double threshold) {
  PhPlane clean = plane(bench, noisy->width, noisy->height);
  ph_patches_run(bench->loops, noisy, (float)threshold, bench->next, &clean);
  return clean;
}

/// Puts `better` in the place of `base`, both of half the plane's resolution, and shrinks what
/// stands out from it if the threshold is above 0. Leaves two samples at each edge as they are.
static void replace_base(PhBench *bench, PhPlane *full, const PhPlane *base,
                         const PhPlane *better, double threshold) {
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

/// Brightness: the base at half the resolution first, then all of it.
static void clean_luma(PhBench bench, PhPlane *luma, double threshold) {
  PhPlane base = half(&bench, luma);
  PhPlane better = clean(&bench, &base, threshold / 2);
  replace_base(&bench, luma, &base, &better, 0);
  PhPlane result = clean(&bench, luma, threshold);
  memcpy(luma->samples, result.samples,
         (size_t)luma->width * (size_t)luma->height * sizeof(float));
}

/// Colour: a quarter of the resolution, then half; single samples at full resolution.
static void clean_chroma(PhBench bench, PhPlane *chroma, double threshold) {
  PhPlane base = half(&bench, chroma);
  PhPlane coarse = half(&bench, &base);
  PhPlane coarse_better = clean(&bench, &coarse, threshold / 4);
  PhPlane fine = plane(&bench, base.width, base.height);
  memcpy(fine.samples, base.samples, (size_t)base.width * (size_t)base.height * sizeof(float));
  replace_base(&bench, &fine, &coarse, &coarse_better, 0);
  PhPlane better = clean(&bench, &fine, threshold / 2);
  replace_base(&bench, chroma, &base, &better, threshold);
}

static void ph_denoise_filter(const PhKernel *kernel, const PhWindow *window) {
  const PhDenoise *denoise = (const PhDenoise *)kernel;
  const PhLoops *loops = kernel->loops;
  VipsRect area = frame(window);
  int x = window->left - area.left;
  int y = window->top - area.top;
  PhBench bench = {loops, window->scratch};
  PhPlane planes[3];
  for (int c = 0; c < 3; c++) {
    planes[c] = plane(&bench, area.width, area.height);
    for (int row = 0; row < area.height; row++)
      memcpy(planes[c].samples + row * area.width,
             window->in[c] + (row - y) * window->pitch - x, (size_t)area.width * sizeof(float));
  }
  int count = area.width * area.height;
  loops->opponents(planes[0].samples, planes[1].samples, planes[2].samples, count);
  double threshold = 0.1 * (3.3 - 2 * denoise->detail);
  if (denoise->luma > 0) clean_luma(bench, &planes[0], denoise->luma * threshold);
  for (int c = 1; c < 3 && denoise->chroma > 0; c++)
    clean_chroma(bench, &planes[c], denoise->chroma * threshold);
  loops->colours(planes[0].samples, planes[1].samples, planes[2].samples, count);
  for (int c = 0; c < 3; c++)
    for (int row = 0; row < window->height; row++)
      memcpy(window->out[c] + row * window->width,
             planes[c].samples + (y + row) * area.width + x,
             (size_t)window->width * sizeof(float));
}

static int ph_denoise_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhDenoise *denoise = (PhDenoise *)object;
  if (VIPS_OBJECT_CLASS(ph_denoise_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  denoise->windowing =
      (PhWindowing){.margin = PH_MARGIN, .rows = 128, .columns = 512,
                    .scratch = ph_denoise_scratch, .filter = ph_denoise_filter};
  return ph_window_output(kernel, &denoise->windowing);
}

static void ph_denoise_class_init(PhDenoiseClass *class) {
  ph_kernel_class_describe(class, "phbatch_denoise", "remove noise", ph_denoise_build);
  VIPS_ARG_DOUBLE(class, "luma", 10, "Luma", "Noise of brightness", VIPS_ARGUMENT_REQUIRED_INPUT,
                  G_STRUCT_OFFSET(PhDenoise, luma), 0, 1, 0);
  VIPS_ARG_DOUBLE(class, "chroma", 11, "Chroma", "Noise of colour", VIPS_ARGUMENT_REQUIRED_INPUT,
                  G_STRUCT_OFFSET(PhDenoise, chroma), 0, 1, 0);
  VIPS_ARG_DOUBLE(class, "detail", 12, "Detail", "How much detail to keep",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhDenoise, detail), 0, 1, 0.5);
}

static void ph_denoise_init(PhDenoise *denoise) { denoise->detail = 0.5; }
