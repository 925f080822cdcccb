#include "layers.h"

/// The operation `phbatch_soften`: the Orton effect, a glow that keeps detail.
///
/// Michael Orton combined an overexposed slide with an overexposed blurred slide. The result is `x
/// + amount × (s(x) × s(Gaussian(x)) − x)` with s(x) = 1 − (1 − x)², which blends x, clamped to
/// 0…1, with itself in screen mode. The input is RGB, with or without premultiplied alpha; alpha is
/// kept. `sigma` is 0.3…250 pixels, `amount` 0…1.
///
/// Reach: 3 × sigma pixels. Kind of buffers: neighbours (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  double sigma;
  double amount;
} PhSoften;

typedef PhKernelClass PhSoftenClass;

PH_DEFINE_OPERATION(PhSoften, ph_soften, ph_kernel_get_type())

static void ph_soften_combine(const PhKernel *kernel, PhBlock *block, PhBlock *const *layers) {
  float amount = (float)((const PhSoften *)kernel)->amount;
  for (int c = 0; c < 3; c++)
    kernel->loops->glow(block->plane[c], layers[0]->plane[c], amount, block->count);
}

static int ph_soften_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhSoften *soften = (PhSoften *)object;
  if (VIPS_OBJECT_CLASS(ph_soften_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  VipsImage *source = ph_layers_source(kernel, soften->sigma);
  VipsImage *blurred = source ? ph_layers_blurred(kernel, source, soften->sigma) : NULL;
  return blurred ? ph_layers_output(kernel, source, &blurred, 1, ph_soften_combine, NULL) : -1;
}

static void ph_soften_class_init(PhSoftenClass *class) {
  ph_kernel_class_describe(class, "phbatch_soften", "Orton effect", ph_soften_build);
  VIPS_ARG_DOUBLE(class, "sigma", 10, "Sigma", "Standard deviation in pixels",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhSoften, sigma), 0.3, 250, 10);
  VIPS_ARG_DOUBLE(class, "amount", 11, "Amount", "How much of the effect",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhSoften, amount), 0, 1, 0);
}

static void ph_soften_init(PhSoften *soften) { soften->sigma = 10; }
