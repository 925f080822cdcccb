#include "base/kernel.h"
#include "part.h"
#include "resampler.h"

/// The number of rows computed at a time.
enum { PH_STRIP = 16 };

/// The operation `phbatch_resize`: resizes an image to exactly `width` × `height`.
///
/// The input has one to four bands; the last of two or four is alpha. Colours are multiplied by
/// alpha before they are averaged, and divided by alpha afterwards. `kernel` is linear, cubic
/// (Catmull-Rom), mitchell, lanczos2 or lanczos3 (the default). With `linear`, sRGB-encoded samples
/// are averaged as linear light. `left`, `top`, `across` and `down` select a part of the input.
/// Weights and sums are 32-bit float. Reductions of any ratio use every input sample, without a
/// preceding box filter; the cost of an input sample does not depend on the ratio.
///
/// Memory for each thread: 14 to 16 sums and eight rows, as wide as the input, with 4 bytes a
/// sample, independent of the ratio.
///
/// Reach: the kernel's radius × the reduction. Kind of buffers: sums (see kernel.h). If the input
/// is not in memory, one thread at a time computes the kernel.
typedef struct {
  PhKernel parent_instance;
  int width;
  int height;
  VipsKernel kernel;
  gboolean linear;
  PhPart part;
  PhResampling resampling;
  /// The state that the threads use in turn, if the input is not in memory and is read from the top
  /// down.
  PhResampler *forwards;
} PhResize;

typedef PhKernelClass PhResizeClass;

PH_DEFINE_OPERATION(PhResize, ph_resize, ph_kernel_get_type())

/// The state of one thread.
typedef struct {
  VipsRegion *source;
  PhResampler *resampler;
  gboolean is_own;
} PhResizeSequence;

static int ph_resize_stop(void *sequence, void *a, void *b) {
  (void)a, (void)b;
  PhResizeSequence *own = sequence;
  VIPS_UNREF(own->source);
  if (own->is_own) ph_resampler_free(own->resampler);
  g_free(own);
  return 0;
}

static void *ph_resize_start(VipsImage *out, void *a, void *b) {
  (void)out;
  PhResize *resize = b;
  gboolean is_own = !resize->forwards;
  PhResampler *resampler = is_own ? ph_resampler_new(&resize->resampling) : resize->forwards;
  if (!resampler) return NULL;
  PhResizeSequence *own = g_new(PhResizeSequence, 1);
  *own = (PhResizeSequence){vips_region_new(a), resampler, is_own};
  return own;
}

static int ph_resize_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  const PhResizeSequence *own = sequence;
  const PhResize *resize = b;
  const VipsRect *area = &out->valid;
  int clipped = 0;
  if (ph_resampler_fill(own->resampler, own->source, area,
                        VIPS_REGION_ADDR(out, area->left, area->top),
                        (size_t)VIPS_REGION_LSKIP(out), &clipped))
    return -1;
  ph_kernel_tally(&resize->parent_instance, area, clipped);
  return 0;
}

/// Returns the input of an enlargement with a cache of the rows that neighbouring groups of eight
/// output rows share.
static VipsImage *cached(PhResize *resize) {
  PhKernel *kernel = &resize->parent_instance;
  VipsImage **cache = (VipsImage **)vips_object_local_array(VIPS_OBJECT(kernel), 1);
  int rows = resize->resampling.down.taps + PH_LANES;
  if (vips_tilecache(kernel->in, &cache[0], "tile_width", kernel->in->Xsize, "tile_height",
                     PH_STRIP, "max_tiles", rows / PH_STRIP + 2, "access", VIPS_ACCESS_SEQUENTIAL,
                     NULL))
    return NULL;
  return cache[0];
}

/// Creates the output. All threads read an input in memory concurrently. Any other input is read by
/// one thread at a time, from the top down, so that a file that is decoded row by row is read once
/// and in order.
static VipsImage *resized(PhResize *resize) {
  PhKernel *kernel = &resize->parent_instance;
  PhResampling *resampling = &resize->resampling;
  VipsImage **made = (VipsImage **)vips_object_local_array(VIPS_OBJECT(kernel), 2);
  gboolean forwards = kernel->in->dtype == VIPS_IMAGE_PARTIAL;
  if (forwards && !(resize->forwards = ph_resampler_new(resampling))) return NULL;
  VipsImage *source =
      forwards && !ph_resampling_carries(resampling) ? cached(resize) : kernel->in;
  made[0] = vips_image_new();
  if (!source || vips_image_pipelinev(made[0], VIPS_DEMAND_STYLE_FATSTRIP, kernel->in, NULL))
    return NULL;
  ph_kernel_describe(kernel, made[0]);
  made[0]->Xsize = resize->width;
  made[0]->Ysize = resize->height;
  if (vips_image_generate(made[0], ph_resize_start, ph_resize_generate, ph_resize_stop, source,
                          resize))
    return NULL;
  if (!forwards) return made[0];
  return vips_sequential(made[0], &made[1], "tile_height", PH_STRIP, NULL) ? NULL : made[1];
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
  resampling->loops = kernel->loops;
  resampling->place.rows = 1;
  resampling->bands = kernel->in->Bands;
  resampling->from = kernel->from;
  resampling->to = kernel->to;
  resampling->counts = ph_kernel_counts(kernel);
  resampling->alpha = alphas[kernel->in->Bands - 1];
  resampling->linear = resize->linear;
  for (int i = 0; i < 256; i++) resampling->light[i] = (float)i / 255;
  kernel->loops->decode_run[PH_OPAQUE](resampling->light, 256);
  const PhPart *part = &resize->part;
  int across = kernel->in->Xsize, down = kernel->in->Ysize;
  if (ph_axis_init(&resampling->across, resize->kernel, across, part->left * across,
                   part->across * across, resize->width) ||
      ph_axis_init(&resampling->down, resize->kernel, down, part->top * down, part->down * down,
                   resize->height))
    return -1;
  resampling->sums = ph_resampling_sums(resampling);
  VipsImage *made = resized(resize);
  if (!made) return -1;
  g_object_set(kernel, "out", vips_image_new(), NULL);
  return vips_image_write(made, kernel->out);
}

static void ph_resize_finalize(GObject *object) {
  PhResize *resize = (PhResize *)object;
  PhResampling *resampling = &resize->resampling;
  ph_resampler_free(resize->forwards);
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
  ph_part_arguments(VIPS_OBJECT_CLASS(class), G_STRUCT_OFFSET(PhResize, part));
}

static void ph_resize_init(PhResize *resize) {
  resize->kernel = VIPS_KERNEL_LANCZOS3;
  resize->part = (PhPart){0, 0, 1, 1};
}
