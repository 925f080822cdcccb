#include <string.h>

#include "squares.h"
#include "window.h"

/// The operation `phbatch_surface`: edge-preserving smoothing by a guided filter.
///
/// A linear model `a × x + b` describes the image in each square of `radius` (1…50 pixels):
///
/// - v: the mean of the variances of R, G and B in the square.
/// - a: the slope `v² ÷ (v² + threshold⁴)`, the same for all channels.
/// - b: the offset `(1 − a) × mean`, with the mean of the channel in the square.
///
/// Each pixel gets the mean of the models of all squares that contain it. Contrasts well below
/// `threshold` (0.001…1) vanish; contrasts well above it stay. The input is RGB with or without
/// premultiplied alpha; pixels are weighted by alpha, which is kept.
///
/// Sources: K. He, J. Sun, X. Tang, "Guided Image Filtering", IEEE TPAMI 35 (2013), where the guide
/// is the image itself; Z. Li et al., "Weighted Guided Image Filtering", IEEE TIP 24 (2015), for
/// weights by the variance.
///
/// Reach: 2 × radius. Kind of buffers: windows (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  int radius;
  double threshold;
  PhGaussian box;
  PhWindowPlan plan;
} PhSurface;

typedef PhKernelClass PhSurfaceClass;

PH_DEFINE_OPERATION(PhSurface, ph_surface, ph_kernel_get_type())

static size_t ph_surface_scratch(const PhKernel *kernel, int width, int height) {
  int radius = ((const PhSurface *)kernel)->radius;
  size_t wide = (size_t)(width + 4 * radius);
  size_t tall = (size_t)(height + 4 * radius);
  // The nine planes of scratch memory: squared samples, a row, the variance, four means, means of
  // squares, and a result.
  return 9 * wide * tall;
}

/// Computes the means over the squares around `width` × `height` samples from `centre` on.
static void average(const PhSurface *surface, const float *centre, int pitch, int width, int height,
                    float *scratch, float *to) {
  ph_area_filter(surface->parent_instance.loops, &surface->box, centre, pitch, scratch,
                 (PhArea){to, width, width, height});
}

/// Computes the squares of the colours of a row, for the variance. With alpha, computes the squares
/// of the unpremultiplied colours, multiplied by alpha.
static void square(const PhLoops *loops, const float *plane, const float *alpha, float *to,
                   int count) {
  loops->squares(plane, to, count);
  if (!alpha) return;
  for (int i = 0; i < count; i++) to[i] = alpha[i] > 0 ? to[i] / alpha[i] : 0;
}

/// Turns sums into means by dividing them by the weights.
static void divide(float *sums, const float *weights, size_t count) {
  for (size_t i = 0; i < count; i++) sums[i] = weights[i] > 1e-6f ? sums[i] / weights[i] : 0;
}

/// Filters one block. The models are fitted to unpremultiplied colours; pixels and windows are
/// weighted by alpha, and alpha is kept.
static void ph_surface_filter(const PhKernel *kernel, const PhWindow *window) {
  const PhSurface *surface = (const PhSurface *)kernel;
  const PhLoops *loops = kernel->loops;
  int radius = surface->radius;
  int has_alpha = window->bands == 4;
  // The size of the area whose models the block needs, then the width of the area whose pixels
  // these models need.
  int wide = window->width + 2 * radius, tall = window->height + 2 * radius;
  int outer = wide + 2 * radius;
  size_t models = (size_t)wide * (size_t)tall;
  size_t pixels = (size_t)outer * (size_t)(tall + 2 * radius);
  float *squares = window->scratch;
  float *row = squares + pixels;
  float *variance = row + outer;
  float *mean_square = variance + models;
  float *mean[4], *result = variance + 6 * models;
  const float *planes[4];
  for (int c = window->bands - 1; c >= 0; c--) {
    planes[c] = window->in[c] - 2 * radius * window->pitch - 2 * radius;
    mean[c] = variance + (size_t)(c + 2) * models;
    average(surface, planes[c] + radius * window->pitch + radius, window->pitch, wide, tall, row,
            mean[c]);
  }
  for (int c = 0; c < 3; c++) {
    for (int y = 0; y < tall + 2 * radius; y++)
      square(loops, planes[c] + y * window->pitch,
             has_alpha ? planes[3] + y * window->pitch : NULL, squares + y * outer, outer);
    average(surface, squares + radius * outer + radius, outer, wide, tall, row, mean_square);
    const float *mean_colour = mean[c];
    if (has_alpha) {
      memcpy(result, mean[c], models * sizeof(float));
      divide(result, mean[3], models);
      divide(mean_square, mean[3], models);
      mean_colour = result;
    }
    loops->spread(mean_square, mean_colour, c > 0, variance, wide * tall);
  }
  double tolerance = 3 * surface->threshold * surface->threshold;
  loops->slope(variance, (float)tolerance, wide * tall);
  for (int c = 0; c < 3; c++) loops->rest(mean[c], variance, wide * tall);
  size_t inside = (size_t)(radius * wide + radius);
  size_t count = (size_t)window->width * (size_t)window->height;
  float *slope = squares, *weight = mean_square;
  if (has_alpha) {
    for (size_t i = 0; i < models; i++) variance[i] *= mean[3][i];
    average(surface, mean[3] + inside, wide, window->width, window->height, row, weight);
  }
  average(surface, variance + inside, wide, window->width, window->height, row, slope);
  if (has_alpha) divide(slope, weight, count);
  for (int c = 0; c < 3; c++) {
    average(surface, mean[c] + inside, wide, window->width, window->height, row, result);
    if (has_alpha) divide(result, weight, count);
    for (int y = 0; y < window->height; y++) {
      const float *from = window->in[c] + y * window->pitch;
      float *offset = result + y * window->width;
      if (has_alpha)
        for (int x = 0; x < window->width; x++)
          offset[x] *= window->in[3][y * window->pitch + x];
      loops->apply_model(from, slope + y * window->width, offset,
                         window->out[c] + y * window->width, window->width);
    }
  }
}

static int ph_surface_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhSurface *surface = (PhSurface *)object;
  if (VIPS_OBJECT_CLASS(ph_surface_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  surface->box = ph_gaussian_box(surface->radius);
  surface->plan =
      (PhWindowPlan){.margin = 2 * surface->radius, .rows = 128, .columns = 256,
                    .scratch = ph_surface_scratch, .filter = ph_surface_filter};
  return ph_window_output(kernel, &surface->plan);
}

static void ph_surface_finalize(GObject *object) {
  ph_gaussian_clear(&((PhSurface *)object)->box);
  G_OBJECT_CLASS(ph_surface_parent_class)->finalize(object);
}

static void ph_surface_class_init(PhSurfaceClass *class) {
  G_OBJECT_CLASS(class)->finalize = ph_surface_finalize;
  ph_kernel_class_describe(class, "phbatch_surface", "smooth surfaces, keep edges",
                           ph_surface_build);
  VIPS_ARG_INT(class, "radius", 10, "Radius", "Half the side of a square, in pixels",
               VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhSurface, radius), 1, 50, 5);
  VIPS_ARG_DOUBLE(class, "threshold", 11, "Threshold", "Contrast that is kept by half",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhSurface, threshold), 0.001, 1,
                  0.05);
}

static void ph_surface_init(PhSurface *surface) {
  surface->radius = 5;
  surface->threshold = 0.05;
}
