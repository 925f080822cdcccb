#include "raw/dng_samples.h"

#include <string.h>

#include "raw/jpeg_tile.h"
#include "raw/lossless_parts.h"

void ph_raw_restore_area(PhRawFile *file, const VipsArrayInt *area) {
  int count;
  const int *numbers = vips_array_int_get((VipsArrayInt *)(size_t)area, &count);
  libraw_image_sizes_t *sizes = &file->libraw->sizes;
  if (count != 4 || ph_raw_kind(file) != PH_RAW_MOSAIC) return;
  int right = sizes->left_margin - numbers[0], down = sizes->top_margin - numbers[1];
  if (right < 0 || right > 1 || down < 0 || down > 1 || sizes->width + right != numbers[2] ||
      sizes->height + down != numbers[3])
    return;
  if (ph_raw_is_xtrans(file)) {
    char before[6][6];
    memcpy(before, file->libraw->idata.xtrans, sizeof before);
    for (int i = 0; i < 36; i++)
      file->libraw->idata.xtrans[i / 6][i % 6] = before[(i / 6 + 6 - down) % 6][(i + 6 - right) % 6];
  }
  unsigned filters = 0;
  for (unsigned i = 0; i < 16; i++)
    filters |= (unsigned)ph_raw_colour(file, (int)(i & 1) + right, (int)(i >> 1) + down) << 2 * i;
  if (!ph_raw_is_xtrans(file)) file->libraw->idata.filters = filters;
  sizes->left_margin = (ushort)numbers[0], sizes->top_margin = (ushort)numbers[1];
  sizes->width = (ushort)numbers[2], sizes->height = (ushort)numbers[3];
}

/// The numbers that describe the coding, and the numbers of each part.
enum { PH_CODING_NUMBERS = 4, PH_PART_NUMBERS = 6 };

int ph_raw_read_coding(const VipsArrayDouble *parts, PhSampleCoding *coding) {
  int count;
  const double *numbers = vips_array_double_get((VipsArrayDouble *)(size_t)parts, &count);
  if (count < PH_CODING_NUMBERS || numbers[0] < 8 || numbers[0] > 16 ||
      (numbers[2] != 1 && numbers[2] != 3) || !(numbers[3] >= PH_PARTS_PLAIN) ||
      numbers[3] > PH_PARTS_LOSSLESS)
    return -1;
  *coding = (PhSampleCoding){(int)numbers[0], numbers[1] > 0, (int)numbers[2],
                             (PhPartCoding)numbers[3]};
  return (count - PH_CODING_NUMBERS) / PH_PART_NUMBERS;
}

gboolean ph_raw_read_part(const PhRawFile *file, int index, PhPart *part) {
  const double *numbers =
      vips_array_double_get((VipsArrayDouble *)(size_t)file->parts, NULL) + PH_CODING_NUMBERS +
      (size_t)index * PH_PART_NUMBERS;
  for (int i = 0; i < PH_PART_NUMBERS; i++)
    if (!(numbers[i] >= 0) || numbers[i] >= (i > 1 ? 65536.0 : i ? 1e15 : (double)file->length))
      return FALSE;
  *part = (PhPart){(size_t)numbers[0], (size_t)numbers[1], (int)numbers[2],
                   (int)numbers[3],    (int)numbers[4],    (int)numbers[5]};
  return TRUE;
}

/// The bytes of a row of an uncompressed part.
static size_t pitch_of(const PhPart *part, PhSampleCoding coding) {
  size_t samples = (size_t)part->width * (size_t)coding.channels;
  return (samples * (size_t)coding.bits + 7) / 8;
}

/// Reads `count` samples of a row, from the sample `first` on.
static void read_row(const guint8 *bytes, PhSampleCoding coding, int first, int count, ushort *to) {
  if (coding.bits == 16) {
    int high = coding.is_big ? 0 : 1;
    bytes += 2 * (size_t)first;
    for (int i = 0; i < count; i++)
      to[i] = (ushort)(bytes[2 * i + high] << 8 | bytes[2 * i + 1 - high]);
    return;
  }
  // Other samples are packed from the highest bit on, in either byte order.
  size_t skipped = (size_t)first * (size_t)coding.bits;
  bytes += skipped / 8;
  unsigned buffer = 0;
  int held = 0;
  if (skipped % 8) buffer = *bytes++, held = 8 - (int)(skipped % 8);
  for (int i = 0; i < count; i++) {
    for (; held < coding.bits; held += 8) buffer = buffer << 8 | *bytes++;
    held -= coding.bits;
    to[i] = (ushort)(buffer >> held & ((1u << coding.bits) - 1));
  }
}

int ph_raw_open_parts(PhRawFile *file, const void *bytes, size_t length,
                      const VipsArrayDouble *parts) {
  PhSampleCoding coding = {0};
  int count = parts ? ph_raw_read_coding(parts, &coding) : 0;
  const double *numbers =
      parts ? vips_array_double_get((VipsArrayDouble *)(size_t)parts, NULL) + PH_CODING_NUMBERS
            : NULL;
  double size = 0;
  gboolean is_ordered = TRUE;
  for (int i = 0; i < count && coding.channels == 1 && coding.parts == PH_PARTS_PLAIN; i++) {
    const double *part = numbers + (size_t)i * PH_PART_NUMBERS;
    size += part[4] * part[5] * coding.bits / 8;
    is_ordered = is_ordered && part[0] >= numbers[0];
  }
  enum { MOST = 1 << 30 };
  guint8 *copy = NULL;
  if (!is_ordered && size < MOST) {
    copy = g_try_malloc0(length + (size_t)size);
    if (!copy) {
      *file = (PhRawFile){.damage = -1};
      return LIBRAW_UNSUFFICIENT_MEMORY;
    }
    memcpy(copy, bytes, length);
  }
  int status = ph_raw_open(file, copy ? copy : bytes, copy ? length + (size_t)size : length);
  file->length = length;
  file->copy = copy;
  file->parts = parts;
  return status;
}

/// Reads the uncompressed samples of a mosaic.
static int read_mosaic(PhRawFile *file, PhSampleCoding coding, int count) {
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  const ushort *curve = file->libraw->color.curve;
  if (coding.parts != PH_PARTS_PLAIN || !file->libraw->rawdata.raw_image) return LIBRAW_NOT_IMPLEMENTED;
  for (int i = 0; i < count; i++) {
    PhPart part;
    if (!ph_raw_read_part(file, i, &part)) return LIBRAW_IO_ERROR;
    int width = VIPS_MIN(part.width, sizes->raw_width - part.left);
    int height = VIPS_MIN(part.height, sizes->raw_height - part.top);
    if (width < 1 || height < 1) continue;
    size_t pitch = pitch_of(&part, coding);
    if ((size_t)height > (file->length - part.offset) / pitch) return LIBRAW_IO_ERROR;
    for (int y = 0; y < height; y++) {
      ushort *row = file->libraw->rawdata.raw_image +
                    (size_t)(part.top + y) * sizes->raw_pitch / sizeof(ushort) + part.left;
      read_row(file->bytes + part.offset + (size_t)y * pitch, coding, 0, width, row);
      for (int x = 0; x < width; x++) row[x] = curve[row[x]];
    }
  }
  return 0;
}

int ph_raw_prepare_layers(PhRawFile *file) {
  PhSampleCoding coding;
  PhPart part;
  int count = ph_raw_read_coding(file->parts, &coding);
  if (count < 1 || coding.channels != 3 || !ph_raw_read_part(file, 0, &part) ||
      part.width < 1 || part.height < 1)
    return LIBRAW_DATA_ERROR;
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  int width = sizes->raw_width, height = sizes->raw_height;
  PhLayerGrid grid = {.width = part.width, .height = part.height};
  grid.across = (width + part.width - 1) / part.width;
  if (count != grid.across * ((height + part.height - 1) / part.height) ||
      sizes->left_margin + sizes->width > width || sizes->top_margin + sizes->height > height)
    return LIBRAW_DATA_ERROR;
  if (coding.parts == PH_PARTS_JPEG && !file->layers) {
    file->layers = g_try_malloc((size_t)width * (size_t)height * 3);
    if (!file->layers) return LIBRAW_UNSUFFICIENT_MEMORY;
  }
  for (int i = 0; i < count; i++) {
    if (!ph_raw_read_part(file, i, &part)) return LIBRAW_IO_ERROR;
    int columns = VIPS_MIN(grid.width, width - i % grid.across * grid.width);
    int rows = VIPS_MIN(grid.height, height - i / grid.across * grid.height);
    if (part.left != i % grid.across * grid.width || part.top != i / grid.across * grid.height ||
        part.width < columns || part.height < rows)
      return LIBRAW_DATA_ERROR;
    if (coding.parts == PH_PARTS_PLAIN) {
      if ((size_t)rows > (file->length - part.offset) / pitch_of(&part, coding))
        return LIBRAW_IO_ERROR;
      continue;
    }
    if (coding.parts == PH_PARTS_LOSSLESS) continue;
    if (part.bytes > file->length - part.offset) return LIBRAW_IO_ERROR;
    PhTileSize size = {grid.width, grid.height, columns, rows};
    guint8 *to = file->layers + ((size_t)part.top * (size_t)width + (size_t)part.left) * 3;
    if (ph_jpeg_tile_read(file->bytes + part.offset, part.bytes, &size, to, (size_t)width * 3))
      return LIBRAW_DATA_ERROR;
  }
  file->grid = grid;
  return coding.parts == PH_PARTS_LOSSLESS ? ph_raw_read_lossless_parts(file) : 0;
}

void ph_raw_read_layers(const PhRawFile *file, int x, int y, int count, ushort *to) {
  const ushort *curve = file->libraw->color.curve;
  ushort *first = to;
  size_t width = file->libraw->sizes.raw_width;
  if (file->layers) {
    const guint8 *from = file->layers + ((size_t)y * width + (size_t)x) * 3;
    for (int i = 0; i < 3 * count; i++) to[i] = curve[from[i]];
    return;
  }
  if (file->samples) {
    const ushort *from = file->samples + ((size_t)y * width + (size_t)x) * 3;
    for (int i = 0; i < 3 * count; i++) to[i] = curve[from[i]];
    return;
  }
  PhSampleCoding coding;
  ph_raw_read_coding(file->parts, &coding);
  for (int end = x + count; x < end;) {
    PhPart part;
    ph_raw_read_part(file, y / file->grid.height * file->grid.across + x / file->grid.width,
              &part);
    int pixels = VIPS_MIN(end, part.left + file->grid.width) - x;
    const guint8 *row = file->bytes + part.offset + (size_t)(y - part.top) * pitch_of(&part, coding);
    read_row(row, coding, 3 * (x - part.left), 3 * pixels, to);
    x += pixels;
    to += 3 * pixels;
  }
  for (int i = 0; i < 3 * count; i++) first[i] = curve[first[i]];
}

/// Replaces the layers that LibRaw decoded for a picture that it interpolates.
static int replace_layers(PhRawFile *file) {
  const libraw_rawdata_t *data = &file->libraw->rawdata;
  size_t width = file->libraw->sizes.raw_width, height = file->libraw->sizes.raw_height;
  if (!data->color3_image && !data->color4_image) return LIBRAW_NOT_IMPLEMENTED;
  int status = ph_raw_prepare_layers(file);
  ushort *row = status ? NULL : g_try_new(ushort, 3 * width);
  if (!row) return status ? status : LIBRAW_UNSUFFICIENT_MEMORY;
  for (size_t y = 0; y < height; y++) {
    ph_raw_read_layers(file, 0, (int)y, (int)width, row);
    for (size_t x = 0; x < width; x++) {
      ushort *pixel = data->color3_image ? data->color3_image[y * width + x]
                                         : data->color4_image[y * width + x];
      memcpy(pixel, row + 3 * x, 3 * sizeof *pixel);
    }
  }
  g_free(row);
  return 0;
}

int ph_raw_read_parts(PhRawFile *file) {
  PhSampleCoding coding;
  int count = ph_raw_read_coding(file->parts, &coding);
  if (count < 0) return LIBRAW_DATA_ERROR;
  return coding.channels == 1 ? read_mosaic(file, coding, count) : replace_layers(file);
}
