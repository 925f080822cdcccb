#include <jxl/encode.h>
#include <string.h>

#include "base/kernel.h"

/// The operation `phbatch_jxlsave`: writes a 16-bit image of three bands, or four with alpha last,
/// to `target` as a JPEG XL file for HDR displays.
///
/// The image's fields `cicp-colour-primaries` (1, 9 or 12) and `cicp-transfer-characteristics` (16
/// or 18) are code points of ITU-T H.273. They become the codestream's own description of colours,
/// so that libjxl weights errors by the light that the samples mean; `jxlsave` of libvips writes no
/// code points before 8.19.
///
/// `distance` is Butteraugli's, `effort` is 1…9, `tier` 0…4. One thread encodes.
typedef struct {
  VipsOperation parent_instance;
  VipsImage *in;
  VipsTarget *target;
  double distance;
  int effort;
  int tier;
  gboolean lossless;
} PhJxlSave;

typedef VipsOperationClass PhJxlSaveClass;

PH_DEFINE_OPERATION(PhJxlSave, ph_jxlsave, VIPS_TYPE_OPERATION)

static const char nickname[] = "phbatch_jxlsave";

/// The code point of P3's primaries with the white D65, and of sRGB's primaries.
enum { PH_P3 = 12, PH_BT709 = 1 };

static int fail(const char *words) {
  vips_error(nickname, "%s", words);
  return -1;
}

/// The bytes of a pixel.
static size_t step(const PhJxlSave *save) { return (size_t)save->in->Bands * sizeof(guint16); }

typedef struct {
  const PhJxlSave *save;
  guint8 *pixels;
} PhJxlReader;

static int read_rows(VipsRegion *region, VipsRect *area, void *a) {
  const PhJxlReader *reader = a;
  size_t row = step(reader->save) * (size_t)reader->save->in->Xsize;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    memcpy(reader->pixels + row * (size_t)y, VIPS_REGION_ADDR(region, area->left, y), row);
  return 0;
}

static int set_info(const PhJxlSave *save, JxlEncoder *encoder, gboolean is_pq) {
  JxlBasicInfo info;
  JxlEncoderInitBasicInfo(&info);
  info.xsize = (uint32_t)save->in->Xsize;
  info.ysize = (uint32_t)save->in->Ysize;
  info.bits_per_sample = 16;
  info.num_color_channels = 3;
  info.uses_original_profile = save->lossless;
  // The luminance in cd/m² of the greatest sample.
  info.intensity_target = is_pq ? 10000 : 1000;
  if (save->in->Bands == 4) {
    info.num_extra_channels = 1;
    info.alpha_bits = 16;
  }
  return JxlEncoderSetBasicInfo(encoder, &info) ? fail("libjxl refuses the size") : 0;
}

static int set_colour(JxlEncoder *encoder, int primaries, gboolean is_pq) {
  JxlColorEncoding colour;
  JxlColorEncodingSetToSRGB(&colour, JXL_FALSE);
  colour.primaries = primaries == PH_P3      ? JXL_PRIMARIES_P3
                     : primaries == PH_BT709 ? JXL_PRIMARIES_SRGB
                                             : JXL_PRIMARIES_2100;
  colour.transfer_function = is_pq ? JXL_TRANSFER_FUNCTION_PQ : JXL_TRANSFER_FUNCTION_HLG;
  colour.rendering_intent = JXL_RENDERING_INTENT_RELATIVE;
  return JxlEncoderSetColorEncoding(encoder, &colour) ? fail("libjxl refuses the colours") : 0;
}

static int add_picture(const PhJxlSave *save, JxlEncoder *encoder, const guint8 *pixels) {
  JxlEncoderFrameSettings *settings = JxlEncoderFrameSettingsCreate(encoder, NULL);
  JxlPixelFormat format = {(uint32_t)save->in->Bands, JXL_TYPE_UINT16, JXL_NATIVE_ENDIAN, 0};
  size_t length = step(save) * (size_t)save->in->Xsize * (size_t)save->in->Ysize;
  if (!settings ||
      JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, save->effort) ||
      JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_DECODING_SPEED,
                                       save->tier) ||
      (save->lossless ? JxlEncoderSetFrameLossless(settings, JXL_TRUE)
                      : JxlEncoderSetFrameDistance(settings, (float)save->distance)) ||
      JxlEncoderAddImageFrame(settings, &format, pixels, length))
    return fail("libjxl refuses the picture");
  JxlEncoderCloseInput(encoder);
  return 0;
}

static int write_file(const PhJxlSave *save, JxlEncoder *encoder) {
  static const size_t most = 1 << 16;
  guint8 *buffer = g_try_malloc(most);
  if (!buffer) return fail("memory is short");
  JxlEncoderStatus status = JXL_ENC_NEED_MORE_OUTPUT;
  int failure = 0;
  while (!failure && status == JXL_ENC_NEED_MORE_OUTPUT) {
    guint8 *end = buffer;
    size_t left = most;
    status = JxlEncoderProcessOutput(encoder, &end, &left);
    if (status == JXL_ENC_ERROR) failure = fail("libjxl fails");
    if (!failure) failure = vips_target_write(save->target, buffer, most - left);
  }
  g_free(buffer);
  return failure || vips_target_end(save->target) ? -1 : 0;
}

static int encode(const PhJxlSave *save, const guint8 *pixels) {
  int primaries, transfer;
  if (vips_image_get_int(save->in, "cicp-colour-primaries", &primaries) ||
      vips_image_get_int(save->in, "cicp-transfer-characteristics", &transfer))
    return -1;
  JxlEncoder *encoder = JxlEncoderCreate(NULL);
  if (!encoder) return fail("libjxl cannot start");
  int status = set_info(save, encoder, transfer == 16) ||
                       set_colour(encoder, primaries, transfer == 16) ||
                       add_picture(save, encoder, pixels) || write_file(save, encoder)
                   ? -1
                   : 0;
  JxlEncoderDestroy(encoder);
  return status;
}

static int ph_jxlsave_build(VipsObject *object) {
  PhJxlSave *save = (PhJxlSave *)object;
  if (VIPS_OBJECT_CLASS(ph_jxlsave_parent_class)->build(object) ||
      vips_image_pio_input(save->in) || vips_check_uncoded(nickname, save->in) ||
      vips_check_format(nickname, save->in, VIPS_FORMAT_USHORT) ||
      vips_check_bands_atleast(nickname, save->in, 3))
    return -1;
  if (save->in->Bands > 4) return fail("the input has more than 4 bands");
  size_t length = step(save) * (size_t)save->in->Xsize * (size_t)save->in->Ysize;
  PhJxlReader reader = {save, g_try_malloc(length)};
  if (!reader.pixels) return fail("memory is short");
  int status = vips_sink_disc(save->in, read_rows, &reader) || encode(save, reader.pixels);
  g_free(reader.pixels);
  return status ? -1 : 0;
}

static void ph_jxlsave_class_init(PhJxlSaveClass *class) {
  ph_kernel_class_describe(class, nickname, "write a JPEG XL file for HDR displays",
                           ph_jxlsave_build);
  VIPS_OPERATION_CLASS(class)->flags = VIPS_OPERATION_SEQUENTIAL | VIPS_OPERATION_NOCACHE;
  VIPS_ARG_IMAGE(class, "in", 1, "Input", "Image to write", VIPS_ARGUMENT_REQUIRED_INPUT,
                 G_STRUCT_OFFSET(PhJxlSave, in));
  VIPS_ARG_OBJECT(class, "target", 2, "Target", "Where the file goes",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhJxlSave, target),
                  VIPS_TYPE_TARGET);
  VIPS_ARG_DOUBLE(class, "distance", 10, "Distance", "Butteraugli distance",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJxlSave, distance), 0.05, 15, 1);
  VIPS_ARG_INT(class, "effort", 11, "Effort", "Higher is smaller and slower",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJxlSave, effort), 1, 9, 5);
  VIPS_ARG_INT(class, "tier", 12, "Tier", "Higher is faster to decode",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJxlSave, tier), 0, 4, 0);
  VIPS_ARG_BOOL(class, "lossless", 13, "Lossless", "Keep every sample",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJxlSave, lossless), FALSE);
}

static void ph_jxlsave_init(PhJxlSave *save) {
  save->distance = 1;
  save->effort = 5;
}
