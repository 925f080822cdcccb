#include <jxl/encode.h>
#include <string.h>

#include "base/kernel.h"
#include "threads.h"

/// The operation `phbatch_jxlsave`: writes a 16-bit image with 1…4 bands (the last of 2 or 4 is
/// alpha) to `target` as a JPEG XL file.
///
/// The operation replaces `jxlsave` of libvips for HDR displays and for 10 and 12 bits; see
/// work_arounds.h.
///
/// The colours are described by the image's field `cicp-transfer-characteristics` if it is 16 or 18
/// (PQ or HLG in ITU-T H.273), with `cicp-colour-primaries` 1, 9 or 12; otherwise by its profile;
/// without one they are sRGB. libjxl weights errors by the light that the samples mean.
///
/// `distance` is Butteraugli's, `effort` is 1…9, `tier` 0…4. `bitdepth` is the number of bits that
/// the file states: 10, 12 or 16. A lossless file has samples rounded to that depth; a lossy file is
/// encoded from all 16 bits. The image's field `concurrency` states the number of threads, which
/// does not change the file.
typedef struct {
  VipsOperation parent_instance;
  VipsImage *in;
  VipsTarget *target;
  double distance;
  int effort;
  int tier;
  int depth;
  gboolean lossless;
} PhJxlSave;

typedef VipsOperationClass PhJxlSaveClass;

PH_DEFINE_OPERATION(PhJxlSave, ph_jxlsave, VIPS_TYPE_OPERATION)

static const char nickname[] = "phbatch_jxlsave";

/// Code points of P3's primaries with the white D65, of sRGB's primaries, and of PQ and HLG.
enum { PH_P3 = 12, PH_BT709 = 1, PH_PQ = 16, PH_HLG = 18 };

static int fail(const char *words) {
  vips_error(nickname, "%s", words);
  return -1;
}

/// The bytes of a pixel.
static size_t step(const PhJxlSave *save) { return (size_t)save->in->Bands * sizeof(guint16); }

static gboolean has_alpha(const PhJxlSave *save) { return save->in->Bands % 2 == 0; }

/// The value of an integer field, or 0 if the image does not have the field.
static int field(const PhJxlSave *save, const char *name) {
  int number;
  if (!vips_image_get_typeof(save->in, name) || vips_image_get_int(save->in, name, &number))
    return 0;
  return number;
}

/// The code point of the transfer function, if it is for HDR displays; otherwise 0.
static int hdr_transfer(const PhJxlSave *save) {
  int transfer = field(save, "cicp-transfer-characteristics");
  return transfer == PH_PQ || transfer == PH_HLG ? transfer : 0;
}

typedef struct {
  const PhJxlSave *save;
  guint16 *samples;
} PhJxlReader;

/// Rounds samples to the nearest levels of a lower bit depth, and scales these to 16 bits.
///
/// libjxl then finds each level exactly. From all 16 bits it would compute with 32-bit floats, which
/// round some samples the other way.
static void round_samples(guint16 *samples, size_t count, int depth) {
  const guint32 white = (1u << depth) - 1;
  for (size_t i = 0; i < count; i++) {
    guint32 level = (samples[i] * white + 32767) / 65535;
    samples[i] = (guint16)((level * 65535 + white / 2) / white);
  }
}

static int read_rows(VipsRegion *region, VipsRect *area, void *a) {
  const PhJxlReader *reader = a;
  const PhJxlSave *save = reader->save;
  size_t row = (size_t)save->in->Xsize * (size_t)save->in->Bands;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++) {
    guint16 *samples = reader->samples + row * (size_t)y;
    memcpy(samples, VIPS_REGION_ADDR(region, area->left, y), row * sizeof *samples);
    if (save->lossless && save->depth < 16) round_samples(samples, row, save->depth);
  }
  return 0;
}

static int set_info(const PhJxlSave *save, JxlEncoder *encoder) {
  JxlBasicInfo info;
  JxlEncoderInitBasicInfo(&info);
  info.xsize = (uint32_t)save->in->Xsize;
  info.ysize = (uint32_t)save->in->Ysize;
  info.bits_per_sample = (uint32_t)save->depth;
  info.num_color_channels = save->in->Bands < 3 ? 1 : 3;
  info.uses_original_profile = save->lossless;
  int transfer = hdr_transfer(save);
  // The luminance in cd/m² of the greatest sample.
  if (transfer) info.intensity_target = transfer == PH_PQ ? 10000 : 1000;
  if (has_alpha(save)) {
    info.num_extra_channels = 1;
    info.alpha_bits = info.bits_per_sample;
  }
  return JxlEncoderSetBasicInfo(encoder, &info) ? fail("libjxl refuses the size") : 0;
}

static int set_colour(const PhJxlSave *save, JxlEncoder *encoder) {
  int transfer = hdr_transfer(save);
  JxlEncoderStatus status;
  if (!transfer && vips_image_get_typeof(save->in, VIPS_META_ICC_NAME)) {
    const void *profile;
    size_t length;
    if (vips_image_get_blob(save->in, VIPS_META_ICC_NAME, &profile, &length)) return -1;
    status = JxlEncoderSetICCProfile(encoder, profile, length);
  } else {
    JxlColorEncoding colour;
    JxlColorEncodingSetToSRGB(&colour, save->in->Bands < 3);
    if (transfer) {
      int primaries = field(save, "cicp-colour-primaries");
      colour.primaries = primaries == PH_P3      ? JXL_PRIMARIES_P3
                         : primaries == PH_BT709 ? JXL_PRIMARIES_SRGB
                                                 : JXL_PRIMARIES_2100;
      colour.transfer_function =
          transfer == PH_PQ ? JXL_TRANSFER_FUNCTION_PQ : JXL_TRANSFER_FUNCTION_HLG;
      colour.rendering_intent = JXL_RENDERING_INTENT_RELATIVE;
    }
    status = JxlEncoderSetColorEncoding(encoder, &colour);
  }
  return status ? fail("libjxl refuses the colours") : 0;
}

static int add_picture(const PhJxlSave *save, JxlEncoder *encoder, const guint16 *samples) {
  JxlEncoderFrameSettings *settings = JxlEncoderFrameSettingsCreate(encoder, NULL);
  JxlPixelFormat format = {(uint32_t)save->in->Bands, JXL_TYPE_UINT16, JXL_NATIVE_ENDIAN, 0};
  size_t length = step(save) * (size_t)save->in->Xsize * (size_t)save->in->Ysize;
  if (!settings ||
      JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, save->effort) ||
      JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_DECODING_SPEED,
                                       save->tier) ||
      (save->lossless ? JxlEncoderSetFrameLossless(settings, JXL_TRUE)
                      : JxlEncoderSetFrameDistance(settings, (float)save->distance)) ||
      JxlEncoderAddImageFrame(settings, &format, samples, length))
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

static int encode(const PhJxlSave *save, const guint16 *samples) {
  JxlEncoder *encoder = JxlEncoderCreate(NULL);
  if (!encoder) return fail("libjxl cannot start");
  int threads = vips_image_get_concurrency(save->in, 1);
  int status = JxlEncoderSetParallelRunner(encoder, ph_jxl_run, &threads)
                   ? fail("libjxl refuses threads")
                   : 0;
  if (!status)
    status = set_info(save, encoder) || set_colour(save, encoder) ||
                     add_picture(save, encoder, samples) || write_file(save, encoder)
                 ? -1
                 : 0;
  JxlEncoderDestroy(encoder);
  return status;
}

static int ph_jxlsave_build(VipsObject *object) {
  PhJxlSave *save = (PhJxlSave *)object;
  if (VIPS_OBJECT_CLASS(ph_jxlsave_parent_class)->build(object) ||
      vips_image_pio_input(save->in) || vips_check_uncoded(nickname, save->in) ||
      vips_check_format(nickname, save->in, VIPS_FORMAT_USHORT))
    return -1;
  if (save->in->Bands > 4) return fail("the input has more than 4 bands");
  if (save->depth != 10 && save->depth != 12 && save->depth != 16)
    return fail("bitdepth is not one of 10, 12, 16");
  size_t length = step(save) * (size_t)save->in->Xsize * (size_t)save->in->Ysize;
  PhJxlReader reader = {save, g_try_malloc(length)};
  if (!reader.samples) return fail("memory is short");
  int status = vips_sink_disc(save->in, read_rows, &reader) || encode(save, reader.samples);
  g_free(reader.samples);
  return status ? -1 : 0;
}

static void ph_jxlsave_class_init(PhJxlSaveClass *class) {
  ph_kernel_class_describe(class, nickname, "write a JPEG XL file of 10, 12 or 16 bits",
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
  VIPS_ARG_INT(class, "bitdepth", 14, "Bit depth", "10, 12 or 16", VIPS_ARGUMENT_OPTIONAL_INPUT,
               G_STRUCT_OFFSET(PhJxlSave, depth), 10, 16, 16);
  VIPS_ARG_BOOL(class, "lossless", 13, "Lossless", "Keep every sample",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJxlSave, lossless), FALSE);
}

static void ph_jxlsave_init(PhJxlSave *save) {
  save->distance = 1;
  save->effort = 5;
  save->depth = 16;
}
