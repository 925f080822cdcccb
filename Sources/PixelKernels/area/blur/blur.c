#include <math.h>

#include "base/row_cache.h"
#include "knots.h"
#include "neighbourhood.h"

/// The operation `phbatch_blur`: a Gaussian or box blur of an image with any number of bands.
///
/// `sigma` is 0.3…250 pixels; with `box` it is the radius of the square over which the mean is
/// computed. Alpha is blurred like any other band, so the caller must premultiply first. If `sigma`
/// is at least 8.5, the kernel blurs a reduced image (see knots.h), so that a larger sigma costs
/// less.
///
/// Reach: 3 × sigma, or sigma with `box`, in pixels. Kind of buffers: neighbours (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  double sigma;
  gboolean box;
  int step;
  PhGaussian gaussian;
} PhBlur;

typedef PhKernelClass PhBlurClass;

PH_DEFINE_OPERATION(PhBlur, ph_blur, ph_kernel_get_type())

static void *ph_blur_start(VipsImage *out, void *a, void *b) {
  (void)out, (void)b;
  return ph_neighbourhood_new(a, PH_BANDS, 0, 0);
}

static int ph_blur_stop(void *sequence, void *a, void *b) {
  (void)a, (void)b;
  ph_neighbourhood_free(sequence);
  return 0;
}

static int ph_blur_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  const PhBlur *blur = b;
  const PhKernel *kernel = &blur->parent_instance;
  PhNeighbourhood *around = sequence;
  const VipsRect *area = &out->valid;
  int clipped = 0;
  if (ph_neighbourhood_prepare(around, kernel, &blur->gaussian, area)) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    for (int x = area->left; x < VIPS_RECT_RIGHT(area); x += PH_BLOCK) {
      int count = VIPS_MIN(PH_BLOCK, VIPS_RECT_RIGHT(area) - x);
      ph_neighbourhood_filter(around, kernel, &blur->gaussian, area, x, y, count);
      clipped += ph_kernel_write(kernel, around->filtered, VIPS_REGION_ADDR(out, x, y),
                                 count * around->values);
    }
  ph_kernel_tally(kernel, area, clipped);
  return 0;
}

/// Returns the number of pixels between two knots: a power of two, or 1 if the kernel blurs the
/// image itself. Knots are the pixels of a reduced image; see knots.h.
///
/// The blurred knots are interpolated linearly. If sigma is at least 4.25 times the distance
/// between knots, an edge from 0 to 1 deviates from the true Gaussian by less than 0.8/255; 0.4/255
/// of this come from cutting the Gaussian off at 3 sigma.
static int knot_step(double sigma) {
  int step = 1;
  while (sigma / (2 * step) >= 4.25) step *= 2;
  return step;
}

/// Reduces the image to knots, blurs the knots, and interpolates between them. The blur of the
/// knots has a lower variance than `sigma`²: the tent filter of the reduction and the interpolation
/// contribute (step² − 1) ÷ 6 each.
static int blur_knots(PhBlur *blur, int step) {
  PhKernel *kernel = &blur->parent_instance;
  VipsImage *source = ph_row_cache_input(kernel, step, 1);
  VipsImage *knots = source ? ph_knots_new(kernel, source, step) : NULL;
  VipsImage **blurred = (VipsImage **)vips_object_local_array(VIPS_OBJECT(kernel), 1);
  double variance = blur->sigma * blur->sigma - (step * step - 1) / 3.0;
  if (!knots || vips_call("phbatch_blur", knots, &blurred[0], VIPS_FORMAT_FLOAT,
                          sqrt(variance) / step, "step", step, "portable", kernel->portable, NULL))
    return -1;
  return ph_knots_output(kernel, blurred[0], step);
}

static int ph_blur_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhBlur *blur = (PhBlur *)object;
  if (VIPS_OBJECT_CLASS(ph_blur_parent_class)->build(object)) return -1;
  int step = blur->step > 1 || blur->box ? 1 : knot_step(blur->sigma);
  if (step > 1) return blur_knots(blur, step);
  blur->gaussian = blur->box ? ph_gaussian_box(blur->sigma) : ph_gaussian_new(blur->sigma);
  VipsImage *source = ph_row_cache_input(kernel, blur->gaussian.radius, blur->step);
  if (!source ||
      ph_kernel_open_output(kernel, VIPS_DEMAND_STYLE_FATSTRIP, (VipsImage *[]){kernel->in, NULL}))
    return -1;
  return vips_image_generate(kernel->out, ph_blur_start, ph_blur_generate, ph_blur_stop, source,
                             blur);
}

static void ph_blur_finalize(GObject *object) {
  ph_gaussian_clear(&((PhBlur *)object)->gaussian);
  G_OBJECT_CLASS(ph_blur_parent_class)->finalize(object);
}

static void ph_blur_class_init(PhBlurClass *class) {
  G_OBJECT_CLASS(class)->finalize = ph_blur_finalize;
  ph_kernel_class_describe(class, "phbatch_blur", "blur of all bands", ph_blur_build);
  VIPS_ARG_DOUBLE(class, "sigma", 10, "Sigma", "Standard deviation in pixels",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhBlur, sigma), 0.3, 250, 1);
  VIPS_ARG_BOOL(class, "box", 12, "Box", "The mean of a square of radius sigma",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhBlur, box), FALSE);
  VIPS_ARG_INT(class, "step", 11, "Step", "Pixels of the photo to a pixel of the image",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhBlur, step), 1, 1000, 1);
}

static void ph_blur_init(PhBlur *blur) {
  blur->sigma = 1;
  blur->step = 1;
}
