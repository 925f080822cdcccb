#include "network.h"
#include "window.h"

/// The operation `phbatch_median`: each band's exact median over a square.
///
/// The input is RGB with or without alpha; `radius` is 1…5, each side of the square has 2 ×
/// radius + 1 pixels. The edge of the image is repeated outwards.
///
/// Reach: radius. Buffers: windows.
typedef struct {
  PhKernel parent_instance;
  int radius;
  PhNetwork *network;
  PhWindowPlan plan;
} PhMedian;

typedef PhKernelClass PhMedianClass;

G_DEFINE_TYPE(PhMedian, ph_median, ph_kernel_get_type())

static size_t ph_median_scratch(const PhKernel *kernel, int width, int height) {
  (void)width, (void)height;
  return ph_network_room(((const PhMedian *)kernel)->network);
}

static void ph_median_filter(const PhKernel *kernel, const PhWindow *window) {
  const PhMedian *median = (const PhMedian *)kernel;
  int step = PH_WIRE - 2 * median->radius;
  for (int band = 0; band < window->bands; band++)
    for (int y = 0; y < window->height; y++)
      for (int x = 0; x < window->width; x += step)
        ph_network_run(median->network, kernel->loops, window->in[band] + y * window->pitch + x,
                       window->pitch, VIPS_MIN(step, window->width - x), window->scratch,
                       window->out[band] + y * window->width + x);
}

static int ph_median_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhMedian *median = (PhMedian *)object;
  if (VIPS_OBJECT_CLASS(ph_median_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  median->network = ph_network_new(median->radius);
  median->plan = (PhWindowPlan){.margin = median->radius, .columns = 256,
                                    .scratch = ph_median_scratch, .filter = ph_median_filter};
  return ph_window_output(kernel, &median->plan);
}

static void ph_median_finalize(GObject *object) {
  ph_network_free(((PhMedian *)object)->network);
  G_OBJECT_CLASS(ph_median_parent_class)->finalize(object);
}

static void ph_median_class_init(PhMedianClass *class) {
  G_OBJECT_CLASS(class)->finalize = ph_median_finalize;
  ph_kernel_class_describe(class, "phbatch_median", "median of a square", ph_median_build);
  VIPS_ARG_INT(class, "radius", 10, "Radius", "Pixels on each side of the centre",
               VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhMedian, radius), 1, 5, 1);
}

static void ph_median_init(PhMedian *median) { median->radius = 1; }
