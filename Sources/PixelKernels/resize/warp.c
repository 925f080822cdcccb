#include <math.h>

#include "base/row_cache.h"

/// The maximum number of bands of the input, and of values in a background.
enum { PH_WARP_BANDS = 4 };

/// The number of pixels that cubic convolution reads on each side of a position.
enum { PH_WARP_REACH = 2 };

/// The libvips operation `phbatch_warp`: resamples an image through a projective map.
///
/// `matrix` (nine numbers, row by row) maps the homogeneous position (x, y, 1) in the output to one
/// in the input; both are in pixels from the upper left corner, so that a pixel's centre is at ½.
/// `width` and `height` are the output's size. Values between pixels are interpolated by the cubic
/// convolution of Keys with a = −½ (Catmull–Rom).
///
/// Without `background` the input's edge is repeated outwards. With a background (one value for
/// each band, nominal 0…1, premultiplied) the input's edge is antialiased against it.
///
/// Reach: 2 pixels around a position in the input. Kind of buffers: span (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  VipsArrayDouble *matrix;
  VipsArrayDouble *background;
  int width, height;
  /// The input, with a cache of rows if it is not in memory.
  VipsImage *source;
  PhProjection projection;
} PhWarp;

typedef PhKernelClass PhWarpClass;

PH_DEFINE_OPERATION(PhWarp, ph_warp, ph_kernel_get_type())

/// Maps the position (`x`, `y`) in the output to (`u`, `v`) in the input. Returns the homogeneous
/// coordinate, which is positive only for positions in front of the horizon.
static double project(const double m[9], double x, double y, double *u, double *v) {
  double w = m[6] * x + m[7] * y + m[8];
  *u = (m[0] * x + m[1] * y + m[2]) / w;
  *v = (m[3] * x + m[4] * y + m[5]) / w;
  return w;
}

/// Returns the pixels of the input that an area of the output needs; all pixels if the area reaches
/// the horizon or its position in the input is not finite.
static VipsRect needed(const PhWarp *warp, const VipsRect *area) {
  const VipsImage *in = warp->parent_instance.in;
  double low_u = INFINITY, low_v = INFINITY, high_u = -INFINITY, high_v = -INFINITY;
  for (int corner = 0; corner < 4; corner++) {
    double u, v;
    double x = corner & 1 ? VIPS_RECT_RIGHT(area) - 0.5 : area->left + 0.5;
    double y = corner & 2 ? VIPS_RECT_BOTTOM(area) - 0.5 : area->top + 0.5;
    if (!(project(warp->projection.matrix, x, y, &u, &v) > 0 && isfinite(u) && isfinite(v)))
      return (VipsRect){0, 0, in->Xsize, in->Ysize};
    low_u = fmin(low_u, u), high_u = fmax(high_u, u);
    low_v = fmin(low_v, v), high_v = fmax(high_v, v);
  }
  // The edge pixel replaces pixels beyond the edge, so it must be included.
  int left = (int)VIPS_CLIP(0, floor(low_u) - PH_WARP_REACH, in->Xsize - 1);
  int right = (int)VIPS_CLIP(0, ceil(high_u) + PH_WARP_REACH, in->Xsize - 1);
  int top = (int)VIPS_CLIP(0, floor(low_v) - PH_WARP_REACH, in->Ysize - 1);
  int bottom = (int)VIPS_CLIP(0, ceil(high_v) + PH_WARP_REACH, in->Ysize - 1);
  return (VipsRect){left, top, right - left + 1, bottom - top + 1};
}

static int ph_warp_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  VipsRegion *from = sequence;
  const PhWarp *warp = b;
  const PhKernel *kernel = &warp->parent_instance;
  const VipsRect *area = &out->valid;
  VipsRect need = needed(warp, area);
  if (vips_region_prepare(from, &need)) return -1;
  PhProjection projection = warp->projection;
  projection.origin = VIPS_REGION_ADDR(from, need.left, need.top);
  projection.pitch = VIPS_REGION_LSKIP(from);
  projection.left = need.left;
  projection.top = need.top;
  float values[PH_BLOCK * PH_WARP_BANDS];
  int clipped = 0;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    for (int x = area->left; x < VIPS_RECT_RIGHT(area); x += PH_BLOCK) {
      int count = VIPS_MIN(PH_BLOCK, VIPS_RECT_RIGHT(area) - x);
      kernel->loops->warp[kernel->from](&projection, x, y, values, count);
      clipped += ph_kernel_write(kernel, values, VIPS_REGION_ADDR(out, x, y),
                                 count * projection.bands);
    }
  ph_kernel_tally(kernel, area, clipped);
  return 0;
}

/// The maximum number of input rows that one row of the output crosses.
static double row_span(const PhWarp *warp) {
  enum { PH_SAMPLES = 16 };
  double largest = 0;
  for (int i = 0; i <= PH_SAMPLES; i++) {
    double u, left, right;
    double y = (double)warp->height * i / PH_SAMPLES;
    const double *matrix = warp->projection.matrix;
    if (!(project(matrix, 0, y, &u, &left) > 0 && project(matrix, warp->width, y, &u, &right) > 0))
      return warp->parent_instance.in->Ysize;
    largest = fmax(largest, fabs(left - right));
  }
  return fmin(largest, warp->parent_instance.in->Ysize);
}

static int check(PhWarp *warp) {
  const char *name = VIPS_OBJECT_GET_CLASS(warp)->nickname;
  int bands = warp->parent_instance.in->Bands;
  int count;
  const double *numbers = vips_array_double_get(warp->matrix, &count);
  if (count != 9) {
    vips_error(name, "the matrix has %d numbers, not 9", count);
    return -1;
  }
  for (int i = 0; i < 9; i++) {
    if (!isfinite(numbers[i])) {
      vips_error(name, "the matrix is not finite");
      return -1;
    }
    warp->projection.matrix[i] = numbers[i];
  }
  if (bands > PH_WARP_BANDS) {
    vips_error(name, "the input has %d bands, more than %d", bands, PH_WARP_BANDS);
    return -1;
  }
  if (!warp->background) return 0;
  numbers = vips_array_double_get(warp->background, &count);
  if (count != bands) {
    vips_error(name, "the background has %d numbers, not %d", count, bands);
    return -1;
  }
  warp->projection.has_background = TRUE;
  for (int i = 0; i < bands; i++) warp->projection.background[i] = (float)numbers[i];
  return 0;
}

static int ph_warp_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhWarp *warp = (PhWarp *)object;
  if (VIPS_OBJECT_CLASS(ph_warp_parent_class)->build(object) || check(warp)) return -1;
  warp->projection.width = kernel->in->Xsize;
  warp->projection.height = kernel->in->Ysize;
  warp->projection.bands = kernel->in->Bands;
  gboolean streams = kernel->in->dtype == VIPS_IMAGE_PARTIAL;
  warp->source =
      ph_row_cache_input(kernel, (int)ceil(row_span(warp) / 2) + 2 * PH_WARP_REACH, 1);
  VipsDemandStyle hint = streams ? VIPS_DEMAND_STYLE_FATSTRIP : VIPS_DEMAND_STYLE_SMALLTILE;
  if (!warp->source || ph_kernel_open_output(kernel, hint, (VipsImage *[]){kernel->in, NULL}))
    return -1;
  kernel->out->Xsize = warp->width;
  kernel->out->Ysize = warp->height;
  return vips_image_generate(kernel->out, vips_start_one, ph_warp_generate, vips_stop_one,
                             warp->source, warp);
}

static void ph_warp_class_init(PhWarpClass *class) {
  ph_kernel_class_describe(class, "phbatch_warp", "resampling through a projective map",
                           ph_warp_build);
  VIPS_ARG_BOXED(class, "matrix", 10, "Matrix", "Nine numbers, from output to input",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhWarp, matrix),
                 VIPS_TYPE_ARRAY_DOUBLE);
  VIPS_ARG_INT(class, "width", 11, "Width", "The output's width", VIPS_ARGUMENT_REQUIRED_INPUT,
               G_STRUCT_OFFSET(PhWarp, width), 1, VIPS_MAX_COORD, 1);
  VIPS_ARG_INT(class, "height", 12, "Height", "The output's height", VIPS_ARGUMENT_REQUIRED_INPUT,
               G_STRUCT_OFFSET(PhWarp, height), 1, VIPS_MAX_COORD, 1);
  VIPS_ARG_BOXED(class, "background", 13, "Background", "What lies outside the input",
                 VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhWarp, background),
                 VIPS_TYPE_ARRAY_DOUBLE);
}

static void ph_warp_init(PhWarp *warp) { warp->width = warp->height = 1; }
