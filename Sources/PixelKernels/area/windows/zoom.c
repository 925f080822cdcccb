#pragma STDC FP_CONTRACT OFF

#include <math.h>
#include <string.h>

#include "window.h"

/// The operation `phbatch_zoom`: zoom blur, as if the lens zoomed while the shutter was open.
///
/// Each pixel becomes the mean along a line through it that points at (`x`, `y`), fractions of the
/// frame. The length of the line is proportional to the pixel's distance from that point: `length`
/// (0…250 pixels) at the farthest corner. The line is sampled at points at most a pixel apart by
/// bilinear interpolation. The input is RGB, with or without premultiplied alpha; alpha is blurred
/// like a colour.
///
/// Reach: length ÷ 2. Kind of buffers: windows (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  double length;
  double x, y;

  /// Set by `build`: the centre in pixels, and the length of a line as a fraction of the pixel's
  /// distance from the centre.
  double middle_x, middle_y, part;
  PhWindowPlan plan;
} PhZoom;

typedef PhKernelClass PhZoomClass;

PH_DEFINE_OPERATION(PhZoom, ph_zoom, ph_kernel_get_type())

/// A number of pixels greater than every offset to the left. Adding it makes each offset positive,
/// so that conversion to an integer rounds the offset down.
enum { PH_AHEAD = 256 };

/// Returns the horizontal offset of the sample point from the pixel in a column, positive to the
/// right, rounded down to whole pixels.
static int whole_at(const PhZoom *zoom, float slope, int column) {
  float way = slope * ((float)column + (float)(0.5 - zoom->middle_x));
  return (int)(way + PH_AHEAD) - PH_AHEAD;
}

/// Returns the number of pixels, from `column` on and at most `count`, whose offset rounded down to
/// whole pixels is `whole`. `slope` is the growth of the offset from one pixel to the next, and
/// `stride` is 1 ÷ slope.
static int same_whole(const PhZoom *zoom, float slope, float stride, int column, int count,
                      int whole) {
  if (slope == 0) return count;
  float limit = (float)(slope > 0 ? whole + 1 : whole) * stride;
  float room = limit - (float)column - (float)(0.5 - zoom->middle_x);
  int end = room < 1 ? 1 : room < (float)count ? (int)room : count;
  // Because of rounding errors, `end` may be wrong by about a pixel; the two loops correct it.
#pragma clang loop vectorize(disable)
  while (end > 1 && whole_at(zoom, slope, column + end - 1) != whole) end--;
#pragma clang loop vectorize(disable)
  while (end < count && whole_at(zoom, slope, column + end) == whole) end++;
  return end;
}

/// Adds one sample point for each of `count` pixels of a row, from `x` on. The points are `down`
/// pixels below the row.
static void add_points(const PhZoom *zoom, const PhWindow *window, int x, int y, int count,
                       double along, double down, float (*sums)[PH_ROOM]) {
  double top = floor(down);
  ptrdiff_t row = (ptrdiff_t)(y + (int)top) * window->pitch;
  PhSlide slide = {.pitch = window->pitch, .down = (float)(down - top),
                   .slope = (float)(along * zoom->part), .centre = (float)(0.5 - zoom->middle_x)};
  float stride = slide.slope != 0 ? 1 / slide.slope : 0;
  for (int end = x + count; x < end;) {
    slide.column = window->left + x;
    int whole = whole_at(zoom, slide.slope, slide.column);
    int run = same_whole(zoom, slide.slope, stride, slide.column, end - x, whole);
    slide.whole = (float)whole;
    for (int band = 0; band < window->bands; band++)
      slide.corner[band] = window->in[band] + row + x + whole;
    zoom->parent_instance.loops->slide[window->bands == 4](&slide, sums, x, run);
    x += run;
  }
}

static void ph_zoom_filter(const PhKernel *kernel, const PhWindow *window) {
  const PhZoom *zoom = (const PhZoom *)kernel;
  int points[PH_BLOCK];
  float sums[4][PH_ROOM];
  for (int y = 0; y < window->height; y++) {
    double down = zoom->part * (window->top + y + 0.5 - zoom->middle_y);
    for (int x = 0; x < window->width; x++) {
      double across = zoom->part * (window->left + x + 0.5 - zoom->middle_x);
      points[x] = (int)ceil(sqrt(across * across + down * down)) + 1;
    }
    memset(sums, 0, sizeof sums);
    // Neighbouring pixels whose lines have the same number of points are processed together.
    for (int x = 0, count; x < window->width; x += count) {
      for (count = 1; x + count < window->width && points[x + count] == points[x];) count++;
      double step = points[x] > 1 ? 1.0 / (points[x] - 1) : 0;
      for (int i = 0; i < points[x]; i++) {
        double along = points[x] > 1 ? i * step - 0.5 : 0;
        add_points(zoom, window, x, y, count, along, along * down, sums);
      }
    }
    for (int band = 0; band < window->bands; band++)
      for (int x = 0; x < window->width; x++)
        window->out[band][y * window->width + x] = sums[band][x] / (float)points[x];
  }
}

static int ph_zoom_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhZoom *zoom = (PhZoom *)object;
  if (VIPS_OBJECT_CLASS(ph_zoom_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  double width = kernel->in->Xsize, height = kernel->in->Ysize;
  zoom->middle_x = zoom->x * width;
  zoom->middle_y = zoom->y * height;
  zoom->part = zoom->length / hypot(VIPS_MAX(zoom->middle_x, width - zoom->middle_x),
                                    VIPS_MAX(zoom->middle_y, height - zoom->middle_y));
  int reach = (int)(zoom->length / 2) + 1;
  zoom->plan = (PhWindowPlan){.margin = reach, .rows = reach > 16 ? 128 : 0, .columns = 512,
                                  .filter = ph_zoom_filter};
  return ph_window_output(kernel, &zoom->plan);
}

static void ph_zoom_class_init(PhZoomClass *class) {
  ph_kernel_class_describe(class, "phbatch_zoom", "blur towards a point", ph_zoom_build);
  VIPS_ARG_DOUBLE(class, "length", 10, "Length", "Pixels at the farthest corner",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhZoom, length), 0, 250, 0);
  VIPS_ARG_DOUBLE(class, "x", 11, "x", "The point, as a part of the width",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhZoom, x), 0, 1, 0.5);
  VIPS_ARG_DOUBLE(class, "y", 12, "y", "The point, as a part of the height",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhZoom, y), 0, 1, 0.5);
}

static void ph_zoom_init(PhZoom *zoom) { zoom->x = zoom->y = 0.5; }
