#include "raw/dng_samples.h"

#include <string.h>

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

typedef struct {
  int bits, is_big, channels;
} PhSampleCoding;

/// Reads `count` samples of a row.
static void read_row(const guint8 *bytes, PhSampleCoding coding, int count, ushort *to) {
  if (coding.bits == 16) {
    int high = coding.is_big ? 0 : 1;
    for (int i = 0; i < count; i++)
      to[i] = (ushort)(bytes[2 * i + high] << 8 | bytes[2 * i + 1 - high]);
    return;
  }
  // Other samples are packed from the highest bit on, in either byte order.
  unsigned buffer = 0;
  int held = 0;
  for (int i = 0; i < count; i++) {
    for (; held < coding.bits; held += 8) buffer = buffer << 8 | *bytes++;
    held -= coding.bits;
    to[i] = (ushort)(buffer >> held & ((1u << coding.bits) - 1));
  }
}

/// Writes `count` pixels of a row of the frame, from column `x` on; samples are decoded by the
/// file's linearization table.
static gboolean write_pixels(PhRawFile *file, int x, int y, const ushort *from, int count,
                             int channels) {
  libraw_rawdata_t *data = &file->libraw->rawdata;
  const ushort *curve = file->libraw->color.curve;
  size_t first = (size_t)y * file->libraw->sizes.raw_width + (size_t)x;
  if (channels == 1 && data->raw_image) {
    ushort *row = data->raw_image + (size_t)y * file->libraw->sizes.raw_pitch / sizeof(ushort) + x;
    for (int i = 0; i < count; i++) row[i] = curve[from[i]];
  } else if (channels == 3 && data->color4_image) {
    for (int i = 0; i < count; i++)
      for (int c = 0; c < 3; c++) data->color4_image[first + (size_t)i][c] = curve[from[3 * i + c]];
  } else if (channels == 3 && data->color3_image) {
    for (int i = 0; i < count; i++)
      for (int c = 0; c < 3; c++) data->color3_image[first + (size_t)i][c] = curve[from[3 * i + c]];
  } else {
    return FALSE;
  }
  return TRUE;
}

int ph_raw_open_parts(PhRawFile *file, const void *bytes, size_t length,
                      const VipsArrayDouble *parts) {
  int count = 0;
  const double *numbers =
      parts ? vips_array_double_get((VipsArrayDouble *)(size_t)parts, &count) : NULL;
  double size = 0;
  gboolean is_ordered = TRUE;
  for (int i = 3; i + 4 < count; i += 5) {
    size += numbers[i + 3] * numbers[i + 4] * numbers[2] * numbers[0] / 8;
    is_ordered = is_ordered && numbers[i] >= numbers[3];
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

int ph_raw_read_parts(PhRawFile *file, const VipsArrayDouble *parts) {
  int count;
  const double *numbers = vips_array_double_get((VipsArrayDouble *)(size_t)parts, &count);
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  if (count < 3 || numbers[0] < 8 || numbers[0] > 16 || (numbers[2] != 1 && numbers[2] != 3))
    return LIBRAW_DATA_ERROR;
  PhSampleCoding coding = {(int)numbers[0], numbers[1] > 0, (int)numbers[2]};
  for (int i = 3; i + 4 < count; i += 5) {
    const double *part = numbers + i;
    for (int j = 0; j < 5; j++)
      if (!(part[j] >= 0) || part[j] >= (j ? 65536.0 : (double)file->length))
        return LIBRAW_IO_ERROR;
    size_t offset = (size_t)part[0], row = (size_t)part[3] * (size_t)coding.channels;
    int left = (int)part[1], top = (int)part[2];
    size_t pitch = (row * (size_t)coding.bits + 7) / 8;
    int width = VIPS_MIN((int)part[3], sizes->raw_width - left);
    int height = VIPS_MIN((int)part[4], sizes->raw_height - top);
    if (width < 1 || height < 1) continue;
    if ((size_t)height > (file->length - offset) / pitch) return LIBRAW_IO_ERROR;
    ushort *samples = g_try_new(ushort, row);
    if (!samples) return LIBRAW_UNSUFFICIENT_MEMORY;
    gboolean is_written = TRUE;
    for (int y = 0; y < height && is_written; y++) {
      read_row(file->bytes + offset + (size_t)y * pitch, coding, width * coding.channels, samples);
      is_written = write_pixels(file, left, top + y, samples, width, coding.channels);
    }
    g_free(samples);
    if (!is_written) return LIBRAW_NOT_IMPLEMENTED;
  }
  return 0;
}
