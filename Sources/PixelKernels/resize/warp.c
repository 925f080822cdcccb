#include <math.h>

#include "base/row_cache.h"
#include "loops/resize/bend.h"

/// The maximum number of bands of the input, and of values in a background.
enum { PH_WARP_BANDS = 4 };

/// The number of pixels that cubic convolution reads on each side of a position.
enum { PH_WARP_REACH = 2 };

/// The count of numbers in `lens`, without and with a frame.
enum { PH_LENS_NUMBERS = 15, PH_FRAMED_NUMBERS = 19 };

/// The libvips operation `phbatch_warp`: resamples an image through a projective map, and through
/// the map of a lens.
///
/// `matrix` (nine numbers, row by row) maps the homogeneous position (x, y, 1) in the output to one
/// in the input; both are in pixels from the upper left corner, so that a pixel's centre is at ½.
/// `width` and `height` are the output's size. Values between pixels are interpolated by the cubic
/// convolution of Keys with a = −½ (Catmull–Rom).
///
/// `lens` maps the result of the projective map to a position in the input. It has these numbers:
///
/// - The centre x, y in pixels.
/// - The distance of one pixel to the right, and of one pixel downwards, in the unit of r.
/// - d0 to d4: green and alpha of a pixel at the distance r from the centre are read at the
///   distance `s = r (d0 + d1 r + … + d4 r⁴)` in the same direction.
/// - f0 to f2: red is read at the distance `s (f0 + f1 s + f2 s²)`.
/// - g0 to g2: blue is read at the distance `s (g0 + g1 s + g2 s²)`.
/// - Optionally, the left, top, right and bottom edge of a frame in the pixels before `lens`;
///   outside the frame is background.
///
/// Without `background` the input's edge is repeated outwards. With a background (one value for
/// each band, nominal 0…1, premultiplied) the input's edge is antialiased against it.
///
/// Reach: 2 pixels around a position in the input. Kind of buffers: span (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  VipsArrayDouble *matrix;
  VipsArrayDouble *lens_numbers;
  VipsArrayDouble *background;
  PhBend lens;
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

/// The part of the input that an area of the output needs, as the least and the greatest position.
typedef struct {
  double low_u, low_v, high_u, high_v;
} PhExtent;

/// Adds to `extent` the positions in the input, for all channels, of the position (`x`, `y`) in the
/// output. Returns false if the position is behind the horizon, or not finite in the input.
static gboolean extend(PhExtent *extent, const PhProjection *projection, double x, double y) {
  const PhBend *lens = projection->lens;
  double u, v, factor[3] = {1, 1, 1};
  if (!(project(projection->matrix, x, y, &u, &v) > 0)) return FALSE;
  if (lens)
    ph_lens_factors(lens, u - lens->centre[0], v - lens->centre[1], &factor[0], &factor[1],
                    &factor[2]);
  for (int c = 0; c < 3; c++) {
    double at_u = lens ? lens->centre[0] + factor[c] * (u - lens->centre[0]) : u;
    double at_v = lens ? lens->centre[1] + factor[c] * (v - lens->centre[1]) : v;
    if (!isfinite(at_u) || !isfinite(at_v)) return FALSE;
    extent->low_u = fmin(extent->low_u, at_u), extent->high_u = fmax(extent->high_u, at_u);
    extent->low_v = fmin(extent->low_v, at_v), extent->high_v = fmax(extent->high_v, at_v);
  }
  return TRUE;
}

/// Returns the pixels of the input that an area of the output needs; all pixels if the area reaches
/// the horizon or its position in the input is not finite.
///
/// With a lens, the edge of the area is bent: it is followed in steps, and one pixel is added for
/// the bend between them. The loops read no other pixels, whatever the numbers of the lens are.
static VipsRect needed(const PhWarp *warp, const VipsRect *area) {
  enum { PH_EDGE_STEPS = 48 };
  const VipsImage *in = warp->parent_instance.in;
  PhExtent extent = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  double left = area->left + 0.5, right = VIPS_RECT_RIGHT(area) - 0.5;
  double top = area->top + 0.5, bottom = VIPS_RECT_BOTTOM(area) - 0.5;
  int steps = warp->projection.lens ? PH_EDGE_STEPS : 1;
  int margin = PH_WARP_REACH + (warp->projection.lens ? 1 : 0);
  for (int i = 0; i <= steps; i++) {
    double x = left + (right - left) * i / steps, y = top + (bottom - top) * i / steps;
    if (!extend(&extent, &warp->projection, x, top) ||
        !extend(&extent, &warp->projection, x, bottom) ||
        !extend(&extent, &warp->projection, left, y) ||
        !extend(&extent, &warp->projection, right, y))
      return (VipsRect){0, 0, in->Xsize, in->Ysize};
  }
  // The edge pixel replaces pixels beyond the edge, so it must be included.
  int first_x = (int)VIPS_CLIP(0, floor(extent.low_u) - margin, in->Xsize - 1);
  int last_x = (int)VIPS_CLIP(0, ceil(extent.high_u) + margin, in->Xsize - 1);
  int first_y = (int)VIPS_CLIP(0, floor(extent.low_v) - margin, in->Ysize - 1);
  int last_y = (int)VIPS_CLIP(0, ceil(extent.high_v) + margin, in->Ysize - 1);
  return (VipsRect){first_x, first_y, last_x - first_x + 1, last_y - first_y + 1};
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
  projection.right = VIPS_RECT_RIGHT(&need) - 1;
  projection.bottom = VIPS_RECT_BOTTOM(&need) - 1;
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
  int columns = warp->projection.lens ? PH_SAMPLES : 1;
  for (int i = 0; i <= PH_SAMPLES; i++) {
    PhExtent extent = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    double y = (double)warp->height * i / PH_SAMPLES;
    for (int j = 0; j <= columns; j++)
      if (!extend(&extent, &warp->projection, (double)warp->width * j / columns, y))
        return warp->parent_instance.in->Ysize;
    largest = fmax(largest, extent.high_v - extent.low_v);
  }
  return fmin(largest, warp->parent_instance.in->Ysize);
}

/// Reads the numbers of the lens, if there are any.
static int check_lens(PhWarp *warp) {
  const char *name = VIPS_OBJECT_GET_CLASS(warp)->nickname;
  if (!warp->lens_numbers) return 0;
  int count;
  const double *numbers = vips_array_double_get(warp->lens_numbers, &count);
  if (count != PH_LENS_NUMBERS && count != PH_FRAMED_NUMBERS) {
    vips_error(name, "the lens has %d numbers, not %d or %d", count, PH_LENS_NUMBERS,
               PH_FRAMED_NUMBERS);
    return -1;
  }
  for (int i = 0; i < count; i++) {
    if (!isfinite(numbers[i])) {
      vips_error(name, "the lens is not finite");
      return -1;
    }
  }
  PhBend *lens = &warp->lens;
  *lens = (PhBend){.frame = {-1e9, -1e9, 1e9, 1e9}};
  for (int i = 0; i < 2; i++) lens->centre[i] = numbers[i], lens->unit[i] = numbers[2 + i];
  for (int i = 0; i < 5; i++) lens->distortion[i] = numbers[4 + i];
  for (int i = 0; i < 3; i++) lens->red[i] = numbers[9 + i], lens->blue[i] = numbers[12 + i];
  if (count == PH_FRAMED_NUMBERS)
    for (int i = 0; i < 4; i++) lens->frame[i] = numbers[PH_LENS_NUMBERS + i];
  for (int i = 0; i < 3; i++)
    lens->splits |= lens->red[i] != (i == 0) || lens->blue[i] != (i == 0);
  warp->projection.lens = lens;
  return 0;
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
  if (check_lens(warp)) return -1;
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
  VIPS_ARG_BOXED(class, "lens", 14, "Lens", "The map of a lens, 15 or 19 numbers",
                 VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhWarp, lens_numbers),
                 VIPS_TYPE_ARRAY_DOUBLE);
}

static void ph_warp_init(PhWarp *warp) { warp->width = warp->height = 1; }
