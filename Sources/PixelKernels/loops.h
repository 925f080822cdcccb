#pragma once
#include <stdint.h>

#include "axis.h"
#include "phbatch_kernels.h"

/// Pixels of one block: four planes of it stay in the L1 cache.
enum { PH_BLOCK = 512 };

/// The sample formats of a kernel's input and output, and the index of the tables in PhLoops.
typedef enum { PH_UCHAR, PH_USHORT, PH_FLOAT, PH_FORMATS } PhFormat;

/// Another image's pixels at the place of a block.
typedef struct {
  const void *pixels;
  PhFormat format;
} PhLayer;

/// A whole image in memory that is stretched over the frame.
typedef struct {
  const float *samples;
  int width, height, bands;
} PhMap;

/// Neighbouring pixels of one row, as planes of 32-bit float.
typedef struct {
  /// R, G, B and alpha; 64-byte rows.
  _Alignas(64) float plane[4][PH_BLOCK];
  float saved[PHBATCH_SLOTS][4][PH_BLOCK];
  float cover[PHBATCH_COVERS][PH_BLOCK];
  PhLayer layers[PHBATCH_IMAGES];
  const PhMap *maps;
  /// Image coordinates of the first pixel.
  int left, top;
  /// Pixels in use, 1…PH_BLOCK.
  int count;
  /// 3, or 4 with alpha.
  int bands;
} PhBlock;

/// Rows that a resampler takes side by side, and samples of a row that it takes at once.
enum { PH_LANES = 8, PH_STRIPE = 256 };

/// Where interleaved pixels have alpha, and the index of the tables in PhLoops: nowhere, or last of
/// two or of four bands.
typedef enum { PH_OPAQUE, PH_GREY_ALPHA, PH_RGB_ALPHA, PH_ALPHAS } PhAlpha;

/// Every inner loop, once for each instruction set. All sets give the same bits.
///
/// Samples are nominal 0…1 as float: uchar ÷ 255, ushort ÷ 65535. To integers they are clamped
/// (NaN gives 0), scaled, and rounded half up. Float is neither scaled nor clamped.
typedef struct {
  /// Samples in a row, whatever the bands.
  void (*read[PH_FORMATS])(const void *from, float *restrict to, int count);
  void (*write[PH_FORMATS])(const float *from, void *restrict to, int count);
  /// Pixels of 3 (index 0) or 4 bands (index 1), from interleaved to planes and back.
  void (*unpack[PH_FORMATS][2])(const void *from, PhBlock *restrict block);
  void (*pack[PH_FORMATS][2])(const PhBlock *block, void *restrict to);
  /// As unpack, R, G and B through three tables that lie one after the other.
  void (*lookup[PH_FLOAT][2])(const void *from, const float *tables, PhBlock *restrict block);
  /// The instructions of a point program, by opcode. TABLE has none: it is a `lookup`.
  void (*step[PHBATCH_OP_LAST + 1])(PhBlock *restrict block, const float *payload);
  /// BT.709 luma of the block's planes.
  void (*luma)(const PhBlock *block, float *restrict to);
  /// Adds to R, G and B `amount` × soft-thresholded difference of the luma and its blur.
  void (*sharpen)(PhBlock *restrict block, const float *blurred, float amount, float threshold);
  /// `to[i] = weight[0] × line[0][i] + Σ weight[k] × (line[−k][i] + line[k][i])`, k in 1…radius,
  /// summed from k = 1 on: a symmetric filter, along columns or rows alike.
  void (*filter)(const float *const *line, const float *weight, int radius, float *restrict to,
                 int count);
  /// 8-bit colours through a table of 256, alpha as `read` has it.
  void (*lookup_run[PH_ALPHAS])(const uint8_t *from, const float *table, float *restrict to,
                                int count);
  /// sRGB encoded → linear light and back; alpha is left alone.
  void (*decode_run[PH_ALPHAS])(float *restrict sample, int count);
  void (*encode_run[PH_ALPHAS])(float *restrict sample, int count);
  /// Multiplies colours by their alpha, and divides by it; where it is less than half a step of 16
  /// bits they become 0. None for PH_OPAQUE.
  void (*premultiply[PH_ALPHAS])(float *restrict sample, int count);
  void (*unpremultiply[PH_ALPHAS])(float *restrict sample, int count);
  /// `to[i] = sum[i] + Σ weight[k] × rows[k × PH_STRIPE + i]`, added from k = 0 up; `to` may be `sum`.
  /// `samples` is rounded up to whole PH_LANES here and below.
  void (*accumulate)(const float *rows, const float *weight, int count, const float *sum, float *to,
                     int samples);
  /// `to[i × PH_LANES + k] = rows[k][i]`, and back.
  void (*interleave)(const float *const rows[PH_LANES], float *restrict to, int samples);
  void (*deinterleave)(const float *from, float *const rows[PH_LANES], int samples);
  /// Filters interleaved rows of 1…4 bands (index 0…3): the outputs from `left` on, from the first
  /// input of `left` on.
  void (*across[4])(const PhAxis *axis, int left, int width, const float *from,
                    float *restrict to);
} PhLoops;

/// The loops for this CPU, or those for any CPU of the architecture if `portable`.
const PhLoops *ph_loops(int portable);
