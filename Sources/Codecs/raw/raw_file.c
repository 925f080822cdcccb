#include "raw/raw_file.h"

#include <malloc.h>
#include <math.h>
#include <string.h>

#include "loops/raw/tiles.h"
#include "raw/dng_samples.h"
#include "raw/lossless_parts.h"
#include "raw/saturation.h"
#include "raw/work_arounds.h"

static void on_damage(void *file, const char *name, const PhRawOffset offset) {
  (void)name;
  PhRawFile *raw = file;
  if (offset < 0) raw->is_cut = TRUE;
  if (raw->damage < 0) raw->damage = offset < 0 ? 0 : offset;
}

/// Lets malloc fill new memory with the byte 0xFE, or stop doing so.
///
/// LibRaw does not write samples that are missing in a file, or the bytes of a buffer beyond the
/// file's end. Without a fill, the result would depend on earlier photos in memory, and could show
/// parts of these photos.
///
/// The memory of the whole process is filled until the last thread that uses LibRaw stops the fill.
static void fill_new_memory(gboolean is_filled) {
  static GMutex lock;
  static int threads = 0;
  g_mutex_lock(&lock);
  threads += is_filled ? 1 : -1;
  mallopt(M_PERTURB, threads > 0 ? 0x01 : 0);
  g_mutex_unlock(&lock);
}

/// The value of a sample that LibRaw did not write.
enum { PH_RAW_UNWRITTEN = 0xFEFE };

/// True if a row has more unwritten samples beside each other than a photo can have by chance.
static gboolean has_gap(const ushort *row, int count) {
  enum { LONGEST = 64 };
  // Every gap that is longer than LONGEST contains one of the samples that this loop checks.
  for (int i = LONGEST / 2; i < count; i += LONGEST / 2) {
    if (row[i] != PH_RAW_UNWRITTEN) continue;
    int first = i, end = i;
    while (first > 0 && row[first - 1] == PH_RAW_UNWRITTEN) first--;
    while (end < count && row[end] == PH_RAW_UNWRITTEN) end++;
    if (end - first > LONGEST) return TRUE;
  }
  return FALSE;
}

/// True if samples of the visible area are missing: LibRaw reports no error for a tile whose
/// beginning it cannot read, and for a file of one strip that ends in zeros.
static gboolean lacks_samples(const libraw_data_t *raw) {
  const libraw_rawdata_t *data = &raw->rawdata;
  const libraw_image_sizes_t *sizes = &raw->sizes;
  const ushort *samples = data->raw_image;
  int channels = 1;
  if (!samples && data->color3_image) samples = data->color3_image[0], channels = 3;
  if (!samples && data->color4_image) samples = data->color4_image[0], channels = 4;
  size_t pitch = sizes->raw_pitch / sizeof(ushort);
  if (!samples || pitch < (size_t)channels * sizes->raw_width ||
      sizes->left_margin + sizes->width > sizes->raw_width ||
      sizes->top_margin + sizes->height > sizes->raw_height)
    return FALSE;
  for (int y = 0; y < sizes->height; y++) {
    const ushort *row = samples + (size_t)(sizes->top_margin + y) * pitch;
    if (has_gap(row + channels * sizes->left_margin, channels * sizes->width)) return TRUE;
  }
  return FALSE;
}

int ph_raw_open(PhRawFile *file, const void *bytes, size_t length) {
  fill_new_memory(TRUE);
  *file = (PhRawFile){.libraw = libraw_init(0), .bytes = bytes, .length = length, .damage = -1};
  fill_new_memory(FALSE);
  if (!file->libraw) return LIBRAW_UNSUFFICIENT_MEMORY;
  // Limits LibRaw to one thread, because phbatch renders several photos at the same time. By
  // default, LibRaw starts a thread on each processor.
  if (omp_set_num_threads) omp_set_num_threads(1);
  libraw_set_dataerror_handler(file->libraw, on_damage, file);
  PH_RAW_PARAMETERS(file->libraw).max_raw_memory_mb = PH_RAW_MOST_MEMORY;
  // `libraw_open_buffer` takes a pointer to mutable bytes, but only reads them.
  return libraw_open_buffer(file->libraw, (void *)(size_t)bytes, length);
}

void ph_raw_close(PhRawFile *file) {
  if (file->libraw) {
    if (file->samples) file->libraw->rawdata.raw_image = NULL;
    libraw_close(file->libraw);
  }
  file->libraw = NULL;
  g_free(file->copy);
  g_free(file->layers);
  g_free(file->samples);
  file->copy = file->layers = NULL;
  file->samples = NULL;
}

int ph_raw_unpack(PhRawFile *file, PhRawKind kind) {
  if (kind == PH_RAW_MOSAIC && ph_raw_can_read_lossless_parts(file)) {
    int status = ph_raw_read_lossless_parts(file);
    if (!status) file->saturation = ph_raw_measure_saturation(file);
    return status;
  }
  // LibRaw would hold all layers of a picture in memory, and applies opcodes to those of JPEG tiles.
  if (kind == PH_RAW_LAYERS && file->parts) return ph_raw_prepare_layers(file);
  fill_new_memory(TRUE);
  int status = libraw_unpack(file->libraw);
  fill_new_memory(FALSE);
  if (!status && file->parts && !ph_raw_has_lossless_parts(file)) {
    status = ph_raw_read_parts(file);
    file->damage = -1;
  }
  if (status) return status;
  if (file->damage >= 0 || lacks_samples(file->libraw)) return LIBRAW_DATA_ERROR;
  const libraw_rawdata_t *data = &file->libraw->rawdata;
  if (kind == PH_RAW_MOSAIC && !data->raw_image) return LIBRAW_NOT_IMPLEMENTED;
  if (kind == PH_RAW_LAYERS && !data->color3_image && !data->color4_image)
    return LIBRAW_NOT_IMPLEMENTED;
  if (kind == PH_RAW_MOSAIC) file->saturation = ph_raw_measure_saturation(file);
  return 0;
}

void ph_raw_develop_linearly(PhRawFile *file, gboolean is_half) {
  libraw_output_params_t *params = &file->libraw->params;
  params->output_bps = 16;
  // 0 stands for the colours of the camera, 1 for sRGB.
  params->output_color = ph_raw_kind(file) == PH_RAW_WHOLE ? 1 : 0;
  // Otherwise, the brightest sample of a photo becomes white.
  params->adjust_maximum_thr = 0;
  params->gamm[0] = params->gamm[1] = 1;
  params->no_auto_bright = 1;
  params->use_camera_wb = 1;
  params->user_flip = 0;
  params->half_size = is_half ? 1 : 0;
  // The value 3 selects adaptive homogeneity-directed demosaicing.
  params->user_qual = 3;
}

int ph_raw_measure(const void *bytes, size_t length, gboolean is_half, PhRawSize *size) {
  PhRawFile file;
  int status = ph_raw_open(&file, bytes, length);
  if (!status) {
    ph_raw_develop_linearly(&file, is_half);
    int width = file.libraw->sizes.width, height = file.libraw->sizes.height;
    double aspect = file.libraw->sizes.pixel_aspect;
    status = libraw_adjust_sizes_info_only(file.libraw);
    const libraw_image_sizes_t *sizes = &file.libraw->sizes;
    size->width = sizes->iwidth, size->height = sizes->iheight;
    size->is_turned = !is_half && fabs(aspect - 1) < 0.005 &&
                      (sizes->iwidth != width || sizes->iheight != height);
  }
  ph_raw_close(&file);
  return status;
}

/// The lowest value of LibRaw's `filters` that describes a mosaic of 2 × 2 cells; lower values are
/// codes of other sensors.
enum { PH_RAW_LEAST_BAYER = 1000 };

static int bayer_colour(unsigned filters, int x, int y) {
  return filters >> (((y << 1 & 14) | (x & 1)) << 1) & 3;
}

gboolean ph_raw_is_xtrans(const PhRawFile *file) {
  return file->libraw->idata.filters == LIBRAW_XTRANS;
}

int ph_raw_colour(const PhRawFile *file, int x, int y) {
  const libraw_iparams_t *data = &file->libraw->idata;
  return ph_raw_is_xtrans(file) ? data->xtrans[y % 6][x % 6] : bayer_colour(data->filters, x, y);
}

/// True if the colours are those of an X-Trans sensor, whose cell may start at any pixel.
static gboolean has_xtrans_cell(const PhRawFile *file) {
  for (int start = 0; start < 36; start++) {
    gboolean is_same = TRUE;
    for (int y = 0; y < 6; y++)
      for (int x = 0; x < 6; x++)
        is_same = is_same &&
                  ph_raw_colour(file, start % 6 + x, start / 6 + y) == ph_xtrans_colour(y, x);
    if (is_same) return TRUE;
  }
  return FALSE;
}

static gboolean is_bayer(unsigned filters) {
  if (filters < PH_RAW_LEAST_BAYER) return FALSE;
  // Each byte of `filters` describes two rows of the mosaic, so in a pattern of 2 × 2 cells all
  // four bytes are equal.
  if ((filters & 0xff) != (filters >> 8 & 0xff) || (filters & 0xffff) != filters >> 16) return FALSE;
  int counts[4] = {0};
  for (int i = 0; i < 4; i++) counts[bayer_colour(filters, i % 2, i / 2)]++;
  gboolean is_diagonal = bayer_colour(filters, 0, 0) % 2 == bayer_colour(filters, 1, 1) % 2;
  return counts[0] == 1 && counts[2] == 1 && is_diagonal;
}

PhRawKind ph_raw_kind(const PhRawFile *file) {
  const libraw_data_t *raw = file->libraw;
  if (raw->idata.colors != 3 || raw->idata.is_foveon || strncmp(raw->idata.cdesc, "RGB", 3))
    return PH_RAW_WHOLE;
  if (fabs(raw->sizes.pixel_aspect - 1) > 0.005) return PH_RAW_INTERPOLATED;
  if (ph_raw_is_xtrans(file) ? has_xtrans_cell(file) : is_bayer(raw->idata.filters))
    return PH_RAW_MOSAIC;
  return raw->idata.filters == 0 && raw->idata.dng_version != 0 ? PH_RAW_LAYERS
                                                                : PH_RAW_INTERPOLATED;
}

/// True if each row of a mosaic has green and one other colour by turns, and all colours occur.
static gboolean has_green_in_each_row(unsigned filters) {
  gboolean found[4] = {FALSE};
  for (int y = 0; y < 8; y++) {
    int first = bayer_colour(filters, 0, y), second = bayer_colour(filters, 1, y);
    if (first % 2 == second % 2) return FALSE;
    found[first] = found[second] = TRUE;
  }
  return found[0] && found[2];
}

const char *ph_raw_unread_mosaic(const PhRawFile *file) {
  const libraw_iparams_t *data = &file->libraw->idata;
  if (!data->dng_version || !data->filters || data->colors != 3) return NULL;
  if (strncmp(data->cdesc, "RGB", 3))
    return "a mosaic whose colours are not red, green and blue, in this order, is not supported";
  if (ph_raw_is_xtrans(file))
    return has_xtrans_cell(file) ? NULL
                                 : "a mosaic of 6 × 6 pixels that is not X-Trans is not supported";
  if (data->filters < PH_RAW_LEAST_BAYER) return NULL;
  gboolean has_two_rows = (data->filters & 0xff) * 0x01010101u == data->filters;
  return (has_two_rows ? is_bayer : has_green_in_each_row)(data->filters)
             ? NULL
             : "a mosaic with this pattern of red, green and blue is not supported";
}

double ph_raw_black(const PhRawFile *file, int x, int y) {
  const libraw_colordata_t *colour = &file->libraw->color;
  double black = colour->black + (double)colour->cblack[ph_raw_colour(file, x, y)];
  unsigned rows = colour->cblack[4], columns = colour->cblack[5];
  gboolean has_pattern = rows > 0 && columns > 0 && rows <= LIBRAW_CBLACK_SIZE &&
                         columns <= LIBRAW_CBLACK_SIZE &&
                         rows * columns <= LIBRAW_CBLACK_SIZE - 6;
  if (!has_pattern) return black;
  return black + colour->cblack[6 + (unsigned)y % rows * columns + (unsigned)x % columns];
}

double ph_raw_white(const PhRawFile *file, int colour) {
  if (file->saturation > 0) return file->saturation;
  const libraw_colordata_t *data = &file->libraw->color;
  long own = (long)data->linear_max[colour];
  double white = own > 0 && own <= (long)data->maximum ? (double)own : data->maximum;
  return white > 0 ? white : 65535;
}

/// The stated level of a layer, 0…2 for black or 3…5 for white; NULL if LibRaw's applies.
static const double *stated_level(const PhRawFile *file, int index) {
  if (!file->layer_levels) return NULL;
  int count;
  const double *levels =
      vips_array_double_get((VipsArrayDouble *)(size_t)file->layer_levels, &count);
  return count == 6 ? levels + index : NULL;
}

double ph_raw_layer_black(const PhRawFile *file, int layer) {
  const double *stated = stated_level(file, layer);
  if (stated) return *stated;
  const libraw_colordata_t *colour = &file->libraw->color;
  double black = colour->black + (double)colour->cblack[layer];
  return colour->cblack[4] > 0 && colour->cblack[5] > 0 ? black + colour->cblack[6] : black;
}

double ph_raw_layer_white(const PhRawFile *file, int layer) {
  const double *stated = stated_level(file, 3 + layer);
  if (stated) return *stated;
  const libraw_colordata_t *colour = &file->libraw->color;
  const unsigned *own = colour->dng_levels.dng_whitelevel;
  double white = own[0] == colour->maximum && own[layer] > 0 ? own[layer] : colour->maximum;
  return white > 0 ? white : 65535;
}

/// The layers that LibRaw decoded, and the samples from one pixel to the next; NULL if there are none.
static const ushort *decoded_layers(const PhRawFile *file, int *step) {
  const libraw_rawdata_t *data = &file->libraw->rawdata;
  *step = data->color3_image ? 3 : 4;
  if (data->color3_image) return data->color3_image[0];
  return data->color4_image ? data->color4_image[0] : NULL;
}

void ph_raw_layers_row(const PhRawFile *file, int x, int y, int count, ushort *to) {
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  x += sizes->left_margin, y += sizes->top_margin;
  if (file->parts) {
    ph_raw_read_layers(file, x, y, count, to);
    return;
  }
  int step;
  const ushort *from = decoded_layers(file, &step) +
                       (size_t)y * (sizes->raw_pitch / sizeof(ushort)) + (size_t)step * (size_t)x;
  for (int i = 0; i < count; i++, from += step, to += 3)
    for (int c = 0; c < 3; c++) to[c] = from[c];
}

gboolean ph_raw_has_room(const PhRawFile *file, int width, int height) {
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  if (sizes->left_margin + width > sizes->raw_width ||
      sizes->top_margin + height > sizes->raw_height)
    return FALSE;
  int step = 1;
  if (!file->libraw->rawdata.raw_image) {
    if (file->parts) return TRUE;
    if (!decoded_layers(file, &step)) return FALSE;
  }
  return sizes->raw_pitch >= (size_t)step * sizes->raw_width * sizeof(ushort);
}

// The functions below store LibRaw's description of a file in the fields `raw-…` of the image's
// header.

static void set_numbers(VipsImage *image, const char *name, const float *numbers, int count) {
  double values[12];
  for (int i = 0; i < count; i++) values[i] = isfinite(numbers[i]) ? numbers[i] : 0;
  vips_image_set_array_double(image, name, values, count);
}

static void describe_dng(const libraw_colordata_t *colour, VipsImage *image) {
  for (int i = 0; i < 2; i++) {
    const libraw_dng_color_t *dng = &colour->dng_color[i];
    const char *const names[2][3] = {
        {"raw-colour-1", "raw-forward-1", "raw-calibration-1"},
        {"raw-colour-2", "raw-forward-2", "raw-calibration-2"},
    };
    float calibration[9], forward[9];
    for (int j = 0; j < 9; j++) {
      calibration[j] = dng->calibration[j / 3][j % 3];
      forward[j] = dng->forwardmatrix[j / 3][j % 3];
    }
    vips_image_set_int(image, i ? "raw-illuminant-2" : "raw-illuminant-1", dng->illuminant);
    // DNG's colour matrix: rows are camera colours, columns are X, Y and Z.
    set_numbers(image, names[i][0], dng->colormatrix[0], 9);
    // DNG's forward matrix: rows are X, Y and Z, columns are camera colours.
    set_numbers(image, names[i][1], forward, 9);
    set_numbers(image, names[i][2], calibration, 9);
  }
}

/// Stores the multipliers of the camera's white balance, and the gains of the channels that the
/// camera has already applied to the samples. The gains of a camera that has balanced the samples
/// for white, such as the Nikon D1, are those of its white balance.
static void describe_balance(const libraw_data_t *raw, VipsImage *image) {
  static const float one[4] = {1, 1, 1, 1};
  const libraw_colordata_t *colour = &raw->color;
  const float *multipliers = colour->cam_mul, *gains = colour->dng_levels.analogbalance;
  if (raw->idata.dng_version == 0) {
    gains = raw->other.analogbalance;
    if (colour->as_shot_wb_applied) multipliers = one, gains = colour->cam_mul;
  }
  set_numbers(image, "raw-multipliers", multipliers, 4);
  set_numbers(image, "raw-analog", gains, 3);
}

void ph_raw_describe(const PhRawFile *file, PhRawKind kind, VipsImage *image) {
  static const char *const kinds[] = {"mosaic", "layers", "interpolated", "whole"};
  const libraw_data_t *raw = file->libraw;
  const libraw_colordata_t *colour = &raw->color;
  char camera[sizeof raw->idata.make + sizeof raw->idata.model + 2];
  g_snprintf(camera, sizeof camera, "%.63s %.63s", raw->idata.make, raw->idata.model);
  g_strstrip(camera);
  vips_image_set_string(image, "raw-camera", camera);
  vips_image_set_string(image, "raw-decoder",
                        libraw_unpack_function_name((libraw_data_t *)(size_t)raw));
  vips_image_set_string(image, "raw-kind", kinds[kind]);
  int pattern[36] = {0}, cells = 4;
  double black[4] = {0}, white[4];
  gboolean is_bayer_cell = kind == PH_RAW_MOSAIC && !ph_raw_is_xtrans(file);
  for (int i = 0; i < 4; i++) {
    if (is_bayer_cell) {
      pattern[i] = ph_raw_colour(file, i % 2, i / 2);
      black[i] = ph_raw_black(file, i % 2, i / 2);
    } else if (kind != PH_RAW_WHOLE) {
      black[i] = ph_raw_layer_black(file, i % 3);
    }
    white[i] = kind == PH_RAW_LAYERS ? ph_raw_layer_white(file, i % 3)
                                     : ph_raw_white(file, is_bayer_cell ? pattern[i] : i % 3);
  }
  if (ph_raw_is_xtrans(file))
    for (cells = 0; cells < 36; cells++) pattern[cells] = raw->idata.xtrans[cells / 6][cells % 6];
  vips_image_set_array_int(image, "raw-pattern", pattern, cells);
  vips_image_set_int(image, "raw-filters", (int)raw->idata.filters);
  vips_image_set_array_double(image, "raw-black", black, 4);
  vips_image_set_array_double(image, "raw-white", white, 4);
  describe_balance(raw, image);
  set_numbers(image, "raw-daylight", colour->pre_mul, 4);
  set_numbers(image, "raw-xyz", colour->cam_xyz[0], 9);
  vips_image_set_int(image, "raw-is-dng", raw->idata.dng_version != 0);
  describe_dng(colour, image);
  float exposure = colour->dng_levels.baseline_exposure;
  // LibRaw stores −999 if the file has no such tag.
  if (isfinite(exposure) && fabsf(exposure) < 20)
    vips_image_set_double(image, "raw-exposure", exposure);
  int crop[4];
  if (ph_raw_crop(raw, is_bayer_cell, crop)) vips_image_set_array_int(image, "raw-crop", crop, 4);
  int frame[4] = {raw->sizes.left_margin, raw->sizes.top_margin, raw->sizes.raw_width,
                  raw->sizes.raw_height};
  vips_image_set_array_int(image, "raw-frame", frame, 4);
  // The size of the visible area in pixels of the sensor, which may not be square.
  int visible[2] = {raw->sizes.width, raw->sizes.height};
  vips_image_set_array_int(image, "raw-visible", visible, 2);
  // EXIF's values for LibRaw's: bit 0 mirrors the columns, bit 1 the rows, and bit 2 exchanges rows
  // and columns before.
  static const int orientations[8] = {1, 2, 4, 3, 5, 8, 6, 7};
  vips_image_set_int(image, VIPS_META_ORIENTATION, orientations[raw->sizes.flip & 7]);
}

void ph_raw_attach_preview(PhRawFile *file, VipsImage *image) {
  const libraw_thumbnail_t *thumbnail = &file->libraw->thumbnail;
  // LibRaw 0.20 writes beyond its memory if an uncompressed thumbnail has more bytes than pixels, as
  // a damaged file may state. Such a large JPEG is left out, too.
  guint64 pixels = (guint64)thumbnail->twidth * thumbnail->theight;
  if (thumbnail->tlength > file->length || (pixels > 0 && thumbnail->tlength > pixels)) return;
  if (libraw_unpack_thumb(file->libraw)) return;
  if (thumbnail->tformat != LIBRAW_THUMBNAIL_JPEG || !thumbnail->thumb || thumbnail->tlength < 4)
    return;
  vips_image_set_blob_copy(image, "raw-preview", thumbnail->thumb, thumbnail->tlength);
}
