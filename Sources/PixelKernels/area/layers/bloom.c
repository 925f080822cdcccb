#pragma STDC FP_CONTRACT OFF

#include "layers.h"

/// The operation `phbatch_bloom`: bright areas glow over their surroundings.
///
/// - x: a channel in linear light. It becomes `x + max(0, 1 − x) × g ÷ (1 + g)`. This resembles the
///   blend mode screen, but does not reach white.
/// - g: the glow `amount × Gaussian(x × w)`. The standard deviation of the Gaussian is `sigma`
///   (0.3…250 pixels); `amount` is 0…4.
/// - w: the weight of bright pixels, a smoothstep of the display-encoded BT.709 luma from 0 at
///   `threshold` (0…0.99) to 1 at white.
///
/// The input is RGB, with or without premultiplied alpha; alpha is kept.
///
/// Reach: 3 × sigma pixels. Kind of buffers: neighbours (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  double sigma;
  double amount;
  double threshold;
} PhBloom;

typedef PhKernelClass PhBloomClass;

PH_DEFINE_OPERATION(PhBloom, ph_bloom, ph_kernel_get_type())

/// Converts a block to linear light and weights the light by brightness.
static void ph_bloom_source(const PhKernel *kernel, PhBlock *block) {
  const PhLoops *loops = kernel->loops;
  double threshold = ((const PhBloom *)kernel)->threshold;
  float weight[PH_BLOCK], bright[PH_BLOCK];
  loops->luma(block, bright);
  loops->step[PHBATCH_OP_DECODE](block, NULL);
  for (int i = 0; i < block->count; i++) weight[i] = 1;
  loops->protect(weight, bright, (float)threshold, (float)(1 / (1 - threshold)), block->count);
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < block->count; i++) block->plane[c][i] *= weight[i];
}

static void ph_bloom_combine(const PhKernel *kernel, PhBlock *block, PhBlock *const *layers) {
  float amount = (float)((const PhBloom *)kernel)->amount;
  kernel->loops->step[PHBATCH_OP_DECODE](block, NULL);
  for (int c = 0; c < 3; c++)
    kernel->loops->shine(block->plane[c], layers[0]->plane[c], amount, block->count);
  kernel->loops->step[PHBATCH_OP_ENCODE](block, NULL);
}

static int ph_bloom_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhBloom *bloom = (PhBloom *)object;
  if (VIPS_OBJECT_CLASS(ph_bloom_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  VipsImage *source = ph_layers_source(kernel, bloom->sigma);
  VipsImage *bright = source ? ph_layers_changed(kernel, source, ph_bloom_source) : NULL;
  VipsImage *glow = bright ? ph_layers_blurred(kernel, bright, bloom->sigma) : NULL;
  return glow ? ph_layers_output(kernel, source, &glow, 1, ph_bloom_combine, NULL) : -1;
}

static void ph_bloom_class_init(PhBloomClass *class) {
  ph_kernel_class_describe(class, "phbatch_bloom", "glow of bright parts", ph_bloom_build);
  VIPS_ARG_DOUBLE(class, "sigma", 10, "Sigma", "Standard deviation in pixels",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhBloom, sigma), 0.3, 250, 10);
  VIPS_ARG_DOUBLE(class, "amount", 11, "Amount", "How much light is added",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhBloom, amount), 0, 4, 0);
  VIPS_ARG_DOUBLE(class, "threshold", 12, "Threshold", "Luma from which parts shine",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhBloom, threshold), 0, 0.99, 0.7);
}

static void ph_bloom_init(PhBloom *bloom) {
  bloom->sigma = 10;
  bloom->threshold = 0.7;
}
