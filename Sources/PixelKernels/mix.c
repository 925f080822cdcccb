#include "mix.h"

#include "kernel.h"

typedef struct {
  PhKernel parent_instance;
  VipsImage *top;
  double opacity;
  /// `in` and `top`; a list that ends with NULL.
  VipsImage *inputs[3];
} PhMix;

typedef PhKernelClass PhMixClass;

G_DEFINE_TYPE(PhMix, ph_mix, ph_kernel_get_type())

static int ph_mix_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  const PhMix *mix = b;
  const PhKernel *kernel = &mix->parent_instance;
  const PhLoops *loops = kernel->loops;
  VipsRegion **regions = sequence;
  const VipsRect *area = &out->valid;
  size_t from_size = VIPS_IMAGE_SIZEOF_ELEMENT(kernel->in);
  size_t to_size = VIPS_IMAGE_SIZEOF_ELEMENT(kernel->out);
  int samples = area->width * kernel->in->Bands;
  float base[PH_BLOCK];
  float top[PH_BLOCK];
  if (vips_reorder_prepare_many(out->im, regions, (VipsRect *)area)) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++) {
    const VipsPel *base_row = VIPS_REGION_ADDR(regions[0], area->left, y);
    const VipsPel *top_row = VIPS_REGION_ADDR(regions[1], area->left, y);
    VipsPel *out_row = VIPS_REGION_ADDR(out, area->left, y);
    for (int i = 0; i < samples; i += PH_BLOCK) {
      int count = VIPS_MIN(PH_BLOCK, samples - i);
      loops->read[kernel->from](base_row + (size_t)i * from_size, base, count);
      loops->read[kernel->from](top_row + (size_t)i * from_size, top, count);
      loops->mix(base, top, (float)mix->opacity, count);
      loops->write[kernel->to](base, out_row + (size_t)i * to_size, count);
    }
  }
  return 0;
}

static int ph_mix_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhMix *mix = (PhMix *)object;
  if (VIPS_OBJECT_CLASS(ph_mix_parent_class)->build(object)) return -1;
  if (vips_image_pio_input(mix->top) || vips_check_uncoded("phbatch_mix", mix->top) ||
      vips_check_size_same("phbatch_mix", kernel->in, mix->top) ||
      vips_check_bands_same("phbatch_mix", kernel->in, mix->top) ||
      vips_check_format_same("phbatch_mix", kernel->in, mix->top))
    return -1;
  mix->inputs[0] = kernel->in;
  mix->inputs[1] = mix->top;
  if (ph_kernel_open_output(kernel, VIPS_DEMAND_STYLE_THINSTRIP, mix->inputs)) return -1;
  return vips_image_generate(kernel->out, vips_start_many, ph_mix_generate, vips_stop_many,
                             mix->inputs, mix);
}

static void ph_mix_class_init(PhMixClass *class) {
  ph_kernel_class_describe(class, "phbatch_mix", "mix two images", ph_mix_build);
  VIPS_ARG_IMAGE(class, "top", 10, "Top", "The image on top", VIPS_ARGUMENT_REQUIRED_INPUT,
                 G_STRUCT_OFFSET(PhMix, top));
  VIPS_ARG_DOUBLE(class, "opacity", 11, "Opacity", "How much of the image on top",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhMix, opacity), 0, 1, 1);
}

static void ph_mix_init(PhMix *mix) { mix->opacity = 1; }
