#include "unsharp.h"

#include "neighbourhood.h"

typedef struct {
  PhKernel parent_instance;
  double sigma;
  double amount;
  double threshold;
  PhGaussian gaussian;
} PhUnsharp;

typedef PhKernelClass PhUnsharpClass;

G_DEFINE_TYPE(PhUnsharp, ph_unsharp, ph_kernel_get_type())

static void *ph_unsharp_start(VipsImage *out, void *a, void *b) {
  (void)out, (void)b;
  return ph_neighbourhood_new(a, TRUE);
}

static int ph_unsharp_stop(void *sequence, void *a, void *b) {
  (void)a, (void)b;
  ph_neighbourhood_free(sequence);
  return 0;
}

static int ph_unsharp_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  const PhUnsharp *unsharp = b;
  const PhKernel *kernel = &unsharp->parent_instance;
  PhNeighbourhood *around = sequence;
  PhBlock *block = &around->block;
  const VipsRect *area = &out->valid;
  int alpha = kernel->in->Bands == 4;
  if (ph_neighbourhood_prepare(around, kernel, &unsharp->gaussian, area)) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    for (int x = area->left; x < VIPS_RECT_RIGHT(area); x += PH_BLOCK) {
      block->count = VIPS_MIN(PH_BLOCK, VIPS_RECT_RIGHT(area) - x);
      ph_neighbourhood_filter(around, kernel, &unsharp->gaussian, area, x, y, block->count);
      kernel->loops->unpack[kernel->from][alpha](VIPS_REGION_ADDR(around->source, x, y), block);
      kernel->loops->sharpen(block, around->filtered, (float)unsharp->amount,
                             (float)unsharp->threshold);
      kernel->loops->pack[kernel->to][alpha](block, VIPS_REGION_ADDR(out, x, y));
    }
  return 0;
}

static int ph_unsharp_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhUnsharp *unsharp = (PhUnsharp *)object;
  if (VIPS_OBJECT_CLASS(ph_unsharp_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  unsharp->gaussian = ph_gaussian_new(unsharp->sigma);
  VipsImage *source = ph_neighbourhood_source(kernel, unsharp->gaussian.radius);
  if (!source ||
      ph_kernel_open_output(kernel, VIPS_DEMAND_STYLE_FATSTRIP, (VipsImage *[]){kernel->in, NULL}))
    return -1;
  return vips_image_generate(kernel->out, ph_unsharp_start, ph_unsharp_generate, ph_unsharp_stop,
                             source, unsharp);
}

static void ph_unsharp_finalize(GObject *object) {
  ph_gaussian_clear(&((PhUnsharp *)object)->gaussian);
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
}

static void ph_unsharp_init(PhUnsharp *unsharp) { unsharp->sigma = 1; }
