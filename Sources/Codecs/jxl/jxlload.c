#include <jxl/decode.h>
#include <string.h>

#include "base/kernel.h"
#include "whole/whole_picture.h"
#include "work_arounds.h"

/// The operation `phbatch_jxlload`: reads a JPEG XL file with any number of channels from `source`.
/// The output has the colours and the first alpha channel, in 8 or 16 bits, or as floats.
///
/// libvips's own operation `jxlload` fails on more than four channels, because libjxl returns at
/// most four at a time; see work_arounds.h.
///
/// Floating-point samples are not converted: they have the meaning that the profile gives them, 1
/// is white, and higher values are brighter. However, floating-point files of grey with alpha, and
/// of inks, are read in 16 bits. The black channel is read if the profile is CMYK; samples are then
/// amounts of ink, as in libvips. libjxl renders spot colours into the picture. All other channels
/// are ignored.
typedef struct {
  VipsOperation parent_instance;
  VipsSource *source;
  VipsImage *out;
  JxlBasicInfo info;
  /// The index of the extra channel that contains black ink; −1 if there is none.
  int black;
  PhWholePicture whole;
  /// The decoded colours and alpha, and the decoded black channel; NULL until the first pixel is
  /// needed.
  guint8 *pixels;
  guint8 *ink;
} PhJxlLoad;

typedef VipsOperationClass PhJxlLoadClass;

PH_DEFINE_OPERATION(PhJxlLoad, ph_jxlload, VIPS_TYPE_OPERATION)

static const char nickname[] = "phbatch_jxlload";

static int fail(const char *words) {
  vips_error(nickname, "%s", words);
  return -1;
}

static gboolean has_alpha(const PhJxlLoad *load) { return load->info.alpha_bits > 0; }

static guint32 channels(const PhJxlLoad *load) {
  return load->info.num_color_channels + (has_alpha(load) ? 1 : 0);
}

/// True if samples are read as floats.
static gboolean is_float(const PhJxlLoad *load) {
  return load->info.exponent_bits_per_sample > 0 && load->black < 0 && channels(load) != 2;
}

static size_t sample_bytes(const PhJxlLoad *load) {
  if (is_float(load)) return sizeof(float);
  return load->info.bits_per_sample > 8 ? 2 : 1;
}

/// Creates a decoder with all bytes of the file; returns NULL, with libvips's error text set, on
/// failure.
static JxlDecoder *new_decoder(PhJxlLoad *load, int events) {
  size_t length;
  const guint8 *bytes = vips_source_map(load->source, &length);
  if (!bytes) return NULL;
  JxlDecoder *decoder = JxlDecoderCreate(NULL);
  if (!decoder || JxlDecoderSubscribeEvents(decoder, events) ||
      JxlDecoderSetInput(decoder, bytes, length)) {
    fail("libjxl cannot start");
    if (decoder) JxlDecoderDestroy(decoder);
    return NULL;
  }
  JxlDecoderCloseInput(decoder);
  return decoder;
}

/// Finds the first black channel if the profile is CMYK; returns −1 if there is none.
static int find_black(const PhJxlLoad *load, JxlDecoder *decoder, const guint8 *profile,
                      size_t length) {
  if (load->info.num_color_channels != 3 || length < 20 || memcmp(profile + 16, "CMYK", 4))
    return -1;
  for (guint32 channel = 0; channel < load->info.num_extra_channels; channel++) {
    JxlExtraChannelInfo info;
    if (!JxlDecoderGetExtraChannelInfo(decoder, channel, &info) &&
        info.type == JXL_CHANNEL_BLACK)
      return (int)channel;
  }
  return -1;
}

static int read_profile(PhJxlLoad *load, JxlDecoder *decoder) {
  size_t length = 0;
  if (JxlDecoderGetICCProfileSize(decoder, PH_JXL_UNUSED_FORMAT JXL_COLOR_PROFILE_TARGET_DATA,
                                  &length))
    return 0;
  guint8 *profile = g_try_malloc(length);
  if (!profile) return fail("memory is short");
  if (JxlDecoderGetColorAsICCProfile(decoder, PH_JXL_UNUSED_FORMAT JXL_COLOR_PROFILE_TARGET_DATA,
                                     profile, length)) {
    g_free(profile);
    return fail("its profile cannot be read");
  }
  load->black = find_black(load, decoder, profile, length);
  vips_image_set_blob_copy(load->out, VIPS_META_ICC_NAME, profile, length);
  g_free(profile);
  return 0;
}

static int read_header(PhJxlLoad *load) {
  JxlDecoder *decoder = new_decoder(load, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING);
  if (!decoder) return -1;
  int status = 0;
  gboolean is_done = FALSE;
  while (!status && !is_done) switch (JxlDecoderProcessInput(decoder)) {
      case JXL_DEC_BASIC_INFO:
        if (JxlDecoderGetBasicInfo(decoder, &load->info)) status = fail("it has no size");
        break;
      case JXL_DEC_COLOR_ENCODING:
        status = read_profile(load, decoder);
        is_done = TRUE;
        break;
      default: status = fail("it is damaged, or ends early");
    }
  JxlDecoderDestroy(decoder);
  return status;
}

static int decode(void *loader) {
  PhJxlLoad *load = loader;
  size_t bytes = sample_bytes(load);
  size_t plane = (size_t)load->info.xsize * load->info.ysize * bytes;
  size_t length = plane * channels(load);
  load->pixels = g_try_malloc(length);
  if (load->black >= 0) load->ink = g_try_malloc(plane);
  if (!load->pixels || (load->black >= 0 && !load->ink)) return fail("memory is short");
  JxlDecoder *decoder = new_decoder(load, JXL_DEC_FULL_IMAGE);
  if (!decoder) return -1;
  JxlDataType type = bytes == 2 ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8;
  if (is_float(load)) type = JXL_TYPE_FLOAT;
  JxlPixelFormat format = {channels(load), type, JXL_NATIVE_ENDIAN, 0};
  JxlPixelFormat single = {1, type, JXL_NATIVE_ENDIAN, 0};
  int status = 0;
  gboolean is_done = FALSE;
  while (!status && !is_done) switch (JxlDecoderProcessInput(decoder)) {
      case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
        if (JxlDecoderSetImageOutBuffer(decoder, &format, load->pixels, length) ||
            (load->ink && JxlDecoderSetExtraChannelBuffer(decoder, &single, load->ink, plane,
                                                          (guint32)load->black)))
          status = fail("libjxl gives its channels in another way");
        break;
      // Decoding ends after the first frame, because only the first frame of an animation is read.
      case JXL_DEC_FULL_IMAGE: is_done = TRUE; break;
      default: status = fail("it is damaged, or ends early");
    }
  JxlDecoderDestroy(decoder);
  return status;
}

/// Copies `count` pixels of a CMYK picture and inverts their inks: the maximum value means no ink
/// in JPEG XL, and full ink in libvips.
static void invert(const PhJxlLoad *load, guint8 *to, size_t first, int count) {
  size_t bytes = sample_bytes(load);
  size_t step = bytes * channels(load);
  const guint8 *from = load->pixels + first * step;
  const guint8 *ink = load->ink + first * bytes;
  for (int x = 0; x < count; x++, from += step, ink += bytes) {
    for (size_t i = 0; i < 3 * bytes; i++) *to++ = (guint8)~from[i];
    for (size_t i = 0; i < bytes; i++) *to++ = (guint8)~ink[i];
    for (size_t i = 3 * bytes; i < step; i++) *to++ = from[i];
  }
}

static void write_row(const void *loader, int left, int y, int count, VipsPel *to) {
  const PhJxlLoad *load = loader;
  size_t step = sample_bytes(load) * channels(load);
  size_t first = (size_t)y * load->info.xsize + (size_t)left;
  if (load->ink)
    invert(load, to, first, count);
  else
    memcpy(to, load->pixels + first * step, (size_t)count * step);
}

static VipsInterpretation interpretation(const PhJxlLoad *load) {
  gboolean is_deep = sample_bytes(load) == 2;
  if (is_float(load))
    return load->info.num_color_channels == 1 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_scRGB;
  if (load->black >= 0) return VIPS_INTERPRETATION_CMYK;
  if (load->info.num_color_channels == 1)
    return is_deep ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W;
  return is_deep ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB;
}

static VipsBandFormat band_format(const PhJxlLoad *load) {
  if (is_float(load)) return VIPS_FORMAT_FLOAT;
  return sample_bytes(load) == 2 ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR;
}

static int ph_jxlload_build(VipsObject *object) {
  PhJxlLoad *load = (PhJxlLoad *)object;
  if (VIPS_OBJECT_CLASS(ph_jxlload_parent_class)->build(object)) return -1;
  g_object_set(object, "out", vips_image_new(), NULL);
  if (read_header(load)) return -1;
  if (load->info.xsize > VIPS_MAX_COORD || load->info.ysize > VIPS_MAX_COORD)
    return fail("it is too large");
  vips_image_init_fields(load->out, (int)load->info.xsize, (int)load->info.ysize,
                         (int)channels(load) + (load->black >= 0 ? 1 : 0),
                         band_format(load), VIPS_CODING_NONE, interpretation(load), 1, 1);
  return ph_whole_picture_output(&load->whole, load->out);
}

static void ph_jxlload_finalize(GObject *object) {
  PhJxlLoad *load = (PhJxlLoad *)object;
  g_free(load->pixels);
  g_free(load->ink);
  g_mutex_clear(&load->whole.lock);
  G_OBJECT_CLASS(ph_jxlload_parent_class)->finalize(object);
}

static void ph_jxlload_class_init(PhJxlLoadClass *class) {
  ph_kernel_class_describe(class, nickname, "read a JPEG XL file of many channels or of floats",
                           ph_jxlload_build);
  G_OBJECT_CLASS(class)->finalize = ph_jxlload_finalize;
  VIPS_OPERATION_CLASS(class)->flags = VIPS_OPERATION_NOCACHE;
  VIPS_ARG_OBJECT(class, "source", 1, "Source", "Where the file is",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhJxlLoad, source),
                  VIPS_TYPE_SOURCE);
  VIPS_ARG_IMAGE(class, "out", 2, "Output", "The picture", VIPS_ARGUMENT_REQUIRED_OUTPUT,
                 G_STRUCT_OFFSET(PhJxlLoad, out));
}

static void ph_jxlload_init(PhJxlLoad *load) {
  load->black = -1;
  load->whole = (PhWholePicture){.loader = load, .decode = decode, .write_row = write_row};
  g_mutex_init(&load->whole.lock);
}
