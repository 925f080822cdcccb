#pragma STDC FP_CONTRACT OFF

#include <math.h>

#include "raw/develop.h"

/// The maximum number of rows, or of samples of a row, of a colour that overlap an output pixel, which
/// is less than 24 pixels wide and high.
enum { PH_MOST_ROWS = 24 };

/// The part of the pixel or of the interval from `start` to `end` that is between `first` and
/// `last`.
static double overlap(double start, double end, double first, double last) {
  return VIPS_MAX(0, VIPS_MIN(end, last) - VIPS_MAX(start, first));
}

/// Returns the first row or column that has the samples of a colour, those with an even or odd
/// number as `parity`, and whose samples count between `first` and later positions.
///
/// A sample of red or blue stands for two pixels along each axis: its own, and half of each
/// neighbour. With these weights, the centre of the samples is the centre of the interval.
static int first_sample(double first, int parity) {
  int at = (int)floor(first - 1.5) + 1;
  return (at ^ parity) & 1 ? at + 1 : at;
}

/// The weight of a sample of red or blue in an interval, 0…1.
static float weight_of(int at, double first, double last) {
  return (float)(overlap(at - 0.5, at + 1.5, first, last) / 2);
}

/// Returns the column that stands for a column.
static inline int inside(int x, int width) {
  return x >= 0 && x < width ? x : ph_reflected(x, width);
}

/// The sums of rows, of every second column: of red and of blue, and of green in even and in odd
/// columns. `parity` is the first column of red, 0 or 1; blue has the other columns.
typedef struct {
  float *red, *blue, *even, *odd;
  int width, parity;
} PhRowSums;

/// The columns of a colour that overlap an output pixel: the first and the last of them, and their
/// weights. The weight of the columns between them is 1.
typedef struct {
  int first, last;
  float of_first, of_last;
} PhColumns;

/// The columns of green, red and blue of an output pixel.
typedef struct {
  PhColumns green, red, blue;
} PhPixelColumns;

/// The columns of red or blue between the positions `first` and `last`.
static PhColumns columns_of(double first, double last, int parity) {
  PhColumns columns = {.first = first_sample(first, parity)};
  columns.last = columns.first;
  while (columns.last + 2 - 0.5 < last) columns.last += 2;
  columns.of_first = weight_of(columns.first, first, last);
  columns.of_last = weight_of(columns.last, first, last);
  return columns;
}

/// Finds the columns of the output pixels from `start` to the one before `end`.
static void find_columns(const PhDevelop *develop, double across_pixel, int start, int end,
                         PhPixelColumns *to) {
  for (int x = start; x < end; x++) {
    double left = develop->left + x * across_pixel, right = left + across_pixel;
    int first = (int)floor(left), last = (int)ceil(right) - 1;
    to[x].green = (PhColumns){first, last, (float)overlap(first, first + 1, left, right),
                              (float)overlap(last, last + 1, left, right)};
    to[x].red = columns_of(left, right, develop->red_left);
    to[x].blue = columns_of(left, right, !develop->red_left);
  }
}

/// Returns the weighted sum of the samples of red or blue of an output pixel.
static float across(const float *sums, const PhColumns *columns, int width) {
  int x = columns->first;
  float sum = columns->of_first * sums[inside(x, width) / 2];
  for (x += 2; x < columns->last; x += 2) sum += sums[inside(x, width) / 2];
  return x == columns->last ? sum + columns->of_last * sums[inside(x, width) / 2] : sum;
}

/// The rows of one kind that overlap an output pixel, and their weights.
typedef struct {
  const float *rows[PH_MOST_ROWS];
  float weights[PH_MOST_ROWS];
  int number;
} PhWeightedRows;

static void add_row(PhWeightedRows *to, const float *row, float weight) {
  to->rows[to->number] = row;
  to->weights[to->number++] = weight;
}

/// Writes the sums of every second column of some rows, from the column `first` on.
static void sum_rows(const PhLoops *loops, PhWeightedRows *of, int first, int width, float *to) {
  int count = (width - first + 1) / 2;
  if (!of->number) {
    memset(to, 0, (size_t)count * sizeof(float));
    return;
  }
  for (int i = 0; i < of->number; i++) of->rows[i] += first;
  loops->sum_rows(of->rows, of->weights, of->number, to, count);
}

void ph_develop_write_reduced(PhDevelop *develop, double y, float *planes, float *to) {
  PhKernel *kernel = &develop->parent_instance;
  int outputs = kernel->out->Xsize;
  float *red = planes, *green = red + outputs, *blue = green + outputs;
  double across_pixel = develop->width / (double)outputs;
  if (develop->rebuild)
    ph_ratio_map_rebuild(&develop->ratios, develop->left + 0.5 * across_pixel, y, across_pixel,
                         develop->gain, red, green, blue, outputs);
  kernel->loops->camera_colours(&develop->colours, red, green, blue, outputs);
  for (int x = 0; x < outputs; x++)
    for (int band = 0; band < 3; band++) to[3 * x + band] = planes[band * outputs + x];
}

/// The outputs of a row, and the shares of green.
typedef struct {
  /// The width of an output pixel; `of_even` and `of_odd` are the weights of the rows with green in
  /// even columns and in odd columns.
  double across_pixel;
  float of_even, of_odd, quarter;
  /// The planes of red, green and blue.
  float *out;
  int outputs;
  /// The pixels from `start` to the one before `end` are computed with the same weights; for the
  /// others, the columns are known.
  int start, end;
  PhPixelColumns *columns;
} PhReducedRow;

/// Computes the output pixels from `start` to the one before `end`.
static void reduce_pixels(const PhDevelop *develop, const PhRowSums *sums, const PhReducedRow *row,
                          int start, int end) {
  int width = sums->width, outputs = row->outputs;
  for (int x = start; x < end; x++) {
    const PhPixelColumns *columns = &row->columns[x];
    int from = columns->green.first, until = columns->green.last;
    float green = 0, share = 0;
    for (int at = from; at <= until; at++) {
      int column = inside(at, width);
      float weight = at == from    ? columns->green.of_first
                     : at == until ? columns->green.of_last
                                   : 1;
      green += weight * ((column & 1) ? sums->odd : sums->even)[column / 2];
      share += weight * ((column & 1) ? row->of_odd : row->of_even);
    }
    float r = across(sums->red, &columns->red, width) * row->quarter * develop->gain[0];
    float g = green / share * develop->gain[1];
    float b = across(sums->blue, &columns->blue, width) * row->quarter * develop->gain[2];
    row->out[x] = r > 0 ? r : 0;
    row->out[outputs + x] = g > 0 ? g : 0;
    row->out[2 * outputs + x] = b > 0 ? b : 0;
  }
}

/// Computes red or blue of the output pixels from `start` to the one before `end`, whose edges are
/// edges of pixels of the mosaic.
static void reduce_whole(const PhDevelop *develop, const float *sums, int parity, float quarter,
                         float gain, int start, int end, float *to) {
  int step = develop->shrink, left = develop->left + start * step;
  float weights[PH_MOST_ROWS];
  int number = 0, at = first_sample(left, parity);
  for (int x = at; x - 0.5 < left + step; x += 2) weights[number++] = weight_of(x, left, left + step);
  develop->parent_instance.loops->sum_samples(sums + (at - parity) / 2, step / 2, weights, number,
                                              quarter, gain, to + start, end - start);
}

/// Computes the planes of a row of the output.
static void reduce_row(const PhDevelop *develop, const PhRowSums *sums, const PhReducedRow *row) {
  int step = develop->shrink, outputs = row->outputs, start = row->start, end = row->end;
  if (end > start) {
    int left = develop->left + start * step, parity = sums->parity;
    const float *first = (left & 1) ? sums->odd : sums->even;
    const float *second = (left & 1) ? sums->even : sums->odd;
    float share = 0;
    for (int i = left; i < left + step; i++) share += (i & 1) ? row->of_odd : row->of_even;
    reduce_whole(develop, sums->red, parity, row->quarter, develop->gain[0], start, end, row->out);
    develop->parent_instance.loops->sum_pairs(first + left / 2, second + (left + 1) / 2, step / 2,
                                              share, develop->gain[1], row->out + outputs + start,
                                              end - start);
    reduce_whole(develop, sums->blue, !parity, row->quarter, develop->gain[2], start, end,
                 row->out + 2 * outputs);
  }
  reduce_pixels(develop, sums, row, 0, start);
  reduce_pixels(develop, sums, row, end, outputs);
}

int ph_develop_reduce(PhDevelop *develop, VipsRegion *source, int top, int rows, float *to) {
  PhKernel *kernel = &develop->parent_instance;
  int width = source->im->Xsize, height = source->im->Ysize;
  int outputs = kernel->out->Xsize, half = (width + 1) / 2;
  // The edges of the rectangle of an output pixel.
  double across_pixel = develop->width / (double)outputs;
  double down_pixel = develop->height / (double)kernel->out->Ysize;
  int start = (int)floor(develop->top + top * down_pixel) - 2;
  int end = (int)ceil(develop->top + (top + rows) * down_pixel) + 2;
  if (ph_mosaic_prepare(source, start, end - start)) return -1;
  float *line = develop->line;
  PhRowSums sums = {line, line + half, line + 2 * half, line + 3 * half, width, develop->red_left};
  PhReducedRow row = {.across_pixel = across_pixel,
                      .quarter = (float)(4 / (across_pixel * down_pixel)),
                      .out = line + 4 * half,
                      .outputs = outputs};
  if (across_pixel == develop->shrink) {
    // The samples of these pixels are inside the mosaic.
    row.start = develop->left > 0 ? 0 : 1;
    row.end = VIPS_MIN(outputs, (width - 2 - develop->left) / develop->shrink);
  }
  if (row.end <= row.start) row.start = row.end = 0;
  row.columns = g_try_new(PhPixelColumns, outputs);
  if (!row.columns) {
    vips_error("phbatch_develop", "%s", "memory is short");
    return -1;
  }
  find_columns(develop, across_pixel, 0, row.start, row.columns);
  find_columns(develop, across_pixel, row.end, outputs, row.columns);
  for (int y = 0; y < rows; y++) {
    double first = develop->top + (top + y) * down_pixel, last = first + down_pixel;
    for (int colour = 0; colour < 2; colour++) {
      int parity = colour ? 1 - develop->red_top : develop->red_top;
      PhWeightedRows of = {.number = 0};
      for (int at = first_sample(first, parity); at - 0.5 < last; at += 2)
        add_row(&of, ph_mosaic_row(source, ph_reflected(at, height)), weight_of(at, first, last));
      sum_rows(kernel->loops, &of, colour ? !sums.parity : sums.parity, width,
               colour ? sums.blue : sums.red);
    }
    PhWeightedRows even = {.number = 0}, odd = {.number = 0};
    row.of_even = row.of_odd = 0;
    for (int at = (int)floor(first); at < last; at++) {
      // In a row with red, green is in the columns without red; in a row with blue, green is in the
      // columns of red.
      gboolean is_red_row = (at & 1) == develop->red_top;
      gboolean is_odd = is_red_row ? !develop->red_left : develop->red_left;
      float weight = (float)overlap(at, at + 1, first, last);
      *(is_odd ? &row.of_odd : &row.of_even) += weight;
      add_row(is_odd ? &odd : &even, ph_mosaic_row(source, ph_reflected(at, height)), weight);
    }
    sum_rows(kernel->loops, &even, 0, width, sums.even);
    sum_rows(kernel->loops, &odd, 1, width, sums.odd);
    reduce_row(develop, &sums, &row);
    ph_develop_write_reduced(develop, first + 0.5 * down_pixel, row.out,
                             to + (size_t)y * (size_t)outputs * 3);
  }
  g_free(row.columns);
  return 0;
}
