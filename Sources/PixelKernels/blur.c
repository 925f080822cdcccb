#include "blur.h"

#include "neighbourhood.h"

typedef struct {
  PhKernel parent_instance;
  double sigma;
  PhGaussian gaussian;
} PhBlur;

typedef PhKernelClass PhBlurClass;

G_DEFINE_TYPE(PhBlur, ph_blur, ph_kernel_get_type())

static void *ph_blur_start(VipsImage *out, void *a, void *b) {
  (void)out, (void)b;
  return ph_neighbourhood_new(a, PH_BANDS, 0);
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
  if (ph_neighbourhood_prepare(around, kernel, &blur->gaussian, area)) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    for (int x = area->left; x < VIPS_RECT_RIGHT(area); x += PH_BLOCK) {
      int count = VIPS_MIN(PH_BLOCK, VIPS_RECT_RIGHT(area) - x);
      ph_neighbourhood_filter(around, kernel, &blur->gaussian, area, x, y, count);
      kernel->loops->write[kernel->to](around->filtered, VIPS_REGION_ADDR(out, x, y),
                                       count * around->values);
    }
  return 0;
}

static int ph_blur_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhBlur *blur = (PhBlur *)object;
  if (VIPS_OBJECT_CLASS(ph_blur_parent_class)->build(object)) return -1;
  blur->gaussian = ph_gaussian_new(blur->sigma);
  VipsImage *source = ph_neighbourhood_source(kernel, blur->gaussian.radius);
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
  ph_kernel_class_describe(class, "phbatch_blur", "Gaussian blur of all bands", ph_blur_build);
  VIPS_ARG_DOUBLE(class, "sigma", 10, "Sigma", "Standard deviation in pixels",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhBlur, sigma), 0.3, 250, 1);
}

static void ph_blur_init(PhBlur *blur) { blur->sigma = 1; }
