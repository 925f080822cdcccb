#include "aom_encoder.h"

#include <aom/aom_encoder.h>
#include <aom/aomcx.h>
#include <glib.h>
#include <libheif/heif_plugin.h>
#include <string.h>

const char ph_aom_name[] = "phbatch-aom";

/// The maximum width and height of a tile in pixels; longer edges are halved until they fit.
enum { longest_tile = 2048 };

typedef struct {
  int quality;
  int alpha_quality;
  int speed;
  int threads;
  int lossless;
  enum heif_chroma chroma;
  aom_tune_metric tune;
  /// The encoded bytes, until libheif reads them.
  GByteArray *bytes;
  gboolean was_read;
} PhAomEncoder;

static const struct heif_error fine = {heif_error_Ok, heif_suberror_Unspecified, "done"};
static const struct heif_error unknown = {
    heif_error_Usage_error, heif_suberror_Unsupported_parameter, "no such parameter"};

static struct heif_error failed(const char *what) {
  return (struct heif_error){heif_error_Encoder_plugin_error, heif_suberror_Unspecified, what};
}

// --- Functions that libheif calls to set and get the encoder's parameters.

static struct heif_error set_quality(void *encoder, int quality) {
  ((PhAomEncoder *)encoder)->quality = quality;
  return fine;
}

static struct heif_error get_quality(void *encoder, int *quality) {
  *quality = ((PhAomEncoder *)encoder)->quality;
  return fine;
}

/// Accepts any logging level, but has no effect, because the encoder logs nothing.
static struct heif_error set_logging(void *encoder, int level) {
  (void)encoder, (void)level;
  return fine;
}

static struct heif_error get_logging(void *encoder, int *level) {
  (void)encoder;
  *level = 0;
  return fine;
}

static struct heif_error set_lossless(void *encoder, int lossless) {
  ((PhAomEncoder *)encoder)->lossless = lossless;
  return fine;
}

static struct heif_error get_lossless(void *encoder, int *lossless) {
  *lossless = ((PhAomEncoder *)encoder)->lossless;
  return fine;
}

static int *number(PhAomEncoder *encoder, const char *name) {
  if (!strcmp(name, "speed")) return &encoder->speed;
  if (!strcmp(name, "threads")) return &encoder->threads;
  if (!strcmp(name, "alpha-quality")) return &encoder->alpha_quality;
  return NULL;
}

static struct heif_error set_number(void *encoder, const char *name, int value) {
  int *place = number(encoder, name);
  if (place) *place = value;
  return place ? fine : unknown;
}

static struct heif_error get_number(void *encoder, const char *name, int *value) {
  int *place = number(encoder, name);
  if (place) *value = *place;
  return place ? fine : unknown;
}

static struct heif_error set_text(void *raw, const char *name, const char *value) {
  PhAomEncoder *encoder = raw;
  if (!strcmp(name, "tune")) {
    encoder->tune = strcmp(value, "psnr") ? AOM_TUNE_SSIM : AOM_TUNE_PSNR;
    return fine;
  }
  if (strcmp(name, "chroma")) return unknown;
  encoder->chroma = !strcmp(value, "444")   ? heif_chroma_444
                    : !strcmp(value, "422") ? heif_chroma_422
                                            : heif_chroma_420;
  return fine;
}

static struct heif_error get_text(void *encoder, const char *name, char *value, int size) {
  (void)encoder, (void)name, (void)value, (void)size;
  return unknown;
}

/// Lists no parameters, so that libheif passes on each value without checking its range.
static const struct heif_encoder_parameter **list_parameters(void *encoder) {
  static const struct heif_encoder_parameter *none[] = {NULL};
  (void)encoder;
  return none;
}

// --- Functions that create, free and name the encoder.

static struct heif_error new_encoder(void **encoder) {
  PhAomEncoder *new = g_new0(PhAomEncoder, 1);
  *new = (PhAomEncoder){.quality = 50, .alpha_quality = 100, .speed = 5, .threads = 1,
                        .chroma = heif_chroma_420, .tune = AOM_TUNE_SSIM,
                        .bytes = g_byte_array_new()};
  *encoder = new;
  return fine;
}

static void free_encoder(void *raw) {
  PhAomEncoder *encoder = raw;
  g_byte_array_unref(encoder->bytes);
  g_free(encoder);
}

static void nothing(void) {}

static const char *full_name(void) { return aom_codec_iface_name(aom_codec_av1_cx()); }

// --- Functions that encode a picture.

static void query_space(void *encoder, enum heif_colorspace *space, enum heif_chroma *chroma) {
  if (*space == heif_colorspace_monochrome) return;
  *space = heif_colorspace_YCbCr;
  *chroma = ((PhAomEncoder *)encoder)->chroma;
}

static void query_any_space(enum heif_colorspace *space, enum heif_chroma *chroma) {
  *space = heif_colorspace_YCbCr;
  *chroma = heif_chroma_420;
}

/// A picture to encode: the photo's colours, or its alpha.
typedef struct {
  const struct heif_image *image;
  enum heif_chroma chroma;
  int depth;
  int width;
  int height;
  gboolean is_alpha;
  /// A row of neutral chroma for a monochrome picture, because libaom requires chroma even then.
  uint8_t *grey;
} PhAomPicture;

static aom_img_fmt_t layout(const PhAomPicture *picture) {
  aom_img_fmt_t format = picture->chroma == heif_chroma_444   ? AOM_IMG_FMT_I444
                         : picture->chroma == heif_chroma_422 ? AOM_IMG_FMT_I422
                                                              : AOM_IMG_FMT_I420;
  return picture->depth > 8 ? (aom_img_fmt_t)(format | AOM_IMG_FMT_HIGHBITDEPTH) : format;
}

/// Returns the number of the AV1 profile that supports a picture's depth and chroma. Source: AV1
/// Bitstream & Decoding Process Specification, 6.4.1.
static unsigned profile(const PhAomPicture *picture) {
  if (picture->depth > 10 || picture->chroma == heif_chroma_422) return 2;
  return picture->chroma == heif_chroma_444 ? 1 : 0;
}

/// Describes the image's planes to libaom without copying them.
static void wrap(PhAomPicture *picture, aom_image_t *out) {
  int stride;
  uint8_t *luma =
      (uint8_t *)heif_image_get_plane_readonly(picture->image, heif_channel_Y, &stride);
  aom_img_wrap(out, layout(picture), (unsigned)picture->width, (unsigned)picture->height, 1, luma);
  out->range = AOM_CR_FULL_RANGE;
  out->stride[0] = stride;
  out->planes[0] = luma;
  if (picture->chroma != heif_chroma_monochrome) {
    for (int plane = 1; plane < 3; plane++) {
      enum heif_channel channel = plane == 1 ? heif_channel_Cb : heif_channel_Cr;
      out->planes[plane] =
          (uint8_t *)heif_image_get_plane_readonly(picture->image, channel, &stride);
      out->stride[plane] = stride;
    }
    return;
  }
  out->monochrome = 1;
  size_t width = (size_t)(picture->width + 1) / 2;
  if (picture->depth > 8) {
    uint16_t *grey = g_new(uint16_t, width);
    for (size_t x = 0; x < width; x++) grey[x] = (uint16_t)(1 << (picture->depth - 1));
    picture->grey = (uint8_t *)grey;
  } else {
    picture->grey = g_new(uint8_t, width);
    memset(picture->grey, 128, width);
  }
  // Because the stride is 0, all rows of both chroma planes are this one row.
  out->planes[1] = out->planes[2] = picture->grey;
  out->stride[1] = out->stride[2] = 0;
}

static int tiles(int length) {
  int log2 = 0;
  while (length >> log2 > longest_tile) log2++;
  return log2;
}

static void tell_colours(aom_codec_ctx_t *codec, const PhAomPicture *picture) {
  struct heif_color_profile_nclx *nclx = NULL;
  if (picture->is_alpha || heif_image_get_nclx_color_profile(picture->image, &nclx).code) return;
  aom_codec_control(codec, AV1E_SET_COLOR_PRIMARIES, (int)nclx->color_primaries);
  aom_codec_control(codec, AV1E_SET_MATRIX_COEFFICIENTS, (int)nclx->matrix_coefficients);
  aom_codec_control(codec, AV1E_SET_TRANSFER_CHARACTERISTICS,
                    (int)nclx->transfer_characteristics);
  heif_nclx_color_profile_free(nclx);
}

/// Sets the encoder's options. Returns 0 if libaom accepted all of them.
static int set_up(aom_codec_ctx_t *codec, const PhAomEncoder *encoder,
                  const PhAomPicture *picture) {
  int quality = picture->is_alpha ? encoder->alpha_quality : encoder->quality;
  int refused = aom_codec_control(codec, AOME_SET_CPUUSED, encoder->speed);
  // Converts quality, 0…100, to libaom's level, 63…0, as libheif's own encoder does.
  unsigned level = (unsigned)(((100 - quality) * 63 + 50) / 100);
  refused |= aom_codec_control(codec, AOME_SET_CQ_LEVEL, level);
  refused |= aom_codec_control(codec, AV1E_SET_TILE_COLUMNS, (unsigned)tiles(picture->width));
  refused |= aom_codec_control(codec, AV1E_SET_TILE_ROWS, (unsigned)tiles(picture->height));
  // Row-based multithreading is off, because the file would depend on the number of threads.
  refused |= aom_codec_control(codec, AV1E_SET_ROW_MT, 0u);
  refused |= aom_codec_control(codec, AV1E_SET_COLOR_RANGE, 1);
  refused |= aom_codec_control(codec, AOME_SET_TUNING, (int)encoder->tune);
  if (encoder->lossless) refused |= aom_codec_control(codec, AV1E_SET_LOSSLESS, 1u);
#ifdef AOM_CTRL_AV1E_SET_SKIP_POSTPROC_FILTERING
  // Skips the filters of the decoded picture. Only the prediction of later frames needs their
  // result, and a single picture has no later frames.
  refused |= aom_codec_control(codec, AV1E_SET_SKIP_POSTPROC_FILTERING, 1u);
#endif
  tell_colours(codec, picture);
  return refused;
}

static void collect(aom_codec_ctx_t *codec, GByteArray *bytes) {
  aom_codec_iter_t iterator = NULL;
  const aom_codec_cx_pkt_t *packet;
  while ((packet = aom_codec_get_cx_data(codec, &iterator)))
    if (packet->kind == AOM_CODEC_CX_FRAME_PKT)
      g_byte_array_append(bytes, packet->data.frame.buf, (guint)packet->data.frame.sz);
}

static struct heif_error run(PhAomEncoder *encoder, PhAomPicture *picture) {
  aom_codec_enc_cfg_t config;
  aom_codec_iface_t *interface = aom_codec_av1_cx();
  if (aom_codec_enc_config_default(interface, &config, AOM_USAGE_ALL_INTRA))
    return failed("libaom has no defaults for pictures");
  config.g_w = (unsigned)picture->width;
  config.g_h = (unsigned)picture->height;
  config.g_limit = 1;
  config.g_lag_in_frames = 0;
  config.g_profile = profile(picture);
  config.g_bit_depth = (aom_bit_depth_t)picture->depth;
  config.g_input_bit_depth = (unsigned)picture->depth;
  config.g_threads = (unsigned)encoder->threads;
  config.monochrome = picture->chroma == heif_chroma_monochrome;
  config.kf_mode = AOM_KF_DISABLED;
  config.kf_max_dist = 0;
  config.rc_end_usage = AOM_Q;
  config.rc_min_quantizer = 0;
  config.rc_max_quantizer = encoder->lossless ? 0 : 63;
  aom_codec_ctx_t codec;
  if (aom_codec_enc_init(&codec, interface, &config,
                         picture->depth > 8 ? AOM_CODEC_USE_HIGHBITDEPTH : 0))
    return failed("libaom cannot start");
  if (set_up(&codec, encoder, picture)) {
    aom_codec_destroy(&codec);
    return failed("libaom refused a setting");
  }
  aom_image_t input;
  wrap(picture, &input);
  gboolean is_done = !aom_codec_encode(&codec, &input, 0, 1, 0);
  if (is_done) collect(&codec, encoder->bytes);
  is_done = is_done && !aom_codec_encode(&codec, NULL, -1, 0, 0);
  if (is_done) collect(&codec, encoder->bytes);
  g_free(picture->grey);
  aom_codec_destroy(&codec);
  return is_done && encoder->bytes->len > 0 ? fine : failed("libaom cannot encode the picture");
}

static struct heif_error encode_image(void *raw, const struct heif_image *image,
                                      enum heif_image_input_class class) {
  PhAomEncoder *encoder = raw;
  PhAomPicture picture = {image,
                          heif_image_get_chroma_format(image),
                          heif_image_get_bits_per_pixel_range(image, heif_channel_Y),
                          heif_image_get_width(image, heif_channel_Y),
                          heif_image_get_height(image, heif_channel_Y),
                          class == heif_image_input_class_alpha,
                          NULL};
  g_byte_array_set_size(encoder->bytes, 0);
  encoder->was_read = FALSE;
  return run(encoder, &picture);
}

static struct heif_error get_data(void *raw, uint8_t **data, int *size,
                                  enum heif_encoded_data_type *type) {
  PhAomEncoder *encoder = raw;
  (void)type;
  *data = encoder->was_read ? NULL : encoder->bytes->data;
  *size = encoder->was_read ? 0 : (int)encoder->bytes->len;
  encoder->was_read = TRUE;
  return fine;
}

void ph_aom_register(void) {
  static const struct heif_encoder_plugin plugin = {
      .plugin_api_version = 3,
      .compression_format = heif_compression_AV1,
      .id_name = ph_aom_name,
      .priority = 0,
      .supports_lossy_compression = 1,
      .supports_lossless_compression = 1,
      .get_plugin_name = full_name,
      .init_plugin = nothing,
      .cleanup_plugin = nothing,
      .new_encoder = new_encoder,
      .free_encoder = free_encoder,
      .set_parameter_quality = set_quality,
      .get_parameter_quality = get_quality,
      .set_parameter_lossless = set_lossless,
      .get_parameter_lossless = get_lossless,
      .set_parameter_logging_level = set_logging,
      .get_parameter_logging_level = get_logging,
      .list_parameters = list_parameters,
      .set_parameter_integer = set_number,
      .get_parameter_integer = get_number,
      .set_parameter_boolean = set_number,
      .get_parameter_boolean = get_number,
      .set_parameter_string = set_text,
      .get_parameter_string = get_text,
      .query_input_colorspace = query_any_space,
      .encode_image = encode_image,
      .get_compressed_data = get_data,
      .query_input_colorspace2 = query_space,
  };
  static gsize is_done = 0;
  if (g_once_init_enter(&is_done)) {
    heif_register_encoder_plugin(&plugin);
    g_once_init_leave(&is_done, 1);
  }
}
