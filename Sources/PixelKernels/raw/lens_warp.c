#pragma STDC FP_CONTRACT OFF

#include <math.h>
#include <string.h>

#include "base/row_cache.h"

/// The number of bands of an image, the number of coefficients of a band, and the number of pixels
/// that cubic convolution reads on each side of a position.
enum { PH_LENS_BANDS = 3, PH_LENS_TERMS = 6, PH_LENS_REACH = 2 };

/// The operation `phbatch_lens_warp`: corrects the distortion and the lateral colour of a lens, as
/// the opcodes WarpRectilinear and WarpFisheye of DNG files describe them.
///
/// `centre` (x, y) and `radius` are in pixels of a frame that begins at the input's corner. A pixel
/// of the output at the distance d from the centre shows the input at the distance `d × f + t`:
///
/// - d: the vector (dx, dy) from the centre to the pixel, in radii.
/// - r: the length of d, at most 1.
/// - f: the radial factor `k0 + k1 r² + k2 r⁴ + k3 r⁶`. With `fisheye` it is `(k0 θ + k1 θ³ + k2 θ⁵
///   + k3 θ⁷) ÷ r`, with θ = arctan r.
/// - t: the tangential part `(2 t0 dx dy + t1 (r² + 2 dx²), 2 t1 dx dy + t0 (r² + 2 dy²))`.
///
/// `terms` has k0, k1, k2, k3, t0 and t1, for red, then for green, then for blue.
///
/// The output has `width` × `height` pixels, and begins at (`left`, `top`) of the frame. `pitch` has
/// the width and the height of a pixel of the input, and those of a pixel of the output, in pixels
/// of the frame: more than 1 for reduced pictures.
/// Values between pixels are interpolated by cubic convolution; the input's edge is repeated
/// outwards.
///
/// Source: Adobe Digital Negative Specification 1.7, 2023, chapter 7.
///
/// Reach: 2 pixels around a position in the input. Kind of buffers: span (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  VipsArrayDouble *terms_array, *centre_array, *pitch_array;
  double radius;
  gboolean fisheye;
  int left, top, width, height;

  double terms[PH_LENS_BANDS][PH_LENS_TERMS];
  double centre[2];
  /// The size of a pixel of the input (index 0, 1) and of the output (2, 3).
  double pitch[4];
  /// True if all bands have the same terms.
  gboolean is_common;
  /// The input, with a cache of rows if it is not in memory.
  VipsImage *source;
} PhLensWarp;

typedef PhKernelClass PhLensWarpClass;

PH_DEFINE_OPERATION(PhLensWarp, ph_lens_warp, ph_kernel_get_type())

/// Computes the positions in the input, in pixels from its corner, that `count` pixels of a row of
/// the output show, from (`x`, `y`) on, `step` pixels apart.
static void locate(const PhLensWarp *warp, int band, double x, double y, double step, int count,
                   double *restrict u, double *restrict v) {
  const double *k = warp->terms[band];
  const double radius = warp->radius, *in = warp->pitch, *out = warp->pitch + 2;
  const double scale_x = radius / in[0], scale_y = radius / in[1];
  const double centre_x = warp->centre[0] / in[0], centre_y = warp->centre[1] / in[1];
  const double dy = (warp->top + y * out[1] - warp->centre[1]) / radius;
  // The distance of a pixel does not depend on where the row of pixels begins, so that results do
  // not depend on the sizes of areas.
  const double from = warp->left - warp->centre[0], unit = 1 / radius;
  for (int i = 0; i < count; i++) {
    const double dx = (from + (x + step * i) * out[0]) * unit;
    double r = dx * dx + dy * dy;
    r = r < 1 ? r : 1;
    u[i] = r;
    v[i] = k[0] + r * (k[1] + r * (k[2] + r * k[3]));
  }
  if (warp->fisheye)
    for (int i = 0; i < count; i++) {
      const double r = sqrt(u[i]), angle = atan(r), squared = angle * angle;
      const double bent = angle * (k[0] + squared * (k[1] + squared * (k[2] + squared * k[3])));
      v[i] = r > 1e-9 ? bent / r : k[0];
    }
  for (int i = 0; i < count; i++) {
    const double dx = (from + (x + step * i) * out[0]) * unit, r = u[i], f = v[i];
    const double tx = k[4] * 2 * dx * dy + k[5] * (r + 2 * dx * dx);
    const double ty = k[5] * 2 * dx * dy + k[4] * (r + 2 * dy * dy);
    u[i] = centre_x + scale_x * (dx * f + tx);
    v[i] = centre_y + scale_y * (dy * f + ty);
  }
}

/// The range of positions that were found; its ends are finite.
typedef struct {
  double low_u, high_u, low_v, high_v;
} PhExtent;

static void extend(PhExtent *extent, const double *u, const double *v, int count) {
  for (int i = 0; i < count; i++) {
    double across = VIPS_CLIP(-1e6, u[i], 2e7), down = VIPS_CLIP(-1e6, v[i], 2e7);
    extent->low_u = fmin(extent->low_u, across), extent->high_u = fmax(extent->high_u, across);
    extent->low_v = fmin(extent->low_v, down), extent->high_v = fmax(extent->high_v, down);
  }
}

/// The number of positions that are checked on each edge of an area, and the number of pixels that
/// are added for the positions between them.
enum { PH_LENS_SAMPLES = 33, PH_LENS_MARGIN = 2 };

/// Returns the range of positions in the input that an area of the output shows. Only positions on
/// the area's edges are checked: the correction maps areas continuously, so that no position inside
/// is further out.
static PhExtent seen_from(const PhLensWarp *warp, const VipsRect *area) {
  PhExtent extent = {1e9, -1e9, 1e9, -1e9};
  double u[PH_LENS_SAMPLES], v[PH_LENS_SAMPLES];
  double x = area->left + 0.5, y = area->top + 0.5;
  double right = area->width - 1, down = area->height - 1;
  for (int band = 0; band < (warp->is_common ? 1 : PH_LENS_BANDS); band++) {
    for (int edge = 0; edge < 2; edge++) {
      locate(warp, band, x, y + edge * down, right / (PH_LENS_SAMPLES - 1), PH_LENS_SAMPLES, u, v);
      extend(&extent, u, v, PH_LENS_SAMPLES);
    }
    for (int i = 0; i < PH_LENS_SAMPLES; i++) {
      locate(warp, band, x, y + down * i / (PH_LENS_SAMPLES - 1), right, 2, u, v);
      extend(&extent, u, v, 2);
    }
    // The rows and columns through the centre are the furthest positions of a curved edge.
    double middle_x = (warp->centre[0] - warp->left) / warp->pitch[2];
    double middle_y = (warp->centre[1] - warp->top) / warp->pitch[3];
    double near_x = VIPS_CLIP(x, middle_x, x + right), near_y = VIPS_CLIP(y, middle_y, y + down);
    locate(warp, band, x, near_y, right, 2, u, v);
    extend(&extent, u, v, 2);
    for (int edge = 0; edge < 2; edge++) {
      locate(warp, band, near_x, y + edge * down, 0, 1, u, v);
      extend(&extent, u, v, 1);
    }
  }
  return extent;
}

static VipsRect needed(const PhLensWarp *warp, const VipsRect *area) {
  const VipsImage *in = warp->parent_instance.in;
  PhExtent seen = seen_from(warp, area);
  int reach = PH_LENS_REACH + PH_LENS_MARGIN;
  int left = (int)VIPS_CLIP(0, floor(seen.low_u) - reach, in->Xsize - 1);
  int right = (int)VIPS_CLIP(0, ceil(seen.high_u) + reach, in->Xsize - 1);
  int top = (int)VIPS_CLIP(0, floor(seen.low_v) - reach, in->Ysize - 1);
  int bottom = (int)VIPS_CLIP(0, ceil(seen.high_v) + reach, in->Ysize - 1);
  return (VipsRect){left, top, right - left + 1, bottom - top + 1};
}

static void cubic_weights(float t, float weight[4]) {
  weight[0] = ((1.0f - 0.5f * t) * t - 0.5f) * t;
  weight[1] = (1.5f * t - 2.5f) * t * t + 1.0f;
  weight[2] = ((2.0f - 1.5f * t) * t + 0.5f) * t;
  weight[3] = (0.5f * t - 0.5f) * t * t;
}

/// Interpolates `bands` bands from `band` on at `count` positions.
static void sample(const VipsRegion *from, const double *u, const double *v, int band, int bands,
                   int count, float *to) {
  const VipsRect *valid = &from->valid;
  const char *origin =
      (const char *)VIPS_REGION_ADDR((VipsRegion *)(size_t)from, valid->left, valid->top);
  const size_t pitch = VIPS_REGION_LSKIP((VipsRegion *)(size_t)from);
  const double last_u = VIPS_RECT_RIGHT(valid) - 1, last_v = VIPS_RECT_BOTTOM(valid) - 1;
  for (int i = 0; i < count; i++) {
    const double x = VIPS_CLIP(valid->left, u[i] - 0.5, last_u);
    const double y = VIPS_CLIP(valid->top, v[i] - 0.5, last_v);
    float across[4], down[4];
    cubic_weights((float)(x - (int)x), across);
    cubic_weights((float)(y - (int)y), down);
    const int column = (int)x - valid->left, row = (int)y - valid->top;
    int offset[4];
    for (int k = 0; k < 4; k++)
      offset[k] = VIPS_CLIP(0, column - 1 + k, valid->width - 1) * PH_LENS_BANDS + band;
    float sums[PH_LENS_BANDS] = {0, 0, 0};
    for (int j = 0; j < 4; j++) {
      const size_t line = (size_t)VIPS_CLIP(0, row - 1 + j, valid->height - 1);
      const float *samples = (const float *)(const void *)(origin + line * pitch);
      for (int c = 0; c < bands; c++) {
        float part = 0;
        for (int k = 0; k < 4; k++) part += across[k] * samples[offset[k] + c];
        sums[c] += down[j] * part;
      }
    }
    for (int c = 0; c < bands; c++) to[i * PH_LENS_BANDS + band + c] = sums[c];
  }
}

static int ph_lens_warp_generate(VipsRegion *out, void *sequence, void *a, void *b,
                                 gboolean *stop) {
  (void)a, (void)stop;
  const PhLensWarp *warp = b;
  const VipsRect *area = &out->valid;
  VipsRect need = needed(warp, area);
  if (vips_region_prepare(sequence, &need)) return -1;
  double u[PH_BLOCK], v[PH_BLOCK];
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    for (int x = area->left; x < VIPS_RECT_RIGHT(area); x += PH_BLOCK) {
      int count = VIPS_MIN(PH_BLOCK, VIPS_RECT_RIGHT(area) - x);
      float *to = (float *)(void *)VIPS_REGION_ADDR(out, x, y);
      for (int band = 0; band < (warp->is_common ? 1 : PH_LENS_BANDS); band++) {
        locate(warp, band, x + 0.5, y + 0.5, 1, count, u, v);
        sample(sequence, u, v, band, warp->is_common ? PH_LENS_BANDS : 1, count, to);
      }
    }
  return 0;
}

/// The maximum number of input rows that one row of the output crosses.
static int row_span(const PhLensWarp *warp) {
  double largest = 0;
  for (int i = 0; i <= 16; i++) {
    VipsRect row = {0, (warp->height - 1) * i / 16, warp->width, 1};
    PhExtent seen = seen_from(warp, &row);
    largest = fmax(largest, seen.high_v - seen.low_v);
  }
  return (int)fmin(ceil(largest), warp->parent_instance.in->Ysize);
}

static int fail(const char *words) {
  vips_error("phbatch_lens_warp", "%s", words);
  return -1;
}

static int read_numbers(const VipsArrayDouble *array, int count, double *to) {
  int length;
  const double *from = vips_array_double_get((VipsArrayDouble *)(size_t)array, &length);
  if (length != count) return fail("the terms or the centre have another length");
  for (int i = 0; i < count; i++) {
    if (!isfinite(from[i])) return fail("the terms or the centre are not finite");
    to[i] = from[i];
  }
  return 0;
}

static int ph_lens_warp_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhLensWarp *warp = (PhLensWarp *)object;
  if (VIPS_OBJECT_CLASS(ph_lens_warp_parent_class)->build(object)) return -1;
  if (kernel->in->Bands != PH_LENS_BANDS || kernel->from != PH_FLOAT || kernel->to != PH_FLOAT)
    return fail("the image must have three bands of floats");
  if (read_numbers(warp->terms_array, PH_LENS_BANDS * PH_LENS_TERMS, warp->terms[0]) ||
      read_numbers(warp->centre_array, 2, warp->centre) ||
      (warp->pitch_array && read_numbers(warp->pitch_array, 4, warp->pitch)))
    return -1;
  for (int i = 0; i < 4; i++)
    if (!(warp->pitch[i] > 0)) return fail("the sizes of pixels must be positive");
  size_t size = sizeof warp->terms[0];
  warp->is_common = !memcmp(warp->terms[0], warp->terms[1], size) &&
                    !memcmp(warp->terms[0], warp->terms[2], size);
  gboolean streams = kernel->in->dtype == VIPS_IMAGE_PARTIAL;
  int reach = PH_LENS_REACH + PH_LENS_MARGIN;
  warp->source = ph_row_cache_input(kernel, row_span(warp) / 2 + 2 * reach, 1);
  if (!warp->source) return -1;
  g_object_set(object, "out", vips_image_new(), NULL);
  VipsDemandStyle hint = streams ? VIPS_DEMAND_STYLE_FATSTRIP : VIPS_DEMAND_STYLE_SMALLTILE;
  if (vips_image_pipelinev(kernel->out, hint, kernel->in, NULL)) return -1;
  kernel->out->Xsize = warp->width;
  kernel->out->Ysize = warp->height;
  return vips_image_generate(kernel->out, vips_start_one, ph_lens_warp_generate, vips_stop_one,
                             warp->source, warp);
}

static void ph_lens_warp_class_init(PhLensWarpClass *class) {
  ph_kernel_class_describe(class, "phbatch_lens_warp", "correct the distortion of a lens",
                           ph_lens_warp_build);
  VIPS_ARG_BOXED(class, "terms", 10, "Terms", "Six numbers for each of red, green and blue",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhLensWarp, terms_array),
                 VIPS_TYPE_ARRAY_DOUBLE);
  VIPS_ARG_BOXED(class, "centre", 11, "Centre", "The optical centre in the frame",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhLensWarp, centre_array),
                 VIPS_TYPE_ARRAY_DOUBLE);
  VIPS_ARG_DOUBLE(class, "radius", 12, "Radius", "The distance that counts as 1",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhLensWarp, radius), 0.5,
                  VIPS_MAX_COORD, 1);
  VIPS_ARG_BOOL(class, "fisheye", 13, "Fisheye", "The terms are those of a fisheye lens",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhLensWarp, fisheye), FALSE);
#define PH_LENS_INT(name, number, field, words, low, usual)                                 \
  VIPS_ARG_INT(class, name, number, name, words, VIPS_ARGUMENT_OPTIONAL_INPUT,              \
               G_STRUCT_OFFSET(PhLensWarp, field), low, VIPS_MAX_COORD, usual)
  PH_LENS_INT("left", 14, left, "The output's first column in the frame", 0, 0);
  PH_LENS_INT("top", 15, top, "The output's first row in the frame", 0, 0);
  PH_LENS_INT("width", 16, width, "The output's width", 1, 1);
  PH_LENS_INT("height", 17, height, "The output's height", 1, 1);
#undef PH_LENS_INT
  VIPS_ARG_BOXED(class, "pitch", 18, "Pitch", "The sizes of pixels of the input and the output",
                 VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhLensWarp, pitch_array),
                 VIPS_TYPE_ARRAY_DOUBLE);
}

static void ph_lens_warp_init(PhLensWarp *warp) {
  warp->radius = 1;
  warp->width = warp->height = 1;
  for (int i = 0; i < 4; i++) warp->pitch[i] = 1;
}
