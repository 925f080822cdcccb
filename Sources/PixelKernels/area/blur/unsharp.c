#include <string.h>

#include "base/alpha.h"
#include "base/row_cache.h"
#include "neighbourhood.h"
#include "point/program.h"

/// The operation `phbatch_unsharp`: sharpens an RGB image by the unsharp mask of its luma.
///
/// - Y: the BT.709 luma of the samples.
/// - d: the detail `Y − Gaussian(Y)`; the Gaussian has the standard deviation `sigma` (0.3…50
///   pixels).
/// - Change: `amount × sign(d) × max(0, |d| − threshold)`, which is added to R, G and B. `amount`
///   is 0…10, `threshold` 0…1.
/// - `edges` (0…1): protects flat areas. The change is multiplied by a smoothstep of the standard
///   deviation of Y under the same Gaussian, from 0 at `edges × 0.1 × (1 − falloff)` to 1 at `edges
///   × 0.1 × (1 + falloff)`. `falloff` is 0…1, 0.5 if not given.
/// - `halo` (0…1): the fraction by which overshoot is reduced. Overshoot is the part of the change
///   that moves luma out of the range of Y in the square of radius r = max(1, ⌊sigma + ½⌋). The
///   minima and the maxima are averaged over a square of at most the same radius: first those of
///   each column, whose averages then give those of the rows. A turned photo therefore changes by a
///   few levels where its edges are curved.
/// - `smoothing` (0…0.3, 0 if not given): if `smoothing × sigma` is at least 0.3, overshoot is also
///   measured in S, the Gaussian of Y with this standard deviation: the part of the change of S that
///   moves S out of the range of S. The fraction `halo` of this is removed, or of the overshoot of Y
///   if that removes more. Details that a smaller rendition does not have then hardly count.
/// - `program`: a point program as for `phbatch_point`, but without images and without TABLE. The
///   kernel runs it over the sharpened pixels, which are premultiplied if the input is.
///
/// With premultiplied alpha, all values are computed from unpremultiplied colours, means are
/// weighted by alpha, and minima and maxima ignore transparent pixels; alpha is kept.
///
/// Reach: 3 × sigma pixels. Kind of buffers: neighbours (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  double sigma;
  double amount;
  double threshold;
  double edges;
  double falloff;
  double halo;
  double smoothing;
  VipsBlob *blob;
  PhProgram *program;
  PhGaussian gaussian;
} PhUnsharp;

typedef PhKernelClass PhUnsharpClass;

PH_DEFINE_OPERATION(PhUnsharp, ph_unsharp, ph_kernel_get_type())

/// The standard deviation of luma that is treated as an edge if `edges` is 1.
static const double ph_firm_edge = 0.1;

static void *ph_unsharp_start(VipsImage *out, void *a, void *b) {
  (void)out;
  const PhUnsharp *unsharp = b;
  int reach = unsharp->halo > 0 ? VIPS_MAX(1, (int)(unsharp->sigma + 0.5)) : 0;
  return ph_neighbourhood_new(a, unsharp->edges > 0 ? PH_LUMA_SQUARES : PH_LUMA, reach,
                              unsharp->smoothing * unsharp->sigma);
}

static int ph_unsharp_stop(void *sequence, void *a, void *b) {
  (void)a, (void)b;
  ph_neighbourhood_free(sequence);
  return 0;
}

/// Computes the change of a luma: the amount of its detail, and less of it in flat areas.
static void sharpen_luma(const PhUnsharp *unsharp, const float *luma, const float *blurred,
                         const float *deviation, float *change, int count) {
  const PhLoops *loops = unsharp->parent_instance.loops;
  loops->detail(luma, blurred, (float)unsharp->amount, (float)unsharp->threshold, change, count);
  if (unsharp->edges == 0) return;
  double edge = unsharp->edges * ph_firm_edge;
  double width = VIPS_MAX(2 * edge * unsharp->falloff, 1e-6);
  loops->protect(change, deviation, (float)(edge * (1 - unsharp->falloff)), (float)(1 / width),
                 count);
}

/// Sharpens a block. Its neighbourhood must already be filtered.
static void sharpen(const PhUnsharp *unsharp, PhNeighbourhood *around) {
  const PhLoops *loops = unsharp->parent_instance.loops;
  PhBlock *block = &around->block;
  int count = block->count;
  float luma[PH_BLOCK], change[PH_BLOCK], mean[PH_BLOCK], deviation[PH_BLOCK];
  const float *blurred = around->filtered;
  if (unsharp->edges > 0) {
    loops->contrast(around->filtered, mean, deviation, count);
    blurred = mean;
  }
  loops->luma(block, luma);
  sharpen_luma(unsharp, luma, blurred, deviation, change, count);
  if (unsharp->halo > 0 && around->smooth) {
    float coarse[PH_BLOCK], before[PH_BLOCK], free[PH_BLOCK];
    sharpen_luma(unsharp, around->smooth, blurred, deviation, coarse, count);
    memcpy(before, coarse, (size_t)count * sizeof(float));
    loops->restrain(around->smooth, around->smooth_low, around->smooth_high, (float)unsharp->halo,
                    coarse, count);
    memcpy(free, change, (size_t)count * sizeof(float));
    loops->restrain(luma, around->low, around->high, (float)unsharp->halo, change, count);
    for (int i = 0; i < count; i++) {
      float held = free[i] + (coarse[i] - before[i]);
      int is_above = change[i] < free[i] && change[i] < held;
      int is_below = change[i] > free[i] && change[i] > held;
      if (!is_above && !is_below) change[i] = held;
    }
  } else if (unsharp->halo > 0) {
    loops->restrain(luma, around->low, around->high, (float)unsharp->halo, change, count);
  }
  loops->lighten(block, change);
}

static int ph_unsharp_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  const PhUnsharp *unsharp = b;
  const PhKernel *kernel = &unsharp->parent_instance;
  PhNeighbourhood *around = sequence;
  PhBlock *block = &around->block;
  const VipsRect *area = &out->valid;
  int alpha = kernel->in->Bands == 4;
  int clipped = 0;
  block->bands = kernel->in->Bands;
  if (ph_neighbourhood_prepare(around, kernel, &unsharp->gaussian, area)) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    for (int x = area->left; x < VIPS_RECT_RIGHT(area); x += PH_BLOCK) {
      block->count = VIPS_MIN(PH_BLOCK, VIPS_RECT_RIGHT(area) - x);
      ph_neighbourhood_filter(around, kernel, &unsharp->gaussian, area, x, y, block->count);
      kernel->loops->unpack[kernel->from][alpha](VIPS_REGION_ADDR(around->source, x, y), block);
      if (alpha) ph_unpremultiply(block);
      sharpen(unsharp, around);
      if (alpha) ph_premultiply(block);
      if (unsharp->program) {
        block->left = x;
        block->top = y;
        clipped += ph_program_run(unsharp->program, kernel, block);
      }
      clipped += ph_kernel_pack(kernel, block, VIPS_REGION_ADDR(out, x, y));
    }
  ph_kernel_tally(kernel, area, clipped);
  return 0;
}

static int ph_unsharp_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhUnsharp *unsharp = (PhUnsharp *)object;
  if (VIPS_OBJECT_CLASS(ph_unsharp_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  if (unsharp->blob) {
    size_t length;
    const void *bytes = vips_blob_get(unsharp->blob, &length);
    unsharp->program = ph_program_read("phbatch_unsharp", bytes, length, (PhProgramInput){0});
    if (!unsharp->program) return -1;
  }
  unsharp->gaussian = ph_gaussian_new(unsharp->sigma);
  VipsImage *source = ph_row_cache_input(kernel, unsharp->gaussian.radius, 1);
  if (!source ||
      ph_kernel_open_output(kernel, VIPS_DEMAND_STYLE_FATSTRIP, (VipsImage *[]){kernel->in, NULL}))
    return -1;
  return vips_image_generate(kernel->out, ph_unsharp_start, ph_unsharp_generate, ph_unsharp_stop,
                             source, unsharp);
}

static void ph_unsharp_finalize(GObject *object) {
  ph_gaussian_clear(&((PhUnsharp *)object)->gaussian);
  ph_program_free(((PhUnsharp *)object)->program);
  G_OBJECT_CLASS(ph_unsharp_parent_class)->finalize(object);
}

static void ph_unsharp_class_init(PhUnsharpClass *class) {
  G_OBJECT_CLASS(class)->finalize = ph_unsharp_finalize;
  ph_kernel_class_describe(class, "phbatch_unsharp", "sharpen by the unsharp mask of luma",
                           ph_unsharp_build);
  VIPS_ARG_DOUBLE(class, "sigma", 10, "Sigma", "Standard deviation in pixels",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhUnsharp, sigma), 0.3, 50, 1);
  VIPS_ARG_DOUBLE(class, "amount", 11, "Amount", "Factor of the difference",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhUnsharp, amount), 0, 10, 0);
  VIPS_ARG_DOUBLE(class, "threshold", 12, "Threshold", "Differences of luma to leave alone",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhUnsharp, threshold), 0, 1, 0);
  VIPS_ARG_DOUBLE(class, "edges", 13, "Edges", "How strong an edge must be",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhUnsharp, edges), 0, 1, 0);
  VIPS_ARG_DOUBLE(class, "falloff", 14, "Falloff", "How gradually edges count",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhUnsharp, falloff), 0, 1, 0.5);
  VIPS_ARG_DOUBLE(class, "halo", 15, "Halo", "How firmly overshoot is held back",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhUnsharp, halo), 0, 1, 0);
  VIPS_ARG_DOUBLE(class, "smoothing", 17, "Smoothing", "Part of sigma that overshoot ignores",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhUnsharp, smoothing), 0, 0.3, 0);
  VIPS_ARG_BOXED(class, "program", 16, "Program", "Point program on what is sharp",
                 VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhUnsharp, blob), VIPS_TYPE_BLOB);
}

static void ph_unsharp_init(PhUnsharp *unsharp) {
  unsharp->sigma = 1;
  unsharp->falloff = 0.5;
}
