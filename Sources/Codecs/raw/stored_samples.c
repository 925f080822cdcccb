#pragma STDC FP_CONTRACT OFF

#include "raw/stored_samples.h"

#include <stdlib.h>

#include "raw/opcodes.h"

static int fail(const char *words) {
  vips_error("phbatch_rawload", "%s", words);
  return -1;
}

static ushort *row_of(const PhRawFile *file, int y) {
  char *samples = (char *)file->libraw->rawdata.raw_image;
  return (ushort *)(void *)(samples + (size_t)y * file->libraw->sizes.raw_pitch);
}

int ph_raw_apply_opcodes(PhRawFile *file, const VipsArrayDouble *numbers) {
  int width = file->libraw->sizes.raw_width, height = file->libraw->sizes.raw_height, count;
  PhOpcode *opcodes = ph_opcodes_read(numbers, &count);
  if (!opcodes) return -1;
  float *row = g_try_new(float, width);
  if (row) {
    PhOpcodePlace place = {0, 0, 1};
    for (int y = 0; y < height; y++) {
      ushort *samples = row_of(file, y);
      for (int x = 0; x < width; x++) row[x] = samples[x];
      ph_opcodes_apply(opcodes, count, &place, 0, y, row, width, 1);
      for (int x = 0; x < width; x++) {
        float value = row[x] > 0 ? row[x] : 0;
        samples[x] = (ushort)((value < 65535 ? value : 65535) + 0.5f);
      }
    }
  }
  g_free(opcodes);
  g_free(row);
  return row ? 0 : fail("memory is short");
}

/// The defective samples of a frame: one bit for each.
typedef struct {
  int width, height;
  guint8 *bits;
} PhDefects;

static void mark(PhDefects *defects, int x, int y) {
  size_t at = (size_t)y * (size_t)defects->width + (size_t)x;
  defects->bits[at / 8] |= (guint8)(1 << at % 8);
}

static gboolean is_good(const PhDefects *defects, int x, int y) {
  if (x < 0 || y < 0 || x >= defects->width || y >= defects->height) return FALSE;
  size_t at = (size_t)y * (size_t)defects->width + (size_t)x;
  return !(defects->bits[at / 8] >> at % 8 & 1);
}

static void mark_areas(PhDefects *defects, const VipsArrayInt *areas) {
  int count;
  const int *numbers = vips_array_int_get((VipsArrayInt *)(size_t)areas, &count);
  for (int i = 0; i + 3 < count; i += 4) {
    int bottom = VIPS_MIN(numbers[i + 2], defects->height);
    int right = VIPS_MIN(numbers[i + 3], defects->width);
    for (int y = VIPS_MAX(0, numbers[i]); y < bottom; y++)
      for (int x = VIPS_MAX(0, numbers[i + 1]); x < right; x++) mark(defects, x, y);
  }
}

static void mark_values(PhDefects *defects, const PhRawFile *file, const VipsArrayInt *values) {
  int count;
  const int *numbers = vips_array_int_get((VipsArrayInt *)(size_t)values, &count);
  for (int i = 0; i < count; i++)
    for (int y = 0; y < defects->height; y++) {
      const ushort *row = row_of(file, y);
      for (int x = 0; x < defects->width; x++)
        if (row[x] == numbers[i]) mark(defects, x, y);
    }
}

/// Returns the colour of a pixel: 0 red, 1 green, 2 blue. `x` and `y` are positions in the whole
/// frame.
static int colour_of(const PhRawFile *file, int x, int y) {
  // A multiple of all cells keeps the colour, and makes positions in the masked pixels positive.
  enum { FAR = 6 << 14 };
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  int colour = ph_raw_colour(file, x - sizes->left_margin + FAR, y - sizes->top_margin + FAR);
  return colour == 3 ? 1 : colour;
}

/// Returns the value of a defective sample: the mean of the two good neighbours that are opposite
/// each other and differ least. If there are none, the value is the mean of the good samples within
/// 2, 4 or 6 pixels. Returns −1 if there are no good samples either.
static int mended(const PhRawFile *file, const PhDefects *defects, int x, int y) {
  static const int pairs[6][2] = {{2, 0}, {0, 2}, {1, 1}, {1, -1}, {2, 2}, {2, -2}};
  int colour = colour_of(file, x, y), step = ph_raw_is_xtrans(file) ? 1 : 2;
  int least = 1 << 20, value = -1;
  for (int i = 0; i < 6; i++) {
    int dx = pairs[i][0], dy = pairs[i][1];
    if (!is_good(defects, x + dx, y + dy) || !is_good(defects, x - dx, y - dy) ||
        colour_of(file, x + dx, y + dy) != colour || colour_of(file, x - dx, y - dy) != colour)
      continue;
    int a = row_of(file, y + dy)[x + dx], b = row_of(file, y - dy)[x - dx];
    if (abs(a - b) < least) least = abs(a - b), value = (a + b + 1) / 2;
  }
  for (int reach = 2; value < 0 && reach <= 6; reach += 2) {
    gint64 sum = 0;
    int count = 0;
    for (int dy = -reach; dy <= reach; dy += step)
      for (int dx = -reach; dx <= reach; dx += step)
        if (is_good(defects, x + dx, y + dy) && colour_of(file, x + dx, y + dy) == colour)
          sum += row_of(file, y + dy)[x + dx], count++;
    if (count) value = (int)((sum + count / 2) / count);
  }
  return value;
}

int ph_raw_mend(PhRawFile *file, const VipsArrayInt *areas, const VipsArrayInt *values) {
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  PhDefects defects = {.width = sizes->raw_width, .height = sizes->raw_height};
  defects.bits = g_try_malloc0((size_t)defects.width * (size_t)defects.height / 8 + 1);
  if (!defects.bits) return fail("memory is short");
  if (areas) mark_areas(&defects, areas);
  if (values) mark_values(&defects, file, values);
  for (int y = 0; y < defects.height; y++)
    for (int x = 0; x < defects.width; x++) {
      // Most bytes have no defect; they are skipped at once.
      size_t at = (size_t)y * (size_t)defects.width + (size_t)x;
      if (at % 8 == 0 && !defects.bits[at / 8] && x + 8 <= defects.width) {
        x += 7;
        continue;
      }
      if (is_good(&defects, x, y)) continue;
      int value = mended(file, &defects, x, y);
      // Only good samples are read, so the order does not matter.
      if (value >= 0) row_of(file, y)[x] = (ushort)value;
    }
  g_free(defects.bits);
  return 0;
}
