#pragma STDC FP_CONTRACT OFF

#include <math.h>

#include "raw/xtrans.h"

/// The means of the blocks of 3 × 3 pixels in one row of blocks, multiplied by `weight`, are added to
/// `sums`, which has three floats for each block: red, green and blue. The first block starts at
/// column `left`, which is the first of a block, and the row of blocks at row `top`.
///
/// The samples of each colour in a block have their centre in its middle.
static void add_blocks(const PhDevelop *develop, VipsRegion *source, int left, int top, int blocks,
                       float weight, float *sums) {
  int width = source->im->Xsize, height = source->im->Ysize;
  int column = (left - develop->cell_left + 6) % 6, row = (top - develop->cell_top + 6) % 6;
  for (int y = 0; y < 3; y++) {
    const float *from =
        ph_mosaic_row(source, ph_xtrans_reflected(top + y, height, develop->cell_top));
    for (int x = 0; x < 3; x++)
      for (int odd = 0; odd < 2; odd++) {
        int colour = ph_xtrans_colour((row + y) % 6, (column + x + 3 * odd) % 6);
        float part = weight / (colour == 1 ? 5 : 2);
        for (int i = odd; i < blocks; i += 2) {
          int at = left + 3 * i + x;
          if (at < 0 || at >= width) at = ph_xtrans_reflected(at, width, develop->cell_left);
          sums[3 * i + colour] += part * from[at];
        }
      }
  }
}

/// The number of blocks between `start` and `end` that is in the block `at`, 0…1. Positions are in
/// pixels.
static double overlap(double start, double end, int at) {
  return VIPS_MAX(0, VIPS_MIN(end, at + 3) - VIPS_MAX(start, at)) / 3;
}

/// Returns the first column or row of the block that contains the position `at`.
static int block_start(double at, int first) {
  return first % 3 - 3 + (int)floor((at - (first % 3 - 3)) / 3) * 3;
}

int ph_develop_reduce_xtrans(PhDevelop *develop, VipsRegion *source, int top, int rows, float *to) {
  PhKernel *kernel = &develop->parent_instance;
  int outputs = kernel->out->Xsize;
  // The edges of the rectangle of an output pixel.
  double across_pixel = develop->width / (double)outputs;
  double down_pixel = develop->height / (double)kernel->out->Ysize;
  int left = block_start(develop->left, develop->cell_left);
  int blocks = (develop->left + develop->width - left) / 3 + 2;
  int start = block_start(develop->top + top * down_pixel, develop->cell_top);
  int end = (int)ceil(develop->top + (top + rows) * down_pixel) + 3;
  if (ph_xtrans_prepare(develop, source, start, end - start)) return -1;
  float *sums = develop->line, *out = sums + 3 * (size_t)blocks;
  for (int y = 0; y < rows; y++) {
    double first = develop->top + (top + y) * down_pixel, last = first + down_pixel;
    memset(sums, 0, 3 * (size_t)blocks * sizeof(float));
    for (int at = block_start(first, develop->cell_top); at < last; at += 3)
      add_blocks(develop, source, left, at, blocks,
                 (float)(overlap(first, last, at) * 3 / down_pixel), sums);
    for (int x = 0; x < outputs; x++) {
      double from = develop->left + x * across_pixel, until = from + across_pixel;
      float colour[3] = {0};
      for (int at = block_start(from, develop->cell_left); at < until; at += 3) {
        float weight = (float)(overlap(from, until, at) * 3 / across_pixel);
        for (int c = 0; c < 3; c++) colour[c] += weight * sums[at - left + c];
      }
      for (int c = 0; c < 3; c++) {
        float value = colour[c] * develop->gain[c];
        out[c * outputs + x] = value > 0 ? value : 0;
      }
    }
    ph_develop_write_reduced(develop, first + 0.5 * down_pixel, out,
                             to + (size_t)y * (size_t)outputs * 3);
  }
  return 0;
}
