#pragma once
#include <stddef.h>
#include <stdint.h>

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

/// A projective map, and the pixels that it is read from.
typedef struct {
  /// Brings a place in the output to one in the image; a pixel's centre is at ½.
  double matrix[9];
  /// Of the image.
  int width, height, bands;
  /// Its pixel (left, top), and the bytes from one row to the next.
  const uint8_t *origin;
  size_t pitch;
  int left, top;
  /// Whether there is something outside the image, and what; else its edge is repeated.
  int has_background;
  float background[4];
} PhProjection;

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
  /// `count` pixels from (`left`, `top`) on of the image that a projection makes.
  void (*warp[PH_FORMATS])(const PhProjection *from, int left, int top, float *restrict to,
                           int count);
} PhLoops;

/// The loops for this CPU, or those for any CPU of the architecture if `portable`.
const PhLoops *ph_loops(int portable);
