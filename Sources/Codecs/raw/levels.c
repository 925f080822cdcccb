#pragma STDC FP_CONTRACT OFF

#include "raw/levels.h"

#include <math.h>

#include "loops/loops.h"

static int fail(const char *words) {
  vips_error("phbatch_rawload", "%s", words);
  return -1;
}

/// Returns the numbers of an array that has one for each row or column; otherwise NULL.
static const double *differences(const VipsArrayDouble *array, int wanted) {
  int count;
  if (!array) return NULL;
  const double *numbers = vips_array_double_get((VipsArrayDouble *)(size_t)array, &count);
  return count == wanted ? numbers : NULL;
}

/// The stated black of the pixels of a pattern, with one level for each of their samples; `levels` is
/// NULL if no pattern is stated.
typedef struct {
  int rows, columns;
  const double *levels;
} PhBlackPattern;

static PhBlackPattern read_pattern(const VipsArrayDouble *array, int samples) {
  PhBlackPattern none = {1, 1, NULL};
  int count;
  if (!array) return none;
  const double *numbers = vips_array_double_get((VipsArrayDouble *)(size_t)array, &count);
  if (count < 3 || !(numbers[0] >= 1 && numbers[0] <= 64 && numbers[1] >= 1 && numbers[1] <= 64) ||
      count != 2 + samples * (int)numbers[0] * (int)numbers[1])
    return none;
  return (PhBlackPattern){(int)numbers[0], (int)numbers[1], numbers + 2};
}

/// LibRaw's pattern of black for a mosaic, whose levels `ph_raw_black` returns.
static PhBlackPattern known_pattern(const PhRawFile *file) {
  const unsigned *black = file->libraw->color.cblack;
  gboolean is_valid = black[4] > 0 && black[5] > 0 && black[4] <= LIBRAW_CBLACK_SIZE &&
                      black[5] <= LIBRAW_CBLACK_SIZE && black[4] * black[5] <= LIBRAW_CBLACK_SIZE - 6;
  return (PhBlackPattern){is_valid ? (int)black[4] : 1, is_valid ? (int)black[5] : 1, NULL};
}

/// Returns the highest of `count` differences; 0 if there are none.
static double highest(const double *numbers, int count) {
  double most = numbers ? numbers[0] : 0;
  for (int i = 1; numbers && i < count; i++) most = VIPS_MAX(most, numbers[i]);
  return most;
}

static int common_multiple(int a, int b) {
  int multiple = a;
  while (multiple % b) multiple += a;
  return multiple;
}

int ph_raw_levels_prepare(PhRawLevels *levels, const PhRawFile *file, PhRawKind kind,
                          const PhRawStatedBlack *stated) {
  gboolean has_layers = kind == PH_RAW_LAYERS;
  int samples = has_layers ? 3 : 1, cell = has_layers ? 1 : ph_raw_is_xtrans(file) ? 6 : 2;
  PhBlackPattern pattern = read_pattern(stated->pattern, samples);
  if (has_layers || pattern.levels) {
    levels->row_black = differences(stated->rows, stated->height);
    levels->column_black = differences(stated->columns, stated->width);
  }
  if (!has_layers && !levels->row_black && !levels->column_black) pattern = known_pattern(file);
  levels->kind = kind;
  levels->period_rows = common_multiple(cell, pattern.rows);
  levels->period_columns = common_multiple(cell, pattern.columns);
  int count = levels->period_rows * levels->period_columns * samples;
  levels->black = g_try_new(float, count);
  levels->factor = g_try_new(float, count);
  if (!levels->black || !levels->factor) return fail("memory is short");
  // All samples of a layer, or of a mosaic, have one scale: that of the highest black.
  double most[3] = {-INFINITY, -INFINITY, -INFINITY};
  double more = highest(levels->row_black, stated->height) +
                highest(levels->column_black, stated->width);
  for (int i = 0; i < count; i++) {
    int layer = i % samples, pixel = i / samples;
    int x = pixel % levels->period_columns, y = pixel / levels->period_columns;
    int place = y % pattern.rows * pattern.columns + x % pattern.columns;
    double black = pattern.levels ? pattern.levels[place * samples + layer]
                   : has_layers   ? ph_raw_layer_black(file, layer)
                                  : ph_raw_black(file, x, y);
    levels->black[i] = (float)black;
    most[layer] = VIPS_MAX(most[layer], black + more);
  }
  for (int i = 0; i < count; i++) {
    int layer = i % samples, pixel = i / samples;
    int x = pixel % levels->period_columns, y = pixel / levels->period_columns;
    double white = has_layers ? ph_raw_layer_white(file, layer)
                              : ph_raw_white(file, ph_raw_colour(file, x, y));
    if (!(white - most[layer] >= 1)) return fail("its levels of black and white are damaged");
    levels->factor[i] = (float)(1 / (white - most[layer]));
  }
  return 0;
}

/// The difference of black in a row and a column.
static inline float line_black(const PhRawLevels *levels, int x, int y) {
  return (float)((levels->row_black ? levels->row_black[y] : 0) +
                 (levels->column_black ? levels->column_black[x] : 0));
}

static void write_mosaic(const PhRawLevels *levels, const PhRawFile *file, int left, int y,
                         int count, float *to) {
  const libraw_data_t *raw = file->libraw;
  const ushort *row =
      (const ushort *)(const void *)((const char *)raw->rawdata.raw_image +
                                     (size_t)(raw->sizes.top_margin + y) * raw->sizes.raw_pitch) +
      raw->sizes.left_margin + left;
  const float *black = levels->black + y % levels->period_rows * levels->period_columns;
  const float *factor = levels->factor + y % levels->period_rows * levels->period_columns;
  gboolean has_lines = levels->row_black || levels->column_black;
  if (levels->period_columns == 2 && !has_lines) {
    // The columns of a Bayer row alternate between two black levels and two factors.
    const float levels_of_pair[2] = {black[left & 1], black[~left & 1]};
    const float gains[2] = {factor[left & 1], factor[~left & 1]};
    ph_loops(FALSE)->scale_pairs(row, levels_of_pair, gains, to, count);
    return;
  }
  for (int x = 0; x < count; x++) {
    int i = (left + x) % levels->period_columns;
    float more = has_lines ? line_black(levels, left + x, y) : 0;
    to[x] = ((float)row[x] - black[i] - more) * factor[i];
  }
}

static void write_layers(const PhRawLevels *levels, const PhRawFile *file, int left, int y,
                         int count, float *to) {
  enum { TOGETHER = 256 };
  ushort from[3 * TOGETHER];
  int first = y % levels->period_rows * levels->period_columns;
  for (int done = 0; done < count; done += TOGETHER) {
    int pixels = VIPS_MIN(TOGETHER, count - done);
    ph_raw_layers_row(file, left + done, y, pixels, from);
    for (int x = 0; x < pixels; x++, to += 3) {
      int i = 3 * (first + (left + done + x) % levels->period_columns);
      float more = line_black(levels, left + done + x, y);
      for (int c = 0; c < 3; c++)
        to[c] = ((float)from[3 * x + c] - levels->black[i + c] - more) * levels->factor[i + c];
    }
  }
}

void ph_raw_levels_apply(const PhRawLevels *levels, const PhRawFile *file, int left, int y, int count,
                         float *to) {
  (levels->kind == PH_RAW_MOSAIC ? write_mosaic : write_layers)(levels, file, left, y, count, to);
}

void ph_raw_levels_free(PhRawLevels *levels) {
  g_free(levels->black);
  g_free(levels->factor);
  levels->black = levels->factor = NULL;
}
