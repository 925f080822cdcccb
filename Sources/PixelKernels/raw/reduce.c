#pragma STDC FP_CONTRACT OFF

#include "raw/develop.h"

/// Returns the weight of sample number `step`, 0 … `shrink` ÷ 2, of one colour along one axis of a
/// square of `shrink` pixels. The colour has a sample in every second pixel, first in the square's
/// first pixel if `is_first` is set. With these weights, the centre of the samples is the centre of
/// the square.
static float weight_of(int step, int shrink, gboolean is_first) {
  float first = is_first ? 0.75f : 0.25f;
  if (step == 0) return first;
  return step == shrink / 2 ? 1 - first : 1;
}

/// Returns the weighted sum of the samples of red or blue in a square that begins at column `x`.
/// `sums` has the sums of the square's rows for all `width` columns.
static float across(const float *sums, int x, int shrink, gboolean is_first, int width) {
  int start = is_first ? x : x - 1;
  float sum = 0;
  for (int step = 0; step <= shrink / 2; step++)
    sum += weight_of(step, shrink, is_first) * sums[ph_reflected(start + 2 * step, width)];
  return sum;
}

/// Adds `from`, multiplied by `weight`, to `sums`.
static void add_row(float *restrict sums, const float *from, float weight, int width) {
  for (int x = 0; x < width; x++) sums[x] += weight * from[x];
}

int ph_develop_reduce(PhDevelop *develop, VipsRegion *source, int top, int rows, float *to) {
  PhKernel *kernel = &develop->parent_instance;
  int width = source->im->Xsize, height = source->im->Ysize, shrink = develop->shrink;
  if (ph_mosaic_prepare(source, develop->top + top * shrink - 2, rows * shrink + 4)) return -1;
  // The sums of four kinds of rows: red samples, blue samples, green samples in even columns, and
  // green samples in odd columns.
  float *red = develop->line, *blue = red + width, *even = blue + width, *odd = even + width;
  float *out = odd + width;
  int outputs = kernel->out->Xsize;
  float half = 2 / (float)shrink, quarter = half * half;
  for (int y = 0; y < rows; y++) {
    int y0 = develop->top + (top + y) * shrink;
    memset(develop->line, 0, 4 * (size_t)width * sizeof(float));
    for (int colour = 0; colour < 2; colour++) {
      int row = colour ? 1 - develop->red_top : develop->red_top;
      gboolean is_first = (y0 & 1) == row;
      int start = is_first ? y0 : y0 - 1;
      for (int step = 0; step <= shrink / 2; step++)
        add_row(colour ? blue : red,
                ph_mosaic_row(source, ph_reflected(start + 2 * step, height)),
                weight_of(step, shrink, is_first), width);
    }
    for (int step = 0; step < shrink; step++) {
      // In a row with red, green is in the columns without red; in a row with blue, green is in the
      // columns of red.
      gboolean is_red_row = ((y0 + step) & 1) == develop->red_top;
      gboolean is_odd = is_red_row ? !develop->red_left : develop->red_left;
      add_row(is_odd ? odd : even, ph_mosaic_row(source, ph_reflected(y0 + step, height)), 1,
              width);
    }
    for (int x = 0; x < outputs; x++) {
      int x0 = develop->left + x * shrink;
      gboolean is_red_first = (x0 & 1) == develop->red_left;
      float green = 0;
      for (int step = 0; step < shrink; step++) {
        int column = ph_reflected(x0 + step, width);
        green += (column & 1) ? odd[column] : even[column];
      }
      float r = across(red, x0, shrink, is_red_first, width) * quarter * develop->gain[0];
      float g = green * quarter * 0.5f * develop->gain[1];
      float b = across(blue, x0, shrink, !is_red_first, width) * quarter * develop->gain[2];
      out[x] = r > 0 ? r : 0;
      out[outputs + x] = g > 0 ? g : 0;
      out[2 * outputs + x] = b > 0 ? b : 0;
    }
    if (develop->rebuild)
      ph_ratio_map_rebuild(&develop->ratios, develop->left + 0.5 * shrink, y0 + 0.5 * shrink,
                           shrink, develop->gain, out, out + outputs, out + 2 * outputs, outputs);
    kernel->loops->camera_colours(&develop->colours, out, out + outputs, out + 2 * outputs,
                                  outputs);
    float *pixel = to + (size_t)y * (size_t)outputs * 3;
    for (int x = 0; x < outputs; x++)
      for (int band = 0; band < 3; band++) pixel[3 * x + band] = out[band * outputs + x];
  }
  return 0;
}
