#include "resize.h"

#include <math.h>

#include "resampler.h"

/// Rows of a strip, as libvips asks for them, and what is asked for at once: one row of 128-pixel
/// tiles, or what several threads have under way.
enum { PH_STRIP = 16, PH_ROW_OF_TILES = 192, PH_ROWS_OF_THREADS = 384 };

typedef struct {
  PhKernel parent_instance;
  int width;
  int height;
  VipsKernel kernel;
  gboolean linear;
  PhResampling resampling;
} PhResize;

typedef PhKernelClass PhResizeClass;

G_DEFINE_TYPE(PhResize, ph_resize, ph_kernel_get_type())

static void *ph_resize_start(VipsImage *out, void *a, void *b) {
  (void)out;
  return ph_resampler_new(a, b);
}

static int ph_resize_stop(void *sequence, void *a, void *b) {
  (void)a, (void)b;
  ph_resampler_free(sequence);
  return 0;
}

static int ph_resize_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)b, (void)stop;
  return ph_resampler_fill(sequence, out);
}

/// The image behind a cache of at least `rows` rows.
static VipsImage *cached(PhKernel *kernel, VipsImage *image, double rows) {
  VipsImage **cache = (VipsImage **)vips_object_local_array(VIPS_OBJECT(kernel), 1);
  int strips = (int)fmin(ceil(rows / PH_STRIP), image->Ysize / PH_STRIP + 1);
  if (vips_tilecache(image, &cache[0], "tile_width", image->Xsize, "tile_height", PH_STRIP,
                     "max_tiles", strips, "access", VIPS_ACCESS_SEQUENTIAL, "threaded", TRUE, NULL))
    return NULL;
  return cache[0];
}

/// Output rows that may be asked for in any order.
static int window(const PhKernel *kernel) {
  int threads = vips_image_get_concurrency(kernel->in, vips_concurrency_get());
  return threads > 1 ? PH_ROWS_OF_THREADS : PH_ROW_OF_TILES;
}

/// The image that the core reads. A file that is decoded row by row is read forwards; by one thread
/// with sums that go on, exactly so.
static VipsImage *source(PhResize *resize) {
  PhKernel *kernel = &resize->parent_instance;
  const PhAxis *down = &resize->resampling.down;
  gboolean forwards = window(kernel) == PH_ROW_OF_TILES && ph_resampling_carries(&resize->resampling);
  if (kernel->in->dtype != VIPS_IMAGE_PARTIAL || forwards) return kernel->in;
  double ratio = (double)down->from / down->to;
  return cached(kernel, kernel->in, down->taps + ceil(ratio * window(kernel)) + PH_STRIP);
}

/// The samples of the output, in whole strips if the input has to be read forwards.
static VipsImage *core(PhResize *resize) {
  PhKernel *kernel = &resize->parent_instance;
  VipsImage *from = source(resize);
  VipsImage **made = (VipsImage **)vips_object_local_array(VIPS_OBJECT(kernel), 1);
  made[0] = vips_image_new();
  if (!from || vips_image_pipelinev(made[0], VIPS_DEMAND_STYLE_FATSTRIP, from, NULL)) return NULL;
  ph_kernel_describe(kernel, made[0]);
  made[0]->Xsize = resize->width;
  made[0]->Ysize = resize->height;
  if (vips_image_generate(made[0], ph_resize_start, ph_resize_generate, ph_resize_stop, from,
                          &resize->resampling))
    return NULL;
  return kernel->in->dtype == VIPS_IMAGE_PARTIAL ? cached(kernel, made[0], window(kernel)) : made[0];
}

static int check(const PhResize *resize) {
  const PhKernel *kernel = &resize->parent_instance;
  if (kernel->in->Bands > 4) {
    vips_error("phbatch_resize", "the input has %d bands, not 1 to 4", kernel->in->Bands);
    return -1;
  }
  if (resize->kernel == VIPS_KERNEL_NEAREST) {
    vips_error("phbatch_resize", "the kernel nearest is not one that averages");
    return -1;
  }
  return 0;
}

static int ph_resize_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhResize *resize = (PhResize *)object;
  PhResampling *resampling = &resize->resampling;
  if (VIPS_OBJECT_CLASS(ph_resize_parent_class)->build(object) || check(resize)) return -1;
  static const PhAlpha alphas[] = {PH_OPAQUE, PH_GREY_ALPHA, PH_OPAQUE, PH_RGB_ALPHA};
  resampling->kernel = kernel;
  resampling->alpha = alphas[kernel->in->Bands - 1];
  resampling->linear = resize->linear;
  for (int i = 0; i < 256; i++) resampling->light[i] = (float)i / 255;
  kernel->loops->decode_run[PH_OPAQUE](resampling->light, 256);
  if (ph_axis_init(&resampling->across, resize->kernel, kernel->in->Xsize, resize->width) ||
      ph_axis_init(&resampling->down, resize->kernel, kernel->in->Ysize, resize->height))
    return -1;
  resampling->sums = ph_resampling_sums(resampling);
  VipsImage *made = core(resize);
  if (!made) return -1;
  g_object_set(kernel, "out", vips_image_new(), NULL);
  return vips_image_write(made, kernel->out);
}

static void ph_resize_finalize(GObject *object) {
  PhResampling *resampling = &((PhResize *)object)->resampling;
  ph_axis_clear(&resampling->across);
  ph_axis_clear(&resampling->down);
  G_OBJECT_CLASS(ph_resize_parent_class)->finalize(object);
}

static void ph_resize_class_init(PhResizeClass *class) {
  G_OBJECT_CLASS(class)->finalize = ph_resize_finalize;
  ph_kernel_class_describe(class, "phbatch_resize", "resample to a size", ph_resize_build);
  VIPS_ARG_INT(class, "width", 10, "Width", "Pixels in a row of the output",
               VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhResize, width), 1, VIPS_MAX_COORD,
               1);
  VIPS_ARG_INT(class, "height", 11, "Height", "Rows of the output", VIPS_ARGUMENT_REQUIRED_INPUT,
               G_STRUCT_OFFSET(PhResize, height), 1, VIPS_MAX_COORD, 1);
  VIPS_ARG_ENUM(class, "kernel", 12, "Kernel", "How samples are weighted",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhResize, kernel), VIPS_TYPE_KERNEL,
                VIPS_KERNEL_LANCZOS3);
  VIPS_ARG_BOOL(class, "linear", 13, "Linear", "Average light rather than encoded samples",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhResize, linear), FALSE);
}

static void ph_resize_init(PhResize *resize) { resize->kernel = VIPS_KERNEL_LANCZOS3; }
