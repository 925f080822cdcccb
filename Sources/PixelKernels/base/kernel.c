#include "kernel.h"

G_DEFINE_ABSTRACT_TYPE(PhKernel, ph_kernel, VIPS_TYPE_OPERATION)

static const char *nickname(PhKernel *kernel) { return VIPS_OBJECT_GET_CLASS(kernel)->nickname; }

gboolean ph_kernel_translate(PhKernel *kernel, VipsBandFormat format, PhFormat *to) {
  switch (format) {
    case VIPS_FORMAT_UCHAR: *to = PH_UCHAR; return TRUE;
    case VIPS_FORMAT_USHORT: *to = PH_USHORT; return TRUE;
    case VIPS_FORMAT_FLOAT: *to = PH_FLOAT; return TRUE;
    default: vips_error(nickname(kernel), "samples must be uchar, ushort or float"); return FALSE;
  }
}

static int ph_kernel_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  if (VIPS_OBJECT_CLASS(ph_kernel_parent_class)->build(object)) return -1;
  kernel->loops = ph_loops(kernel->portable);
  if (vips_image_pio_input(kernel->in) || vips_check_uncoded(nickname(kernel), kernel->in) ||
      !ph_kernel_translate(kernel, kernel->in->BandFmt, &kernel->from) ||
      !ph_kernel_translate(kernel, kernel->format, &kernel->to))
    return -1;
  if (kernel->tally && kernel->in->Bands > 4) {
    vips_error(nickname(kernel), "%d bands are too many to be counted", kernel->in->Bands);
    return -1;
  }
  return 0;
}

static void ph_kernel_class_init(PhKernelClass *class) {
  ph_kernel_class_describe(class, "phbatch_kernel", "pixel kernels of phbatch", ph_kernel_build);
  VIPS_OPERATION_CLASS(class)->flags = VIPS_OPERATION_SEQUENTIAL | VIPS_OPERATION_NOCACHE;
  VIPS_ARG_IMAGE(class, "in", 1, "Input", "Input image", VIPS_ARGUMENT_REQUIRED_INPUT,
                 G_STRUCT_OFFSET(PhKernel, in));
  VIPS_ARG_IMAGE(class, "out", 2, "Output", "Output image", VIPS_ARGUMENT_REQUIRED_OUTPUT,
                 G_STRUCT_OFFSET(PhKernel, out));
  VIPS_ARG_ENUM(class, "format", 3, "Format", "Sample format of the output",
                VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhKernel, format),
                VIPS_TYPE_BAND_FORMAT, VIPS_FORMAT_UCHAR);
  VIPS_ARG_BOOL(class, "portable", 4, "Portable", "Use the loops for any CPU",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhKernel, portable), FALSE);
  VIPS_ARG_BOXED(class, "tally", 5, "Tally", "Counts the pixels written as integers",
                 VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhKernel, tally),
                 ph_tally_get_type());
}

static void ph_kernel_init(PhKernel *kernel) { kernel->format = VIPS_FORMAT_UCHAR; }

void ph_kernel_class_describe(gpointer class, const char *nickname, const char *description,
                              int (*build)(VipsObject *)) {
  // A GObject class does not inherit these two functions, so each kernel's class must set them.
  G_OBJECT_CLASS(class)->set_property = vips_object_set_property;
  G_OBJECT_CLASS(class)->get_property = vips_object_get_property;
  VipsObjectClass *object = VIPS_OBJECT_CLASS(class);
  object->nickname = nickname;
  object->description = description;
  object->build = build;
}

int ph_kernel_check_rgb(PhKernel *kernel) {
  if (kernel->in->Bands == 3 || kernel->in->Bands == 4) return 0;
  vips_error(nickname(kernel), "the input has %d bands, not 3 or 4", kernel->in->Bands);
  return -1;
}

gboolean ph_kernel_counts(const PhKernel *kernel) {
  // Float output is not clipped.
  return kernel->tally && kernel->to != PH_FLOAT;
}

int ph_kernel_write(const PhKernel *kernel, const float *from, void *to, int samples) {
  int bands = kernel->in->Bands;
  kernel->loops->write[kernel->to](from, to, samples);
  return ph_kernel_counts(kernel) ? kernel->loops->clipped_run[bands - 1](from, samples / bands) : 0;
}

int ph_kernel_pack(const PhKernel *kernel, const PhBlock *block, void *to) {
  kernel->loops->pack[kernel->to][kernel->in->Bands == 4](block, to);
  return ph_kernel_clipped(kernel, block);
}

int ph_kernel_clipped(const PhKernel *kernel, const PhBlock *block) {
  return ph_kernel_counts(kernel) ? kernel->loops->clipped(block) : 0;
}

void ph_kernel_tally(const PhKernel *kernel, const VipsRect *area, int clipped) {
  if (ph_kernel_counts(kernel))
    ph_tally_add(kernel->tally, (uint64_t)area->width * (uint64_t)area->height, (uint64_t)clipped);
}

void ph_kernel_describe(const PhKernel *kernel, VipsImage *image) {
  gboolean grey = image->Bands < 3;
  gboolean deep = kernel->to == PH_USHORT;
  image->BandFmt = kernel->format;
  image->Type = grey ? (deep ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W)
                     : (deep ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB);
}

int ph_kernel_open_output(PhKernel *kernel, VipsDemandStyle hint, VipsImage **inputs) {
  g_object_set(kernel, "out", vips_image_new(), NULL);
  if (vips_image_pipeline_array(kernel->out, hint, inputs)) return -1;
  ph_kernel_describe(kernel, kernel->out);
  return 0;
}

int ph_kernel_read_numbers(const char *nickname, const VipsArrayDouble *array, int count,
                           float *to) {
  int length;
  const double *from = vips_array_double_get((VipsArrayDouble *)(size_t)array, &length);
  if (length != count) {
    vips_error(nickname, "an argument has %d numbers instead of %d", length, count);
    return -1;
  }
  for (int i = 0; i < count; i++) to[i] = (float)from[i];
  return 0;
}
