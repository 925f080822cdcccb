#pragma once
#include <stddef.h>
#include <stdint.h>

#include "phbatch_program.h"
#include "raw/tiles.h"

/// The maximum number of pixels of a block, chosen so that its four planes fit into the L1 cache.
enum { PH_BLOCK = 512 };

/// The number of floats from one plane of a block to the next. CPUs compare the last twelve bits of
/// addresses to detect loads that depend on pending stores, so planes exactly 4096 bytes apart
/// would cause stalls.
enum { PH_PLANE = PH_BLOCK + 32 };

/// The sample formats of a kernel's input and output; also the indices of tables in PhLoops.
typedef enum { PH_UCHAR, PH_USHORT, PH_FLOAT, PH_FORMATS } PhFormat;

/// The pixels of another image at the position of a block.
typedef struct {
  const void *pixels;
  PhFormat format;
} PhLayer;

/// An image in memory, stretched over the frame.
typedef struct {
  const float *samples;
  int width, height, bands;
} PhMap;

/// Neighbouring pixels of one row, as planes of 32-bit float.
typedef struct {
  /// R, G, B and alpha. Each plane is aligned to 64 bytes.
  _Alignas(64) float plane[4][PH_PLANE];
  float saved[PHBATCH_SLOTS][4][PH_PLANE];
  float cover[PHBATCH_COVERS][PH_PLANE];
  PhLayer layers[PHBATCH_IMAGES];
  const PhMap *maps;
  /// The position of the first pixel in the image.
  int left, top;
  /// Number of pixels, 1…PH_BLOCK.
  int count;
  /// The number of bands: 3, or 4 with alpha.
  int bands;
} PhBlock;

/// `PH_LANES` is the number of rows that a resampler processes in parallel; `PH_STRIPE` is the
/// number of samples of each row that it processes at a time.
enum { PH_LANES = 8, PH_STRIPE = 256 };

/// The resampling weights along one axis.
///
/// The centre of output `j` is at `start + (j + ½) × extent ÷ to − ½`, in input samples. The
/// kernel's weights are computed for the exact distances from this centre; for a reduction, the
/// kernel is widened by `extent ÷ to`. The weight of a sample outside the image is added to the
/// weight of the sample at the edge, and the weights of an output sum to 1.
typedef struct {
  /// The number of samples in the input and in the output.
  int from, to;
  /// The number of input samples before the output, and the number that the output covers. They can
  /// be fractions; what lies outside the input repeats its first or last sample.
  double start, extent;
  /// The maximum number of weights of an output, which is also the distance between the first
  /// weights of two successive outputs.
  int taps;
  /// For each output, the index of its first input and the number of its inputs. Neither the first
  /// nor the last input ever moves back from one output to the next.
  int *first, *count;
  float *weights;
} PhAxis;

/// Returns the index of the input that follows the last input of an output.
static inline int ph_axis_end(const PhAxis *axis, int output) {
  return axis->first[output] + axis->count[output];
}

static inline const float *ph_axis_weights(const PhAxis *axis, int output) {
  return axis->weights + (size_t)output * (size_t)axis->taps;
}

/// The position of alpha in interleaved pixels: none, or the last of two or four bands. It is also
/// an index of the tables in PhLoops.
typedef enum { PH_OPAQUE, PH_GREY_ALPHA, PH_RGB_ALPHA, PH_ALPHAS } PhAlpha;

/// The number of samples of a wire of a sorting network; a wire is a row of samples.
enum { PH_WIRE = 64 };

/// A comparator: wire `low` gets the lesser sample, and wire `high` the greater.
typedef struct {
  int low, high;
  /// The results that are used later: PH_KEEP_LOW, PH_KEEP_HIGH or both.
  int keep;
} PhExchange;

enum { PH_KEEP_LOW = 1, PH_KEEP_HIGH = 2 };

/// The number of filters of PNG's filter method 0.
enum { PH_PNG_FILTERS = 5 };

/// The number of sums for the pixels of a block; one vector more than pixels, because whole vectors
/// are processed.
enum { PH_ROOM = PH_BLOCK + PH_LANES };

/// One sample point for each pixel of a row, at an offset from the pixel that grows linearly along
/// the row. A sample is interpolated between two rows and between two columns. The weight of the
/// lower row is `down`; the weight of the right column is `slope × (column + centre) − whole`.
typedef struct {
  /// For each band, the upper left neighbour of the first pixel's sample point.
  const float *corner[4];
  /// The number of floats from one row of the image to the next.
  ptrdiff_t pitch;
  float down, slope, centre, whole;
  /// The first pixel's column in the image.
  int column;
} PhSlide;

/// A pair of wires of a sorting network.
typedef struct {
  int a, b;
} PhPair;

/// The number of patches of 8 × 8 samples that are processed in parallel.
enum { PH_PATCHES = 64 };

/// The numbers of the argument `lens` of `phbatch_warp`.
typedef struct {
  double centre[2], unit[2];
  /// The coefficients of r⁰ to r⁴, then the coefficients of s⁰ to s² for red and for blue.
  double distortion[5], red[3], blue[3];
  /// The left, top, right and bottom edge of the frame; outside it is background.
  double frame[4];
  /// True if the channels are at different positions.
  int splits;
} PhBend;

/// A projective map, and the image that it samples.
typedef struct {
  /// The matrix that maps positions in the output to positions in the image; pixel centres are at
  /// ½.
  double matrix[9];
  /// The size of the image.
  int width, height, bands;
  /// The correction of a lens that follows the projective map; NULL if there is none.
  const PhBend *lens;
  /// The address of the image's pixel (left, top), and the bytes from one row to the next.
  const uint8_t *origin;
  size_t pitch;
  /// The first and the last column and row that may be read.
  int left, top, right, bottom;
  /// The colour outside the image, used if `has_background` is set; otherwise the edge is repeated.
  int has_background;
  float background[4];
} PhProjection;

/// The table of all inner loops. There is one table for each instruction set; all instruction sets
/// compute the same bits.
///
/// Samples are floats with the nominal range 0…1: uchar ÷ 255, ushort ÷ 65535. Conversion to
/// integers clamps (NaN gives 0), scales, and rounds half up. Samples that stay float are neither
/// scaled nor clamped.
typedef struct {
  /// Converts `count` samples of a row to float and back; the number of bands does not matter.
  void (*read[PH_FORMATS])(const void *from, float *restrict to, int count);
  void (*write[PH_FORMATS])(const float *from, void *restrict to, int count);
  /// Converts pixels of 3 (index 0) or 4 bands (index 1) from interleaved samples to planes, and
  /// back.
  void (*unpack[PH_FORMATS][2])(const void *from, PhBlock *restrict block);
  void (*pack[PH_FORMATS][2])(const PhBlock *block, void *restrict to);
  /// Counts the clipped pixels: pixels with a colour that is NaN or outside 0…1 by more than half
  /// an 8-bit step. `clipped` counts them in a block. `clipped_run` counts them in interleaved
  /// pixels with 1…4 bands (index 0…3), where the last of two or four bands is alpha.
  int (*clipped)(const PhBlock *block);
  int (*clipped_run[4])(const float *from, int pixels);
  /// Like `unpack`, but converts R, G and B by three lookup tables, which follow one another in
  /// memory.
  void (*lookup[PH_FLOAT][2])(const void *from, const float *tables, PhBlock *restrict block);
  /// The instructions of a point program, by opcode, except TABLE, which is a `lookup`.
  void (*step[PHBATCH_OP_LAST + 1])(PhBlock *restrict block, const float *payload);
  /// Computes the BT.709 luma of the block's planes.
  void (*luma)(const PhBlock *block, float *restrict to);
  /// Computes pairs of the luma and its square.
  void (*luma_squares)(const PhBlock *block, float *restrict to);
  /// Computes `amount` × the soft-thresholded difference between a luma and its blur.
  void (*detail)(const float *luma, const float *blurred, float amount, float threshold,
                 float *restrict change, int count);
  /// Computes mean and standard deviation from pairs (mean, mean of squares).
  void (*contrast)(const float *pairs, float *restrict mean, float *restrict deviation, int count);
  /// Multiplies a change by a smoothstep of the deviation. The smoothstep is 0 up to the deviation
  /// `foot`, and 1 from `foot + 1 ÷ slope` on.
  void (*protect)(float *restrict change, const float *deviation, float foot, float slope,
                  int count);
  /// Reduces a change of luma that would move the luma out of `low`…`high` by `strength` × the
  /// excess.
  void (*restrain)(const float *luma, const float *low, const float *high, float strength,
                   float *restrict change, int count);
  /// Adds a change to R, G and B.
  void (*lighten)(PhBlock *restrict block, const float *change);
  /// Applies a symmetric filter: `to[i] = weight[0] × line[0][i] + Σ weight[k] × (line[−k][i] +
  /// line[k][i])` for k in 1…radius, summed from k = 1 up. Lines are rows, or one row shifted by
  /// whole pixels.
  void (*filter)(const float *const *line, const float *weight, int radius, float *restrict to,
                 int count);
  /// Converts 8-bit colours by a table of 256 entries; alpha is converted as by `read`.
  void (*lookup_run[PH_ALPHAS])(const uint8_t *from, const float *table, float *restrict to,
                                int count);
  /// Converts sRGB-encoded samples to linear light, and back; alpha stays unchanged.
  void (*decode_run[PH_ALPHAS])(float *restrict sample, int count);
  void (*encode_run[PH_ALPHAS])(float *restrict sample, int count);
  /// Multiplies colours by their alpha, or divides them by it; colours with an alpha below half a
  /// 16-bit step become 0. NULL for PH_OPAQUE.
  void (*premultiply[PH_ALPHAS])(float *restrict sample, int count);
  void (*unpremultiply[PH_ALPHAS])(float *restrict sample, int count);
  /// Computes `to[i] = sum[i] + Σ weight[k] × rows[k × PH_STRIPE + i]`, added in the order of k;
  /// `to` may be `sum`. Here and below, `samples` is rounded up to a multiple of PH_LANES.
  void (*accumulate)(const float *rows, const float *weight, int count, const float *sum, float *to,
                     int samples);
  /// Interleaves rows, `to[i × PH_LANES + k] = rows[k][i]`, and separates them again.
  void (*interleave)(const float *const rows[PH_LANES], float *restrict to, int samples);
  void (*deinterleave)(const float *from, float *const rows[PH_LANES], int samples);
  /// Filters interleaved rows of 1…4 bands (index 0…3) horizontally: computes `width` outputs from
  /// `left` on; `from` points to the first input of output `left`.
  void (*across[4])(const PhAxis *axis, int left, int width, const float *from,
                    float *restrict to);
  /// Computes `to[i] = Σ weight[k] × line[k][i]` for k in 0 ..< lines.
  void (*gather_lines)(const float *const *line, const float *weight, int lines,
                       float *restrict to, int count);
  /// Computes the minimum and the maximum of `line[−radius][i]` … `line[radius][i]`.
  void (*lowest)(const float *const *line, int radius, float *restrict to, int count);
  void (*highest)(const float *const *line, int radius, float *restrict to, int count);
  /// Runs the comparators of a sorting network in their order.
  void (*exchange)(float *rows, const PhExchange *exchange, int count);
  /// Computes, for each of the first `samples` samples of a row, the minimum over all pairs of the
  /// greater of the pair's two samples.
  void (*pick)(const float *rows, const PhPair *pair, int count, float *restrict to, int samples);
  /// `cosine` computes the 8-point cosine transform across lines; `cosine_inverse` computes its
  /// inverse and adds it to `sum`.
  void (*cosine)(const float *const *line, float *const *to, int count);
  void (*cosine_inverse)(const float *const *line, float *const *sum, int count);
  /// Completes the transform of patches of 8 × 8 samples after their columns have been transformed:
  /// transforms their rows, sets coefficients other than the mean to 0 unless they exceed
  /// `threshold`, weights each patch by 1 ÷ the number of remaining coefficients, transforms the
  /// rows back, and adds them to the sums.
  ///
  /// Even and odd columns are stored separately; patch i starts at the i-th even column. Adds the
  /// first `count` (at most PH_PATCHES) patches, but reads PH_PATCHES + 3 samples.
  void (*shrink)(const float *const *even, const float *const *odd, float threshold, int count,
                 float *const *even_sum, float *const *odd_sum, float *weight_sum);
  /// Divides sums by weights, and merges even and odd columns into `2 × count` samples.
  void (*weighted)(const float *even, const float *odd, const float *weight, float *restrict to,
                   int count);
  /// Computes the means of squares of 2 × 2 samples, from two rows.
  void (*halve)(const float *upper, const float *lower, float *restrict to, int count);
  /// Computes one row at twice the resolution by bilinear interpolation: ¾ of the nearer and ¼ of
  /// the farther row. Reads one more sample on both sides.
  void (*twice)(const float *near, const float *far, float *restrict to, int count);
  /// Computes weighted means around every `step`-th pixel of a row; the first is around pixel `step
  /// − 1`.
  void (*gather)(const float *row, const float *weight, int step, int bands, float *restrict to,
                 int count);
  /// Computes `count` pixels by linear interpolation between knots that are `step` pixels apart;
  /// the first pixel is `phase` pixels after the first knot.
  void (*stretch)(const float *knots, int step, int phase, int bands, float *restrict to,
                  int count);
  /// Converts R, G, B to (R + G + B) ÷ √3, (R − B) ÷ √2, (R − 2G + B) ÷ √6 in place, and back.
  void (*opponents)(float *restrict r, float *restrict g, float *restrict b, int count);
  void (*colours)(float *restrict x, float *restrict y, float *restrict z, int count);
  /// Replaces the base of a plane, its part of low resolution, by a denoised base: `plane += clean
  /// − base`.
  void (*replace_base)(float *restrict plane, const float *base, const float *clean, int count);
  /// Like `replace_base`, but also shrinks the plane's difference from the base; differences of at
  /// most `threshold` become 0.
  void (*replace_base_shrunk)(float *restrict plane, const float *base, const float *clean,
                              float threshold, int count);
  /// Computes `base[i] += part × (top[i] − base[i])`.
  void (*approach)(float *restrict base, const float *top, float part, int count);
  void (*squares)(const float *from, float *restrict to, int count);
  /// Computes the variance of a channel from its means and means of squares, and stores it in
  /// `variance`, or adds it to `variance` if `adding` is set.
  void (*spread)(const float *mean_square, const float *mean, int adding, float *variance,
                 int count);
  /// Replaces the variance by the slope `variance² ÷ (variance² + tolerance²)`, and the mean by
  /// `mean × (1 − slope)`, both in place.
  void (*slope)(float *restrict variance, float tolerance, int count);
  void (*rest)(float *restrict mean, const float *slope, int count);
  /// Computes `slope × from + offset`.
  void (*apply_model)(const float *from, const float *slope, const float *offset,
                      float *restrict to, int count);
  /// Applies the Orton effect to one plane; see soften.c.
  void (*glow)(float *restrict base, const float *blurred, float amount, int count);
  /// Adds a glow to one plane of linear light; see bloom.c.
  void (*shine)(float *restrict light, const float *glow, float amount, int count);
  /// Adds the samples of a slide to the sums of `count` pixels with 3 (index 0) or 4 bands (index
  /// 1). Reads up to PH_LANES − 1 more pixels, but leaves their sums unchanged.
  void (*slide[2])(const PhSlide *slide, float (*restrict sums)[PH_ROOM], int start, int count);
  /// Mixes the block with the layer by a weight for each pixel. The result is exactly the block
  /// where the weight is 0, and exactly the layer where it is 1.
  void (*crossfade)(PhBlock *restrict block, const PhBlock *layer, const float *part);
  /// Computes `count` pixels, from (`left`, `top`) on, of the image that results from a projection.
  void (*warp[PH_FORMATS])(const PhProjection *from, int left, int top, float *restrict to,
                           int count);
  /// Applies a row filter of PNG to `count` bytes. Returns the sum of the absolute values of the
  /// results. A pixel has `pixel` bytes; `row` and `above` must be preceded by `pixel` zero bytes.
  uint64_t (*png_filter[PH_PNG_FILTERS])(const uint8_t *row, const uint8_t *above, int pixel,
                                         uint8_t *restrict to, int count);
  /// Computes the means of 2 × 2 pixels of 1 or 3 bands from two rows of `width` pixels.
  void (*halve_bytes[3])(const uint8_t *upper, const uint8_t *lower, uint8_t *restrict to,
                         int width);
  /// Computes all colours of a tile of a Bayer mosaic.
  void (*demosaic)(const PhMosaic *tile);
  void (*demosaic_xtrans)(const PhXTrans *tile);
  /// Adds every second sample of some rows, multiplied by the weights of the rows.
  void (*sum_rows)(const float *const *rows, const float *weights, int number, float *restrict to,
                   int count);
  /// Computes `count` weighted sums of neighbouring samples, multiplied by `scale` and then by `gain`;
  /// negative results become 0. The first samples of two sums are `step` samples apart: 1, 2 or 4.
  void (*sum_samples)(const float *from, int step, const float *weights, int number, float scale,
                      float gain, float *restrict to, int count);
  /// Computes `count` sums of `step` (1, 2 or 4) samples of two rows by turns, the first row first,
  /// divided by `share` and multiplied by `gain`; negative results become 0.
  void (*sum_pairs)(const float *first, const float *second, int step, float share, float gain,
                    float *restrict to, int count);
  /// Scales the samples of a row whose levels repeat after two columns: `(from − black) × gain`.
  void (*scale_pairs)(const uint16_t *from, const float black[2], const float gain[2],
                      float *restrict to, int count);
  /// Computes the least and the greatest of the eight neighbours of `count` samples; neighbours are 2
  /// columns or rows apart, and rows `pitch` samples. Returns the largest distance of a sample from
  /// the range of its neighbours.
  uint16_t (*neighbours)(const uint16_t *samples, ptrdiff_t pitch, int count,
                         uint16_t *restrict least, uint16_t *restrict most);
  /// Converts camera colours to linear light, in place.
  void (*camera_colours)(const PhCameraColours *by, float *restrict red, float *restrict green,
                         float *restrict blue, int count);
} PhLoops;

/// Returns the loops for this CPU or, if `portable` is set, the loops for any CPU of the
/// architecture.
const PhLoops *ph_loops(int portable);

extern const PhLoops ph_loops_portable;
#if defined(__x86_64__)
extern const PhLoops ph_loops_v3, ph_loops_v4;
#endif
