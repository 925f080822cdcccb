#pragma STDC FP_CONTRACT OFF

#include "raw/levels.h"

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

/// Fills `black` with the stated pattern, and finds the differences by row and column. Returns −1
/// if memory is short.
static int prepare_differences(PhRawLevels *levels, const PhRawStatedBlack *stated) {
  int count;
  const double *numbers = vips_array_double_get((VipsArrayDouble *)(size_t)stated->pattern, &count);
  if (count < 3 || !(numbers[0] >= 1 && numbers[0] <= 64 && numbers[1] >= 1 && numbers[1] <= 64) ||
      count != 2 + (int)numbers[0] * (int)numbers[1])
    return 0;
  levels->row_black = differences(stated->rows, stated->height);
  levels->column_black = differences(stated->columns, stated->width);
  if (!levels->row_black && !levels->column_black) return 0;
  levels->period_rows = (int)numbers[0], levels->period_columns = (int)numbers[1];
  levels->black = g_try_new(float, count - 2);
  if (!levels->black) return fail("memory is short");
  for (int i = 0; i < count - 2; i++) levels->black[i] = (float)numbers[2 + i];
  return 0;
}

int ph_raw_levels_prepare(PhRawLevels *levels, const PhRawFile *file, PhRawKind kind,
                          const PhRawStatedBlack *stated) {
  levels->kind = kind;
  if (kind == PH_RAW_MOSAIC && stated->pattern) {
    if (prepare_differences(levels, stated)) return -1;
    if (levels->black) return 0;
  }
  const libraw_colordata_t *colour = &file->libraw->color;
  gboolean has_pattern = colour->cblack[4] > 0 && colour->cblack[5] > 0 &&
                         colour->cblack[4] <= LIBRAW_CBLACK_SIZE &&
                         colour->cblack[5] <= LIBRAW_CBLACK_SIZE &&
                         colour->cblack[4] * colour->cblack[5] <= LIBRAW_CBLACK_SIZE - 6;
  int period = ph_raw_is_xtrans(file) ? 6 : 2;
  levels->period_rows = has_pattern ? period * (int)colour->cblack[4] : period;
  levels->period_columns = has_pattern ? period * (int)colour->cblack[5] : period;
  gboolean has_layers = kind == PH_RAW_LAYERS;
  size_t count = has_layers ? 3 : (size_t)levels->period_rows * (size_t)levels->period_columns;
  levels->black = g_try_new(float, count);
  levels->factor = g_try_new(float, count);
  if (!levels->black || !levels->factor) return fail("memory is short");
  for (int i = 0; i < (int)count; i++) {
    int x = i % levels->period_columns, y = i / levels->period_columns;
    double black = has_layers ? ph_raw_layer_black(file, i) : ph_raw_black(file, x, y);
    double white = has_layers ? ph_raw_layer_white(file, i)
                              : ph_raw_white(file, ph_raw_colour(file, x, y));
    if (white - black < 1) return fail("its levels of black and white are damaged");
    levels->black[i] = (float)black;
    levels->factor[i] = (float)(1 / (white - black));
  }
  if (has_layers) {
    levels->row_black = differences(stated->rows, stated->height);
    levels->column_black = differences(stated->columns, stated->width);
  }
  return 0;
}

/// Writes samples whose black differs by row or column.
static void write_by_line(const PhRawLevels *levels, const PhRawFile *file, const ushort *row,
                          int left, int y, int count, float *to) {
  const float *black = levels->black + y % levels->period_rows * levels->period_columns;
  double of_row = levels->row_black ? levels->row_black[y] : 0;
  for (int x = left; x < left + count; x++) {
    double level = black[x % levels->period_columns] + of_row +
                   (levels->column_black ? levels->column_black[x] : 0);
    double range = ph_raw_white(file, ph_raw_colour(file, x, y)) - level;
    to[x - left] = range >= 1 ? (float)((row[x - left] - level) / range) : 0;
  }
}

static void write_mosaic(const PhRawLevels *levels, const PhRawFile *file, int left, int y,
                         int count, float *to) {
  const libraw_data_t *raw = file->libraw;
  const ushort *row =
      (const ushort *)(const void *)((const char *)raw->rawdata.raw_image +
                                     (size_t)(raw->sizes.top_margin + y) * raw->sizes.raw_pitch) +
      raw->sizes.left_margin + left;
  if (!levels->factor) {
    write_by_line(levels, file, row, left, y, count, to);
    return;
  }
  const float *black = levels->black + y % levels->period_rows * levels->period_columns;
  const float *factor = levels->factor + y % levels->period_rows * levels->period_columns;
  if (levels->period_columns == 2) {
    // The columns of a Bayer row alternate between two black levels and two factors.
    const float first = black[left & 1], second = black[~left & 1];
    const float gain = factor[left & 1], other = factor[~left & 1];
    for (int x = 0; x + 1 < count; x += 2) {
      to[x] = ((float)row[x] - first) * gain;
      to[x + 1] = ((float)row[x + 1] - second) * other;
    }
    if (count % 2) to[count - 1] = ((float)row[count - 1] - first) * gain;
    return;
  }
  for (int x = 0; x < count; x++) {
    int i = (left + x) % levels->period_columns;
    to[x] = ((float)row[x] - black[i]) * factor[i];
  }
}

static void write_layers(const PhRawLevels *levels, const PhRawFile *file, int left, int y,
                         int count, float *to) {
  enum { TOGETHER = 256 };
  ushort from[3 * TOGETHER];
  const double *of_row = levels->row_black, *of_column = levels->column_black;
  for (int done = 0; done < count; done += TOGETHER) {
    int pixels = VIPS_MIN(TOGETHER, count - done);
    ph_raw_layers_row(file, left + done, y, pixels, from);
    for (int x = 0; x < pixels; x++, to += 3) {
      double more = (of_row ? of_row[y] : 0) + (of_column ? of_column[left + done + x] : 0);
      for (int c = 0; c < 3; c++) {
        float black = levels->black[c], factor = levels->factor[c];
        if (more != 0) black += (float)more, factor = 1 / (1 / factor - (float)more);
        to[c] = ((float)from[3 * x + c] - black) * factor;
      }
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
