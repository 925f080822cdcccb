#pragma once
#include <stddef.h>
#include <stdint.h>

#include "phbatch_program.h"

/// Pixels of one block: four planes of it stay in the L1 cache.
enum { PH_BLOCK = 512 };

/// From one plane of a block to the next, in numbers. CPUs tell by the last twelve bits of a place
/// whether something is still to be stored there: pixels of planes 4096 bytes apart would wait for
/// one another.
enum { PH_PLANE = PH_BLOCK + 32 };

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
  _Alignas(64) float plane[4][PH_PLANE];
  float saved[PHBATCH_SLOTS][4][PH_PLANE];
  float cover[PHBATCH_COVERS][PH_PLANE];
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

/// How the samples along one axis of an image become those of a resized one.
///
/// The centre of output `j` lies at `(j + ½) × extent ÷ to − ½` of the input's samples. The kernel's
/// weights are taken at the exact distances from there; where samples are reduced the kernel is
/// widened by `extent ÷ to`. Weights of samples outside the image go to the sample at its edge, and
/// the weights of an output sum to 1.
typedef struct {
  /// Samples in the input and the output.
  int from, to;
  /// How many samples the output covers: `from`, unless the last one lies half outside the image.
  double extent;
  /// The most weights an output has; the distance between the weights of two outputs.
  int taps;
  /// For each output its first input, and how many there are. Neither end ever goes back.
  int *first, *count;
  float *weights;
} PhAxis;

/// The input after the last one of an output.
static inline int ph_axis_end(const PhAxis *axis, int output) {
  return axis->first[output] + axis->count[output];
}

static inline const float *ph_axis_weights(const PhAxis *axis, int output) {
  return axis->weights + (size_t)output * (size_t)axis->taps;
}

/// Where interleaved pixels have alpha, and the index of the tables in PhLoops: nowhere, or last of
/// two or of four bands.
typedef enum { PH_OPAQUE, PH_GREY_ALPHA, PH_RGB_ALPHA, PH_ALPHAS } PhAlpha;

/// Samples of a row that is one wire of a sorting network.
enum { PH_WIRE = 64 };

/// Two wires that get the least and the greatest of both.
typedef struct {
  int low, high;
  /// PH_KEEP_LOW, PH_KEEP_HIGH: the results that anything reads.
  int keep;
} PhExchange;

enum { PH_KEEP_LOW = 1, PH_KEEP_HIGH = 2 };

/// The filters of PNG's filter method 0.
enum { PH_PNG_FILTERS = 5 };

/// Sums of the pixels of a block, and room for PH_LANES more.
enum { PH_ROOM = PH_BLOCK + PH_LANES };

/// Places beside the pixels of a row that go on evenly: between two rows of the planes, by the part
/// `down` of the lower one, and between two columns, by the part `slope × (column + centre) − whole` of
/// the right one.
typedef struct {
  /// Of each band, the first pixel's upper left neighbour.
  const float *corner[4];
  /// From one row to the next.
  ptrdiff_t pitch;
  float down, slope, centre, whole;
  /// The first pixel's column in the image.
  int column;
} PhSlide;

/// Two wires of a sorting network.
typedef struct {
  int a, b;
} PhPair;

/// Patches of 8 × 8 samples that are worked on side by side.
enum { PH_PATCHES = 64 };

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
  /// How many pixels have a colour outside 0…1 by more than half a step of 8 bits, or one that is not
  /// a number: of a block, or of a run with 1…4 bands (index 0…3), the last of two or four being
  /// alpha.
  int (*clipped)(const PhBlock *block);
  int (*clipped_run[4])(const float *from, int pixels);
  /// As unpack, R, G and B through three tables that lie one after the other.
  void (*lookup[PH_FLOAT][2])(const void *from, const float *tables, PhBlock *restrict block);
  /// The instructions of a point program, by opcode. TABLE has none: it is a `lookup`.
  void (*step[PHBATCH_OP_LAST + 1])(PhBlock *restrict block, const float *payload);
  /// BT.709 luma of the block's planes.
  void (*luma)(const PhBlock *block, float *restrict to);
  /// Pairs of it and its square.
  void (*luma_squares)(const PhBlock *block, float *restrict to);
  /// `amount` × soft-thresholded difference of the luma and its blur.
  void (*detail)(const PhBlock *block, const float *blurred, float amount, float threshold,
                 float *restrict change);
  /// Mean and standard deviation from pairs of a mean and a mean of squares.
  void (*contrast)(const float *pairs, float *restrict mean, float *restrict deviation, int count);
  /// Scales a change by a smooth step of the deviation: 0 up to `foot`, 1 from `foot + 1 ÷ slope`.
  void (*protect)(float *restrict change, const float *deviation, float foot, float slope,
                  int count);
  /// Takes back the part `strength` of what a change would add outside `low`…`high` of the luma.
  void (*restrain)(const PhBlock *block, const float *low, const float *high, float strength,
                   float *restrict change);
  /// Adds a change to R, G and B.
  void (*lighten)(PhBlock *restrict block, const float *change);
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
  /// `to[i] = Σ weight[k] × line[k][i]`, k in 0 ..< lines.
  void (*gather_lines)(const float *const *line, const float *weight, int lines,
                       float *restrict to, int count);
  /// The least and the greatest of `line[−radius][i]` … `line[radius][i]`.
  void (*lowest)(const float *const *line, int radius, float *restrict to, int count);
  void (*highest)(const float *const *line, int radius, float *restrict to, int count);
  /// Exchanges of a sorting network, one after the other.
  void (*exchange)(float *rows, const PhExchange *exchange, int count);
  /// The least of the pairs' greater samples, for the first `samples` of a row.
  void (*pick)(const float *rows, const PhPair *pair, int count, float *restrict to, int samples);
  /// The 8-point cosine transform across lines; its inverse is added to `sum`.
  void (*cosine)(const float *const *line, float *const *to, int count);
  void (*cosine_inverse)(const float *const *line, float *const *sum, int count);
  /// For patches of 8 × 8 samples whose columns are transformed: transforms their rows, sets to 0
  /// what is not above `threshold` but the mean, weighs each patch by 1 ÷ the coefficients that
  /// stay, transforms the rows back, and adds them up.
  ///
  /// The samples of the rows lie apart by even and odd columns; patch i starts at the i-th even
  /// one. The first `count` (at most PH_PATCHES) patches are added, but PH_PATCHES + 3 samples read.
  void (*shrink)(const float *const *even, const float *const *odd, float threshold, int count,
                 float *const *even_sum, float *const *odd_sum, float *weight_sum);
  /// Sums ÷ weights, even and odd columns put together: `2 × count` samples.
  void (*weighted)(const float *even, const float *odd, const float *weight, float *restrict to,
                   int count);
  /// Means of squares of 2 × 2 samples, from two rows.
  void (*halve)(const float *upper, const float *lower, float *restrict to, int count);
  /// One row at twice the resolution, linearly between the centres of samples: ¾ of the nearer row
  /// and ¼ of the farther one. Reads one sample more on either side.
  void (*twice)(const float *near, const float *far, float *restrict to, int count);
  /// Means of pixels around every `step`-th one of a row, whose first is the `step − 1`-th.
  void (*gather)(const float *row, const float *weight, int step, int bands, float *restrict to,
                 int count);
  /// `count` pixels linearly between knots that are `step` pixels apart; the first pixel lies
  /// `phase` pixels after the first knot.
  void (*stretch)(const float *knots, int step, int phase, int bands, float *restrict to,
                  int count);
  /// R, G, B to (R + G + B) ÷ √3, (R − B) ÷ √2, (R − 2G + B) ÷ √6, in place, and back.
  void (*opponents)(float *restrict r, float *restrict g, float *restrict b, int count);
  void (*colours)(float *restrict x, float *restrict y, float *restrict z, int count);
  /// Puts a clean base in the place of that of a plane.
  void (*replace_base)(float *restrict plane, const float *base, const float *clean, int count);
  /// The same, and drops what stands out from the base by no more than `threshold`.
  void (*replace_base_shrunk)(float *restrict plane, const float *base, const float *clean,
                              float threshold, int count);
  /// `base[i] += part × (top[i] − base[i])`.
  void (*approach)(float *restrict base, const float *top, float part, int count);
  void (*squares)(const float *from, float *restrict to, int count);
  /// Puts the variance of a channel, from means and means of squares, into a sum or adds it.
  void (*spread)(const float *mean_square, const float *mean, int adding, float *variance,
                 int count);
  /// `variance² ÷ (variance² + tolerance²)` in place, and means times 1 less that.
  void (*slope)(float *restrict variance, float tolerance, int count);
  void (*rest)(float *restrict mean, const float *slope, int count);
  /// `slope × from + offset`.
  void (*apply_model)(const float *from, const float *slope, const float *offset,
                      float *restrict to, int count);
  /// The Orton effect on one plane; see soften.h.
  void (*glow)(float *restrict base, const float *blurred, float amount, int count);
  /// A glow over one plane of linear light; see bloom.h.
  void (*shine)(float *restrict light, const float *glow, float amount, int count);
  /// Adds what lies at the places of a slide to the sums of `count` pixels with 3 (index 0) or 4 bands
  /// (index 1). Up to PH_LANES − 1 more pixels are read, and their sums stay.
  void (*slide[2])(const PhSlide *slide, float (*restrict sums)[PH_ROOM], int start, int count);
  /// From the block to the layer by a part for each pixel: the very bits of the one where it is 0, and
  /// of the other where it is 1.
  void (*crossfade)(PhBlock *restrict block, const PhBlock *layer, const float *part);
  /// `count` pixels from (`left`, `top`) on of the image that a projection makes.
  void (*warp[PH_FORMATS])(const PhProjection *from, int left, int top, float *restrict to,
                           int count);
  /// What a row filter of PNG leaves of `count` bytes; returns how much that is. Pixels have `pixel`
  /// bytes, and as many zeros stand before `row` and before `above`.
  uint64_t (*png_filter[PH_PNG_FILTERS])(const uint8_t *row, const uint8_t *above, int pixel,
                                         uint8_t *restrict to, int count);
  /// Means of 2 × 2 pixels of 1 or 3 bands from two rows of `width`.
  void (*halve_bytes[3])(const uint8_t *upper, const uint8_t *lower, uint8_t *restrict to,
                         int width);
} PhLoops;

/// The loops for this CPU, or those for any CPU of the architecture if `portable`.
const PhLoops *ph_loops(int portable);

extern const PhLoops ph_loops_portable;
#if defined(__x86_64__)
extern const PhLoops ph_loops_v3, ph_loops_v4;
#endif
