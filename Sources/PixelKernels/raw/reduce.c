#pragma STDC FP_CONTRACT OFF

#include <math.h>

#include "raw/develop.h"

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

/// Returns the weighted sum of the samples of red or blue between the columns `first` and `last`.
/// `sums` has the sums of the square's rows for all `width` columns.
static float across(const float *sums, double first, double last, int parity, int width) {
  int x = first_sample(first, parity);
  float sum = weight_of(x, first, last) * sums[inside(x, width)];
  // Only the first and the last sample are on an edge.
  for (x += 2; x + 1.5 <= last; x += 2) sum += sums[inside(x, width)];
  for (; x - 0.5 < last; x += 2) sum += weight_of(x, first, last) * sums[inside(x, width)];
  return sum;
}

/// Adds `from`, multiplied by `weight`, to `sums`.
static void add_row(float *restrict sums, const float *from, float weight, int width) {
  for (int x = 0; x < width; x++) sums[x] += weight * from[x];
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

int ph_develop_reduce(PhDevelop *develop, VipsRegion *source, int top, int rows, float *to) {
  PhKernel *kernel = &develop->parent_instance;
  int width = source->im->Xsize, height = source->im->Ysize;
  int outputs = kernel->out->Xsize;
  // The edges of the rectangle of an output pixel.
  double across_pixel = develop->width / (double)outputs;
  double down_pixel = develop->height / (double)kernel->out->Ysize;
  int start = (int)floor(develop->top + top * down_pixel) - 2;
  int end = (int)ceil(develop->top + (top + rows) * down_pixel) + 2;
  if (ph_mosaic_prepare(source, start, end - start)) return -1;
  // The sums of four kinds of rows: red samples, blue samples, green samples in even columns, and
  // green samples in odd columns.
  float *red = develop->line, *blue = red + width, *even = blue + width, *odd = even + width;
  float *out = odd + width;
  float quarter = (float)(4 / (across_pixel * down_pixel));
  for (int y = 0; y < rows; y++) {
    double first = develop->top + (top + y) * down_pixel, last = first + down_pixel;
    memset(develop->line, 0, 4 * (size_t)width * sizeof(float));
    for (int colour = 0; colour < 2; colour++) {
      int parity = colour ? 1 - develop->red_top : develop->red_top;
      for (int row = first_sample(first, parity); row - 0.5 < last; row += 2)
        add_row(colour ? blue : red, ph_mosaic_row(source, ph_reflected(row, height)),
                weight_of(row, first, last), width);
    }
    // The weights of the rows with green in even columns, and in odd columns.
    float of_even = 0, of_odd = 0;
    for (int row = (int)floor(first); row < last; row++) {
      // In a row with red, green is in the columns without red; in a row with blue, green is in the
      // columns of red.
      gboolean is_red_row = (row & 1) == develop->red_top;
      gboolean is_odd = is_red_row ? !develop->red_left : develop->red_left;
      float weight = (float)overlap(row, row + 1, first, last);
      *(is_odd ? &of_odd : &of_even) += weight;
      add_row(is_odd ? odd : even, ph_mosaic_row(source, ph_reflected(row, height)), weight, width);
    }
    for (int x = 0; x < outputs; x++) {
      double left = develop->left + x * across_pixel, right = left + across_pixel;
      float green = 0, share = 0;
      int from = (int)floor(left), until = (int)ceil(right) - 1;
      for (int at = from; at <= until; at++) {
        int column = inside(at, width);
        // Only the first and the last column are on an edge.
        float weight =
            at == from || at == until ? (float)overlap(at, at + 1, left, right) : 1;
        green += weight * ((column & 1) ? odd[column] : even[column]);
        share += weight * ((column & 1) ? of_odd : of_even);
      }
      float r = across(red, left, right, develop->red_left, width) * quarter * develop->gain[0];
      float g = green / share * develop->gain[1];
      float b = across(blue, left, right, !develop->red_left, width) * quarter * develop->gain[2];
      out[x] = r > 0 ? r : 0;
      out[outputs + x] = g > 0 ? g : 0;
      out[2 * outputs + x] = b > 0 ? b : 0;
    }
    ph_develop_write_reduced(develop, first + 0.5 * down_pixel, out,
                             to + (size_t)y * (size_t)outputs * 3);
  }
  return 0;
}
