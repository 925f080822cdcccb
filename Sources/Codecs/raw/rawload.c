#pragma STDC FP_CONTRACT OFF

#include <string.h>

#include "base/kernel.h"
#include "raw/dng_samples.h"
#include "raw/hot_pixels.h"
#include "raw/hot_pixels_xtrans.h"
#include "raw/levels.h"
#include "raw/raw_file.h"
#include "raw/stored_samples.h"
#include "whole/whole_picture.h"

/// The operation `phbatch_rawload`: reads the samples of a camera's raw file from `source`.
///
/// The field `raw-kind` of the header says what the output is:
///
/// - `mosaic`: the samples of a Bayer or X-Trans sensor, one band of floats. 0 is the black level of each pixel
///   and 1 the white level of the pixel's colour, at which the sensor is saturated; noise may be
///   below 0.
/// - `layers`: the samples of a linear DNG file, three bands of floats with the same levels.
/// - `interpolated`: a picture that LibRaw interpolated from another mosaic of three colours, three
///   bands of 16 bits: balanced colours of the camera in linear light, clipped at white, at half the
///   size if `half` is set.
/// - `whole`: the same with the primaries of sRGB, for sensors of four colours and Foveon.
///
/// Mosaics and layers cover the visible area of the sensor.
///
/// Other fields `raw-…` of the header describe the camera's colours; with `preview`, one of them is
/// the embedded JPEG. With `unpack` the samples are decoded immediately, and the header contains
/// the levels that a decoder measures. A file of an unsupported coding becomes one black pixel with
/// the reason in the field `raw-problem`; a damaged file is an error. With `lenient`, a damaged file
/// becomes such a pixel, too, with the reason in the field `raw-damage`.
///
/// Corrections are applied to the stored samples of a mosaic: `defects` and `defect-values` name
/// defective samples (see `ph_raw_mend`), and `opcodes` are applied (see `ph_raw_apply_opcodes`).
/// With `mend-hot-pixels`, hot and dead pixels are found (see `ph_raw_mend_hot_pixels`).
///
/// Statements of a DNG file that LibRaw uses in another way: `active-area` (see
/// `ph_raw_restore_area`), `parts` (see `ph_raw_open_parts`), `layer-levels` (black of
/// red, green and blue, and their whites), and black levels that differ by row or column. `black-levels` has the rows and columns of a pattern and its levels; `black-rows` and
/// `black-columns` are added to them, one number for each row or column of the visible area.
///
/// LibRaw balances the white of pictures that it interpolates as the camera did, or by three
/// `multipliers`.
///
/// All samples of the output are decoded when a thread needs the first pixel; they are decoded
/// again if `unpack` is set. Rows can be read in any order.
typedef struct {
  VipsOperation parent_instance;
  VipsSource *source;
  VipsImage *out;
  gboolean preview, unpack, half, mend_hot_pixels, lenient;
  VipsArrayDouble *opcodes, *multipliers, *parts, *layer_levels;
  VipsArrayDouble *black_levels, *black_rows, *black_columns;
  VipsArrayInt *defects, *defect_values, *active_area;

  PhWholePicture whole;
  PhRawKind kind;
  PhRawFile file;
  /// The picture that LibRaw interpolated; NULL for a mosaic or layers.
  libraw_processed_image_t *picture;
  /// The levels of a mosaic or of layers.
  PhRawLevels levels;
} PhRawLoad;

typedef VipsOperationClass PhRawLoadClass;

PH_DEFINE_OPERATION(PhRawLoad, ph_rawload, VIPS_TYPE_OPERATION)

static const char nickname[] = "phbatch_rawload";

static int fail(const char *words) {
  vips_error(nickname, "%s", words);
  return -1;
}

/// True for the error codes of files whose coding LibRaw does not support.
static gboolean is_unknown(int status) {
  return status == LIBRAW_FILE_UNSUPPORTED || status == LIBRAW_NOT_IMPLEMENTED ||
         status == LIBRAW_REQUEST_FOR_NONEXISTENT_IMAGE;
}

/// The reason for an error of LibRaw.
static const char *reason_for(const PhRawFile *file, int status) {
  if (status == LIBRAW_UNSUFFICIENT_MEMORY) return "memory is short";
  if (status == LIBRAW_TOO_BIG) return "its samples need more memory than the limit";
  if (is_unknown(status)) return "the coding of its samples is not supported";
  return file->is_cut || status == LIBRAW_IO_ERROR ? "it ends early" : "its samples are damaged";
}

static int fail_with(const PhRawFile *file, int status) { return fail(reason_for(file, status)); }

static const void *map(PhRawLoad *load, size_t *length) {
  return vips_source_map(load->source, length);
}

static int set_multipliers(PhRawFile *file, VipsArrayDouble *array) {
  int count;
  const double *numbers = vips_array_double_get(array, &count);
  if (count != 3) return fail("three multipliers are needed");
  libraw_output_params_t *params = &file->libraw->params;
  params->use_camera_wb = 0;
  for (int i = 0; i < 4; i++) params->user_mul[i] = (float)numbers[i == 3 ? 1 : i];
  return 0;
}

/// True if the output has stored samples, and not a picture that LibRaw interpolated.
static gboolean is_stored(const PhRawLoad *load) {
  return load->kind == PH_RAW_MOSAIC || load->kind == PH_RAW_LAYERS;
}

/// Applies the corrections of the stored samples of a mosaic.
static int correct(PhRawLoad *load) {
  PhRawFile *file = &load->file;
  if ((load->defects || load->defect_values) &&
      ph_raw_mend(file, load->defects, load->defect_values))
    return -1;
  if (load->mend_hot_pixels &&
      (ph_raw_is_xtrans(file) ? ph_raw_mend_xtrans_hot_pixels : ph_raw_mend_hot_pixels)(file) < 0)
    return -1;
  return load->opcodes ? ph_raw_apply_opcodes(file, load->opcodes) : 0;
}

static int decode(void *loader) {
  PhRawLoad *load = loader;
  size_t length;
  const void *bytes = map(load, &length);
  if (!bytes) return -1;
  PhRawFile *file = &load->file;
  int status = ph_raw_open_parts(file, bytes, length, load->parts);
  file->layer_levels = load->layer_levels;
  if (!status && !is_stored(load)) {
    ph_raw_develop_linearly(file, load->half);
    if (load->multipliers && set_multipliers(file, load->multipliers)) return -1;
  }
  if (!status) status = ph_raw_unpack(file, load->kind);
  if (status) return fail_with(file, status);
  if (is_stored(load)) {
    if (load->active_area) ph_raw_restore_area(file, load->active_area);
    if (!ph_raw_has_room(file, load->out->Xsize, load->out->Ysize))
      return fail("its frame is damaged");
    if (load->kind == PH_RAW_MOSAIC && correct(load)) return -1;
    PhRawStatedBlack stated = {load->black_levels, load->black_rows, load->black_columns,
                               load->out->Xsize, load->out->Ysize};
    return ph_raw_levels_prepare(&load->levels, file, load->kind, &stated);
  }
  status = libraw_dcraw_process(file->libraw);
  if (!status) load->picture = libraw_dcraw_make_mem_image(file->libraw, &status);
  if (status || !load->picture) return fail_with(file, status ? status : LIBRAW_DATA_ERROR);
  const libraw_processed_image_t *picture = load->picture;
  if (picture->width < load->out->Xsize || picture->height < load->out->Ysize ||
      picture->bits != 16 || (picture->colors != 1 && picture->colors != 3))
    return fail("LibRaw made a picture of another size");
  // Frees LibRaw's memory for the file, because the developed picture is complete.
  ph_raw_close(file);
  return 0;
}

static void write_row(const void *loader, int left, int y, int count, VipsPel *to) {
  const PhRawLoad *load = loader;
  if (is_stored(load)) {
    ph_raw_levels_apply(&load->levels, &load->file, left, y, count, (float *)(void *)to);
    return;
  }
  const libraw_processed_image_t *picture = load->picture;
  const ushort *from = (const ushort *)(const void *)picture->data +
                       (size_t)y * picture->width * picture->colors;
  ushort *pixel = (ushort *)(void *)to;
  for (int x = left; x < left + count; x++, pixel += 3)
    for (int c = 0; c < 3; c++) pixel[c] = from[x * picture->colors + c % picture->colors];
}

/// Makes the output of a file that LibRaw cannot decode: one black pixel, and the reason in the
/// field `name`.
///
/// `file` is the opened file, whose embedded JPEG and orientation LibRaw knows; NULL if it could not
/// be opened.
static int output_problem(PhRawLoad *load, PhRawFile *file, const char *name,
                          const char *problem) {
  VipsImage *black = NULL;
  if (vips_black(&black, 1, 1, "bands", 3, NULL)) return -1;
  load->kind = PH_RAW_WHOLE;
  int status = vips_image_write(black, load->out);
  // The fields are set after `vips_image_write`, which replaces the output's header by the header of
  // `black`.
  vips_image_set_string(load->out, name, problem);
  if (file) {
    ph_raw_describe(file, PH_RAW_WHOLE, load->out);
    if (load->preview) ph_raw_attach_preview(file, load->out);
  }
  g_object_unref(black);
  return status;
}

/// Rejects a damaged file: an error, or a black pixel with the reason if `lenient` is set.
static int reject(PhRawLoad *load, PhRawFile *file, const char *reason) {
  return load->lenient ? output_problem(load, file, "raw-damage", reason) : fail(reason);
}

static int read_header(PhRawLoad *load, PhRawFile *file) {
  size_t length;
  const void *bytes = map(load, &length);
  if (!bytes) return -1;
  int status = ph_raw_open_parts(file, bytes, length, load->unpack ? load->parts : NULL);
  file->layer_levels = load->layer_levels;
  // A CRW file has its directory at its end; LibRaw reads every CRW file that has a directory.
  if (is_unknown(status) && length >= 14 && !memcmp((const char *)bytes + 6, "HEAPCCDR", 8))
    return reject(load, NULL, "it ends early: its directory is missing");
  if (is_unknown(status))
    return output_problem(load, NULL, "raw-problem", "its coding is not known");
  if (status)
    return reject(load, NULL,
                  status == LIBRAW_IO_ERROR ? "it ends early" : libraw_strerror(status));
  const char *unread = ph_raw_unread_mosaic(file);
  if (unread) return output_problem(load, file, "raw-problem", unread);
  load->kind = ph_raw_kind(file);
  if (load->active_area) ph_raw_restore_area(file, load->active_area);
  int width = file->libraw->sizes.width, height = file->libraw->sizes.height;
  gboolean may_turn = !strncmp(file->libraw->idata.make, "Fuji", 4);
  if (!is_stored(load) || (load->kind == PH_RAW_MOSAIC && may_turn)) {
    PhRawSize size;
    if (ph_raw_measure(bytes, length, FALSE, &size))
      return reject(load, file, "its size is damaged");
    if (size.is_turned && load->kind == PH_RAW_MOSAIC) load->kind = PH_RAW_INTERPOLATED;
    if (!is_stored(load) && load->half && ph_raw_measure(bytes, length, TRUE, &size))
      return reject(load, file, "its size is damaged");
    if (!is_stored(load)) width = size.width, height = size.height;
  }
  if (width < 2 || height < 2 || width > VIPS_MAX_COORD || height > VIPS_MAX_COORD)
    return reject(load, file, "its size is damaged");
  if (load->unpack) status = ph_raw_unpack(file, load->kind);
  if (load->active_area) ph_raw_restore_area(file, load->active_area);
  if (is_unknown(status))
    return output_problem(load, file, "raw-problem", reason_for(file, status));
  if (status) {
    const char *reason = reason_for(file, status);
    // After an error, LibRaw has forgotten what it knew of the file.
    ph_raw_close(file);
    return reject(load, ph_raw_open(file, bytes, length) ? NULL : file, reason);
  }
  gboolean is_mosaic = load->kind == PH_RAW_MOSAIC;
  vips_image_init_fields(
      load->out, width, height, is_mosaic ? 1 : 3,
      is_stored(load) ? VIPS_FORMAT_FLOAT : VIPS_FORMAT_USHORT, VIPS_CODING_NONE,
      is_mosaic ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_RGB16, 1, 1);
  ph_raw_describe(file, load->kind, load->out);
  if (load->preview) ph_raw_attach_preview(file, load->out);
  return ph_whole_picture_output(&load->whole, load->out);
}

static int ph_rawload_build(VipsObject *object) {
  PhRawLoad *load = (PhRawLoad *)object;
  if (VIPS_OBJECT_CLASS(ph_rawload_parent_class)->build(object)) return -1;
  g_object_set(object, "out", vips_image_new(), NULL);
  // A separate LibRaw object reads the header and is closed immediately. Most photos are only
  // described and never decoded, so they need no LibRaw object later.
  PhRawFile file = {0};
  int status = read_header(load, &file);
  ph_raw_close(&file);
  return status;
}

static void ph_rawload_finalize(GObject *object) {
  PhRawLoad *load = (PhRawLoad *)object;
  if (load->picture) libraw_dcraw_clear_mem(load->picture);
  ph_raw_close(&load->file);
  ph_raw_levels_free(&load->levels);
  g_mutex_clear(&load->whole.lock);
  G_OBJECT_CLASS(ph_rawload_parent_class)->finalize(object);
}

static void ph_rawload_class_init(PhRawLoadClass *class) {
  ph_kernel_class_describe(class, nickname, "read a camera's raw file", ph_rawload_build);
  G_OBJECT_CLASS(class)->finalize = ph_rawload_finalize;
  VIPS_OPERATION_CLASS(class)->flags = VIPS_OPERATION_NOCACHE;
  VIPS_ARG_OBJECT(class, "source", 1, "Source", "Where the file is", VIPS_ARGUMENT_REQUIRED_INPUT,
                  G_STRUCT_OFFSET(PhRawLoad, source), VIPS_TYPE_SOURCE);
  VIPS_ARG_IMAGE(class, "out", 2, "Output", "The samples", VIPS_ARGUMENT_REQUIRED_OUTPUT,
                 G_STRUCT_OFFSET(PhRawLoad, out));
  VIPS_ARG_BOOL(class, "preview", 3, "Preview", "Attach the embedded JPEG",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhRawLoad, preview), FALSE);
  VIPS_ARG_BOOL(class, "unpack", 4, "Unpack", "Decode the samples at once",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhRawLoad, unpack), FALSE);
  VIPS_ARG_BOOL(class, "half", 5, "Half", "Develop at half the size",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhRawLoad, half), FALSE);
  VIPS_ARG_BOXED(class, "opcodes", 6, "Opcodes", "Changes of the stored samples",
                 VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhRawLoad, opcodes),
                 VIPS_TYPE_ARRAY_DOUBLE);
  VIPS_ARG_BOXED(class, "defects", 7, "Defects", "Areas of defective samples",
                 VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhRawLoad, defects),
                 VIPS_TYPE_ARRAY_INT);
  VIPS_ARG_BOXED(class, "defect-values", 8, "Defect values", "Samples that stand for defects",
                 VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhRawLoad, defect_values),
                 VIPS_TYPE_ARRAY_INT);
  VIPS_ARG_BOXED(class, "multipliers", 9, "Multipliers", "For red, green and blue",
                 VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhRawLoad, multipliers),
                 VIPS_TYPE_ARRAY_DOUBLE);
  VIPS_ARG_BOXED(class, "active-area", 12, "Active area", "Of the frame",
                 VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhRawLoad, active_area),
                 VIPS_TYPE_ARRAY_INT);
#define PH_RAW_NUMBERS(name, place, field, words)                                         \
  VIPS_ARG_BOXED(class, name, place, name, words, VIPS_ARGUMENT_OPTIONAL_INPUT,           \
                 G_STRUCT_OFFSET(PhRawLoad, field), VIPS_TYPE_ARRAY_DOUBLE)
  PH_RAW_NUMBERS("parts", 13, parts, "Parts of the samples");
  PH_RAW_NUMBERS("layer-levels", 17, layer_levels, "Black and white of three layers");
  PH_RAW_NUMBERS("black-levels", 14, black_levels, "The pattern of black");
  PH_RAW_NUMBERS("black-rows", 15, black_rows, "The differences of black by row");
  PH_RAW_NUMBERS("black-columns", 16, black_columns, "The differences of black by column");
#undef PH_RAW_NUMBERS
  VIPS_ARG_BOOL(class, "mend-hot-pixels", 10, "Mend hot pixels", "Replace hot and dead pixels",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhRawLoad, mend_hot_pixels), FALSE);
  VIPS_ARG_BOOL(class, "lenient", 11, "Lenient", "Describe a damaged file instead of an error",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhRawLoad, lenient), FALSE);
}

static void ph_rawload_init(PhRawLoad *load) {
  load->whole = (PhWholePicture){.loader = load, .decode = decode, .write_row = write_row};
  load->file.damage = -1;
  g_mutex_init(&load->whole.lock);
}
