#include "surface.h"

#include "gaussian.h"
#include "window.h"

typedef struct {
  PhKernel parent_instance;
  int radius;
  double threshold;
  PhGaussian box;
  PhWindowing windowing;
} PhSurface;

typedef PhKernelClass PhSurfaceClass;

G_DEFINE_TYPE(PhSurface, ph_surface, ph_kernel_get_type())

/// Lines that the largest square has.
enum { PH_LINES = 101 };

static size_t ph_surface_scratch(const PhKernel *kernel, int width, int height) {
  int radius = ((const PhSurface *)kernel)->radius;
  size_t wide = (size_t)(width + 4 * radius);
  size_t tall = (size_t)(height + 4 * radius);
  // Squares of samples, a row, the variance, four means, means of squares, and a result.
  return 9 * wide * tall;
}

/// The means over squares around `width` × `height` samples from `centre` on, row after row.
static void average(const PhSurface *surface, const float *centre, int pitch, int width, int height,
                    float *scratch, float *to) {
  const PhLoops *loops = surface->parent_instance.loops;
  int radius = surface->radius;
  int wide = width + 2 * radius;
  const float *lines[PH_LINES];
  for (int y = 0; y < height; y++) {
    for (int k = -radius; k <= radius; k++)
      lines[radius + k] = centre + (y + k) * pitch - radius;
    loops->filter(lines + radius, surface->box.weights, radius, scratch, wide);
    for (int k = 0; k <= 2 * radius; k++) lines[k] = scratch + k;
    loops->filter(lines + radius, surface->box.weights, radius, to + y * width, width);
  }
}

static void ph_surface_filter(const PhKernel *kernel, const PhWindow *window) {
  const PhSurface *surface = (const PhSurface *)kernel;
  const PhLoops *loops = kernel->loops;
  int radius = surface->radius;
  // The models that the block needs, and the pixels that those need.
  int wide = window->width + 2 * radius, tall = window->height + 2 * radius;
  int outer = wide + 2 * radius;
  size_t models = (size_t)wide * (size_t)tall;
  size_t pixels = (size_t)outer * (size_t)(tall + 2 * radius);
  float *squares = window->scratch;
  float *row = squares + pixels;
  float *variance = row + outer;
  float *mean_square = variance + models;
  float *mean[4], *result = variance + 6 * models;
  for (int c = 0; c < window->bands; c++) {
    const float *plane = window->in[c] - 2 * radius * window->pitch - 2 * radius;
    mean[c] = variance + (size_t)(c + 2) * models;
    average(surface, plane + radius * window->pitch + radius, window->pitch, wide, tall, row,
            mean[c]);
    if (c == 3) break;
    for (int y = 0; y < tall + 2 * radius; y++)
      loops->squares(plane + y * window->pitch, squares + y * outer, outer);
    average(surface, squares + radius * outer + radius, outer, wide, tall, row, mean_square);
    loops->spread(mean_square, mean[c], c > 0, variance, wide * tall);
  }
  double tolerance = 3 * surface->threshold * surface->threshold;
  loops->slope(variance, (float)tolerance, wide * tall);
  size_t inside = (size_t)(radius * wide + radius);
  float *slope = squares;
  average(surface, variance + inside, wide, window->width, window->height, row, slope);
  for (int c = 0; c < window->bands; c++) {
    loops->rest(mean[c], variance, wide * tall);
    average(surface, mean[c] + inside, wide, window->width, window->height, row, result);
    for (int y = 0; y < window->height; y++)
      loops->apply_model(window->in[c] + y * window->pitch, slope + y * window->width,
                         result + y * window->width, window->out[c] + y * window->width,
                         window->width);
  }
}

static int ph_surface_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhSurface *surface = (PhSurface *)object;
  if (VIPS_OBJECT_CLASS(ph_surface_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  surface->box = ph_gaussian_box(surface->radius);
  surface->windowing =
      (PhWindowing){.margin = 2 * surface->radius, .rows = 128, .columns = 256,
                    .scratch = ph_surface_scratch, .filter = ph_surface_filter};
  return ph_window_output(kernel, &surface->windowing);
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
