#include "base/kernel.h"
#include "bleed.h"

/// The operation `phbatch_bleed`: replaces the colours of transparent pixels by colours
/// interpolated from visible pixels (see bleed.h). Lossy encoders need this, because they also
/// encode the colours of transparent pixels.
///
/// The image has 8-bit or 16-bit samples in two or four bands; the last band is alpha. The result
/// is in memory.
typedef struct {
  VipsOperation parent_instance;
  VipsImage *in;
  VipsImage *out;
} PhBleed;

typedef VipsOperationClass PhBleedClass;

PH_DEFINE_OPERATION(PhBleed, ph_bleed, VIPS_TYPE_OPERATION)

static const char nickname[] = "phbatch_bleed";

static PhSamples band(VipsImage *image, int number) {
  size_t start = (size_t)number * VIPS_IMAGE_SIZEOF_ELEMENT(image);
  return (PhSamples){VIPS_IMAGE_ADDR(image, 0, 0) + start, (int)VIPS_IMAGE_SIZEOF_LINE(image),
                     image->Bands, image->Xsize, image->Ysize,
                     image->BandFmt == VIPS_FORMAT_USHORT};
}

static int ph_bleed_build(VipsObject *object) {
  PhBleed *bleed = (PhBleed *)object;
  if (VIPS_OBJECT_CLASS(ph_bleed_parent_class)->build(object) ||
      vips_check_uncoded(nickname, bleed->in))
    return -1;
  int colours = bleed->in->Bands - 1;
  gboolean is_known =
      bleed->in->BandFmt == VIPS_FORMAT_UCHAR || bleed->in->BandFmt == VIPS_FORMAT_USHORT;
  if (!is_known || (colours != 1 && colours != 3)) {
    vips_error(nickname, "the image has no alpha, or no 8-bit or 16-bit samples");
    return -1;
  }
  g_object_set(bleed, "out", vips_image_new_memory(), NULL);
  if (vips_image_write(bleed->in, bleed->out)) return -1;
  for (int number = 0; number < colours; number++)
    if (ph_bleed_plane(band(bleed->out, number), band(bleed->out, colours), 1, 1)) return -1;
  return 0;
}

static void ph_bleed_class_init(PhBleedClass *class) {
  ph_kernel_class_describe(class, nickname, "fill the colours of transparent pixels",
                           ph_bleed_build);
  VIPS_OPERATION_CLASS(class)->flags = VIPS_OPERATION_SEQUENTIAL | VIPS_OPERATION_NOCACHE;
  VIPS_ARG_IMAGE(class, "in", 1, "Input", "Image with alpha", VIPS_ARGUMENT_REQUIRED_INPUT,
                 G_STRUCT_OFFSET(PhBleed, in));
  VIPS_ARG_IMAGE(class, "out", 2, "Output", "Image in memory", VIPS_ARGUMENT_REQUIRED_OUTPUT,
                 G_STRUCT_OFFSET(PhBleed, out));
}

static void ph_bleed_init(PhBleed *bleed) { (void)bleed; }
