#pragma STDC FP_CONTRACT OFF

#include "zoom.h"

#include <math.h>

#include "window.h"

typedef struct {
  PhKernel parent_instance;
  double length;
  double x, y;

  /// Set by `build`: the middle in pixels, and a line's length as a part of the way to it.
  double middle_x, middle_y, part;
  PhWindowing windowing;
} PhZoom;

typedef PhKernelClass PhZoomClass;

G_DEFINE_TYPE(PhZoom, ph_zoom, ph_kernel_get_type())

/// More than any place is left of its pixel or above it: what is cut off from the sum is a floor.
enum { PH_AHEAD = 256 };

/// The sums over a line of `points` through the pixel that is `at` from the planes' starts; one
/// copy for each number of bands, which is a constant there.
static inline __attribute__((always_inline)) void add_line(const PhWindow *window, int bands,
                                                           ptrdiff_t at, double across,
                                                           double down, int points, float *sums) {
  double step = points > 1 ? 1.0 / (points - 1) : 0;
  for (int i = 0; i < points; i++) {
    double along = points > 1 ? i * step - 0.5 : 0;
    double x = along * across + PH_AHEAD, y = along * down + PH_AHEAD;
    int left = (int)x, top = (int)y;
    float right_part = (float)(x - left), lower_part = (float)(y - top);
    ptrdiff_t corner = at + (ptrdiff_t)(top - PH_AHEAD) * window->pitch + (left - PH_AHEAD);
    for (int band = 0; band < bands; band++) {
      const float *row = window->in[band] + corner, *next = row + window->pitch;
      float upper = row[0] + right_part * (row[1] - row[0]);
      float lower = next[0] + right_part * (next[1] - next[0]);
      sums[band] += upper + lower_part * (lower - upper);
    }
  }
}

static void ph_zoom_filter(const PhKernel *kernel, const PhWindow *window) {
  const PhZoom *zoom = (const PhZoom *)kernel;
  for (int y = 0; y < window->height; y++)
    for (int x = 0; x < window->width; x++) {
      double across = zoom->part * (window->left + x + 0.5 - zoom->middle_x);
      double down = zoom->part * (window->top + y + 0.5 - zoom->middle_y);
      int points = (int)ceil(sqrt(across * across + down * down)) + 1;
      float sums[4] = {0, 0, 0, 0};
      ptrdiff_t at = (ptrdiff_t)y * window->pitch + x;
      if (window->bands == 3)
        add_line(window, 3, at, across, down, points, sums);
      else
        add_line(window, 4, at, across, down, points, sums);
      for (int band = 0; band < window->bands; band++)
        window->out[band][y * window->width + x] = sums[band] / (float)points;
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
  zoom->windowing = (PhWindowing){.margin = reach, .rows = reach > 16 ? 128 : 0, .columns = 512,
                                  .filter = ph_zoom_filter};
  return ph_window_output(kernel, &zoom->windowing);
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
