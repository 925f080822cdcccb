#include <libheif/heif.h>
#include <string.h>

#include "aom_encoder.h"
#include "heif_planes.h"
#include "base/kernel.h"

/// The operation `phbatch_heifsave`: writes an 8-bit or 16-bit image with 1…4 bands (the last of 2
/// or 4 is alpha) to `target` as AVIF (`compression` av1) or HEIC (hevc).
///
/// The operation replaces `heifsave` of libvips; see work_arounds.h. The encoder uses as many
/// threads as the image's field `concurrency` states, at most 16; their number does not change the
/// file.
///
/// `Q` is 1…100, `alpha-q` the quality of alpha (av1 only), `effort` 0…9, `bitdepth` 8, 10 or 12,
/// `chroma` 420, 422 or 444, `tune` ssim or psnr. `lossless` implies 444 and keeps the colours of
/// transparent pixels; otherwise these colours are interpolated from visible pixels. The image's
/// fields `cicp-colour-primaries` and `cicp-transfer-characteristics` are code points of ITU-T
/// H.273, tables 2 and 3. They are written whether or not there is a profile. Without these fields,
/// hevc files get no code points.
typedef struct {
  VipsOperation parent_instance;
  VipsImage *in;
  VipsTarget *target;
  VipsForeignHeifCompression compression;
  int quality;
  int alpha_quality;
  int effort;
  int depth;
  char *chroma;
  char *tune;
  gboolean lossless;
} PhHeifSave;

typedef VipsOperationClass PhHeifSaveClass;

PH_DEFINE_OPERATION(PhHeifSave, ph_heifsave, VIPS_TYPE_OPERATION)

static const char nickname[] = "phbatch_heifsave";

/// The presets of the encoder x265 for `effort` 0, 1 and so on.
static const char *const presets[] = {"ultrafast", "superfast", "veryfast", "faster",   "fast",
                                      "medium",    "slow",      "slower",   "veryslow", "placebo"};

static int fail(struct heif_error error) {
  if (error.code) vips_error(nickname, "%s", error.message);
  return error.code ? -1 : 0;
}

static int no_memory(void) {
  vips_error(nickname, "memory is short");
  return -1;
}

static gboolean is_av1(const PhHeifSave *save) {
  return save->compression == VIPS_FOREIGN_HEIF_COMPRESSION_AV1;
}

/// The value of a field, or 2 if the image does not have the field; 2 is "unspecified" in all
/// tables of ITU-T H.273.
static int code_point(const PhHeifSave *save, const char *field) {
  int number;
  if (!vips_image_get_typeof(save->in, field)) return 2;
  return vips_image_get_int(save->in, field, &number) ? 2 : number;
}

static int primaries(const PhHeifSave *save) { return code_point(save, "cicp-colour-primaries"); }

/// Returns the code point of the matrix coefficients; see ITU-T H.273, table 4.
static int matrix(const PhHeifSave *save) {
  if (save->lossless && save->in->Bands > 2) return 0;
  return primaries(save) == 9 ? 9 : 6;
}

static PhHeifSampling sampling(const PhHeifSave *save) {
  gboolean is_full = save->lossless || !strcmp(save->chroma, "444");
  return (PhHeifSampling){save->depth, is_full ? 1 : 2,
                          is_full || !strcmp(save->chroma, "422") ? 1 : 2, matrix(save)};
}

typedef struct {
  PhHeifPlanes *planes;
} PhHeifReader;

static int read_rows(VipsRegion *region, VipsRect *area, void *a) {
  PhHeifReader *reader = a;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    ph_heif_planes_add(reader->planes, VIPS_REGION_ADDR(region, area->left, y));
  return 0;
}

/// Sets options that libheif passes on to the encoder.
static int set_options(struct heif_encoder *encoder, const char *const (*options)[2]) {
  for (; (*options)[0]; options++)
    if (fail(heif_encoder_set_parameter_string(encoder, (*options)[0], (*options)[1]))) return -1;
  return 0;
}

static int set_up(const PhHeifSave *save, struct heif_encoder *encoder) {
  int threads = VIPS_CLIP(1, vips_image_get_concurrency(save->in, 1), 16);
  char count[8];
  g_snprintf(count, sizeof count, "%d", threads);
  const char *chroma = save->lossless ? "444" : save->chroma;
  if (fail(heif_encoder_set_lossy_quality(encoder, save->quality)) ||
      fail(heif_encoder_set_lossless(encoder, save->lossless)) ||
      fail(heif_encoder_set_parameter_string(encoder, "chroma", chroma)) ||
      fail(heif_encoder_set_parameter_string(encoder, "tune", save->tune)))
    return -1;
  if (!is_av1(save)) {
    // Wavefront coding (wpp) lets x265 use several threads, but changes the bytes of the file. It
    // is always on, so that the file does not depend on the number of threads.
    const char *const options[][2] = {
        {"preset", presets[save->effort]}, {"x265:pools", count}, {"x265:frame-threads", "1"},
        {"x265:wpp", "1"}, {NULL, NULL}};
    return set_options(encoder, options);
  }
  return fail(heif_encoder_set_parameter_integer(encoder, "speed", 9 - save->effort)) ||
                 fail(heif_encoder_set_parameter_integer(encoder, "threads", threads)) ||
                 fail(heif_encoder_set_parameter_integer(encoder, "alpha-quality",
                                                         save->alpha_quality))
             ? -1
             : 0;
}

/// Sets the picture's code points and profile.
static int set_colour(const PhHeifSave *save, struct heif_image *image) {
  struct heif_color_profile_nclx *nclx = heif_nclx_color_profile_alloc();
  if (!nclx) return no_memory();
  // libheif ignores code points that it does not know; the value then stays "unspecified".
  heif_nclx_color_profile_set_color_primaries(nclx, (uint16_t)primaries(save));
  int transfer = code_point(save, "cicp-transfer-characteristics");
  heif_nclx_color_profile_set_transfer_characteristics(nclx, (uint16_t)transfer);
  heif_nclx_color_profile_set_matrix_coefficients(nclx, (uint16_t)matrix(save));
  nclx->full_range_flag = 1;
  int status = fail(heif_image_set_nclx_color_profile(image, nclx));
  heif_nclx_color_profile_free(nclx);
  if (status || !vips_image_get_typeof(save->in, VIPS_META_ICC_NAME)) return status;
  const void *profile;
  size_t length;
  if (vips_image_get_blob(save->in, VIPS_META_ICC_NAME, &profile, &length)) return -1;
  return fail(heif_image_set_raw_color_profile(image, "prof", profile, length));
}

static struct heif_error write_bytes(struct heif_context *context, const void *data, size_t length,
                                     void *target) {
  (void)context;
  struct heif_error error = {heif_error_Ok, heif_suberror_Unspecified, "the file was written"};
  if (vips_target_write(target, data, length)) {
    error.code = heif_error_Encoding_error;
    error.message = "the file cannot be written";
  }
  return error;
}

/// Returns an error that names the size if the encoder refuses it, as x265 refuses 8192×8 pixels.
static int encode_image(const PhHeifSave *save, struct heif_context *context,
                        struct heif_encoder *encoder, struct heif_image *image,
                        const struct heif_encoding_options *options) {
  struct heif_error error = heif_context_encode_image(context, image, encoder, options, NULL);
  if (error.subcode != heif_suberror_Invalid_image_size) return fail(error);
  vips_error(nickname, "the encoder refuses %d×%d pixels", save->in->Xsize, save->in->Ysize);
  return -1;
}

static int encode(const PhHeifSave *save, struct heif_context *context,
                  struct heif_encoder *encoder, struct heif_image *image) {
  struct heif_encoding_options *options = heif_encoding_options_alloc();
  if (!options) return no_memory();
  options->save_alpha_channel = save->in->Bands % 2 == 0;
  options->save_two_colr_boxes_when_ICC_and_nclx_available = 1;
  // Systems before iOS 13 and macOS 11 do not open HEIC files with code points, so no code points
  // are written if they are unspecified. Source: libheif's issue 397.
  options->macOS_compatibility_workaround_no_nclx_profile = !is_av1(save) && primaries(save) == 2;
  int status = set_up(save, encoder) || set_colour(save, image) ||
               encode_image(save, context, encoder, image, options);
  heif_encoding_options_free(options);
  if (status) return -1;
  struct heif_writer writer = {1, write_bytes};
  return fail(heif_context_write(context, &writer, save->target));
}

/// Encodes an image. Until the first image of its bit depth is complete, only one thread encodes at
/// a time: when x265 opens its first encoder, it fills tables that all encoders share, without a
/// lock. Source: x265_setup_primitives of x265 3.5.
static int encode_in_turn(const PhHeifSave *save, struct heif_context *context,
                          struct heif_encoder *encoder, struct heif_image *image) {
  static GMutex turn;
  // For each bit depth, true after the first image of this depth was encoded. x265 has a separate
  // library, with its own tables, for each bit depth.
  static gboolean is_ready[13];
  if (is_av1(save)) return encode(save, context, encoder, image);
  g_mutex_lock(&turn);
  if (is_ready[save->depth]) {
    g_mutex_unlock(&turn);
    return encode(save, context, encoder, image);
  }
  int status = encode(save, context, encoder, image);
  is_ready[save->depth] = !status;
  g_mutex_unlock(&turn);
  return status;
}

static int find_encoder(const PhHeifSave *save, struct heif_context *context,
                        struct heif_encoder **encoder) {
  if (!is_av1(save))
    return fail(heif_context_get_encoder_for_format(context, heif_compression_HEVC, encoder));
  const struct heif_encoder_descriptor *own;
  if (heif_context_get_encoder_descriptors(context, heif_compression_AV1, ph_aom_name, &own, 1) <
      1) {
    vips_error(nickname, "libaom is not known to libheif");
    return -1;
  }
  return fail(heif_context_get_encoder(context, own, encoder));
}

static int write_image(const PhHeifSave *save, PhHeifPlanes *planes) {
  PhHeifReader reader = {planes};
  if (vips_sink_disc(save->in, read_rows, &reader)) return -1;
  if (!save->lossless && ph_heif_planes_bleed(planes)) return -1;
  struct heif_context *context = heif_context_alloc();
  if (!context) return no_memory();
  struct heif_encoder *encoder = NULL;
  int status = find_encoder(save, context, &encoder) ||
               encode_in_turn(save, context, encoder, ph_heif_planes_image(planes));
  if (encoder) heif_encoder_release(encoder);
  heif_context_free(context);
  return status || vips_target_end(save->target) ? -1 : 0;
}

static int ph_heifsave_build(VipsObject *object) {
  PhHeifSave *save = (PhHeifSave *)object;
  if (VIPS_OBJECT_CLASS(ph_heifsave_parent_class)->build(object) ||
      vips_image_pio_input(save->in) || vips_check_uncoded(nickname, save->in))
    return -1;
  if (save->in->BandFmt != VIPS_FORMAT_UCHAR && save->in->BandFmt != VIPS_FORMAT_USHORT) {
    vips_error(nickname, "samples must be uchar or ushort");
    return -1;
  }
  if (save->in->Bands > 4) {
    vips_error(nickname, "the input has %d bands, more than 4", save->in->Bands);
    return -1;
  }
  if (save->depth != 8 && save->depth != 10 && save->depth != 12) {
    vips_error(nickname, "a bitdepth of %d is not one of 8, 10, 12", save->depth);
    return -1;
  }
  PhHeifPlanes *planes = ph_heif_planes_new(save->in, sampling(save));
  int status = planes ? write_image(save, planes) : -1;
  ph_heif_planes_free(planes);
  return status;
}

static void ph_heifsave_class_init(PhHeifSaveClass *class) {
  ph_kernel_class_describe(class, nickname, "write a HEIC or AVIF file", ph_heifsave_build);
  VIPS_OPERATION_CLASS(class)->flags = VIPS_OPERATION_SEQUENTIAL | VIPS_OPERATION_NOCACHE;
  VIPS_ARG_IMAGE(class, "in", 1, "Input", "Image to write", VIPS_ARGUMENT_REQUIRED_INPUT,
                 G_STRUCT_OFFSET(PhHeifSave, in));
  VIPS_ARG_OBJECT(class, "target", 2, "Target", "Where the file goes",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhHeifSave, target),
                  VIPS_TYPE_TARGET);
  VIPS_ARG_ENUM(class, "compression", 10, "Compression", "av1 or hevc",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhHeifSave, compression),
                VIPS_TYPE_FOREIGN_HEIF_COMPRESSION, VIPS_FOREIGN_HEIF_COMPRESSION_AV1);
  VIPS_ARG_INT(class, "Q", 11, "Q", "Quality", VIPS_ARGUMENT_OPTIONAL_INPUT,
               G_STRUCT_OFFSET(PhHeifSave, quality), 1, 100, 50);
  VIPS_ARG_INT(class, "alpha-q", 12, "Alpha Q", "Quality of the alpha",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhHeifSave, alpha_quality), 1, 100,
               100);
  VIPS_ARG_INT(class, "effort", 13, "Effort", "Higher is smaller and slower",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhHeifSave, effort), 0, 9, 4);
  VIPS_ARG_INT(class, "bitdepth", 14, "Bit depth", "8, 10 or 12", VIPS_ARGUMENT_OPTIONAL_INPUT,
               G_STRUCT_OFFSET(PhHeifSave, depth), 8, 12, 8);
  VIPS_ARG_STRING(class, "chroma", 15, "Chroma", "420, 422 or 444", VIPS_ARGUMENT_OPTIONAL_INPUT,
                  G_STRUCT_OFFSET(PhHeifSave, chroma), "420");
  VIPS_ARG_STRING(class, "tune", 16, "Tune", "ssim or psnr", VIPS_ARGUMENT_OPTIONAL_INPUT,
                  G_STRUCT_OFFSET(PhHeifSave, tune), "ssim");
  VIPS_ARG_BOOL(class, "lossless", 17, "Lossless", "Keep every sample",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhHeifSave, lossless), FALSE);
}

static void ph_heifsave_init(PhHeifSave *save) {
  save->compression = VIPS_FOREIGN_HEIF_COMPRESSION_AV1;
  save->quality = 50;
  save->alpha_quality = 100;
  save->effort = 4;
  save->depth = 8;
  save->chroma = g_strdup("420");
  save->tune = g_strdup("ssim");
}
