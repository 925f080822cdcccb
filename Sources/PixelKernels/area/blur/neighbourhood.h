#pragma once
#include "area/gaussian.h"
#include "base/kernel.h"

/// The values of a pixel that are filtered: every band, the luma of R, G and B, or the luma and its
/// square. Luma and its square are computed from unpremultiplied colours and weighted by alpha.
typedef enum { PH_BANDS, PH_LUMA, PH_LUMA_SQUARES } PhValues;

/// One thread's state for filtering the pixels of an area by a separable Gaussian. The edge of the
/// image is repeated outwards.
typedef struct {
  /// Scratch memory for planar pixels.
  PhBlock block;
  /// The pixels of the source in and around the area.
  VipsRegion *source;
  PhValues kind;
  /// True if luma is weighted by alpha. The weighted values are then followed by alpha and, if
  /// `reach` is above 0, by a luma for the minimum and a luma for the maximum, which transparent
  /// pixels do not affect. The smoothed luma follows, also once for each extreme.
  int is_weighted;
  /// The number of filtered values of a pixel.
  int values;
  /// The radius of the square over which minimum and maximum are computed, in pixels; at most the
  /// Gaussian's radius, and 0 if they are not needed.
  int reach;
  /// The mean filter that smooths the minima and maxima. It does not change those near an edge in
  /// the picture: every pixel within the reach of the edge has the same extremes, because its
  /// square contains both sides of the edge.
  PhGaussian mean;
  /// The Gaussian of the smoothed luma, whose minima and maxima are computed, too; without weights
  /// if it is not needed.
  PhGaussian fine;
  /// The pixels of the source that were read last.
  VipsRect seen;

  /// `columns` has the float samples of some columns before the vertical pass. `rows` has all rows
  /// of the area after the vertical pass, extended by the radius on both sides. `filtered` has a
  /// block after the horizontal pass.
  float *columns, *rows, *filtered;
  /// The minima and maxima of the values, as rows and as a block.
  float *low_rows, *high_rows, *low, *high;
  /// The smoothed luma of the pixels of `seen`, followed by its weights if luma is weighted. The
  /// second array has the rows before the vertical pass.
  float *smooth_rows, *across_rows;
  /// One row of luma with its margins, followed by its weights.
  float *fine_row;
  const float **fine_lines;
  /// A block of the smoothed luma and of its minima and maxima.
  const float *smooth;
  float *smooth_low, *smooth_high;
  /// Minima or maxima before they are smoothed.
  float *extremes;
  /// The addresses of the lines of samples that a pass of a filter reads.
  const float **lines, **extreme_lines;
  size_t columns_room, rows_room, low_room, high_room, extremes_room, lines_room, extreme_lines_room;
  size_t smooth_room, across_room, fine_row_room, fine_lines_room;
} PhNeighbourhood;

/// Creates the state. If `fine` is at least 0.3 and `reach` is above 0, the luma smoothed by a
/// Gaussian with this standard deviation in pixels is computed, too. Returns NULL, with libvips's
/// error text set, if memory is short.
PhNeighbourhood *ph_neighbourhood_new(VipsImage *source, PhValues kind, int reach, double fine);

void ph_neighbourhood_free(PhNeighbourhood *around);

/// Fetches the pixels in and around `area` and runs the vertical pass.
///
/// Returns 0, or −1 with libvips's error text set.
int ph_neighbourhood_prepare(PhNeighbourhood *around, const PhKernel *kernel,
                             const PhGaussian *gaussian, const VipsRect *area);

/// Runs the horizontal pass over `count` pixels (at most PH_BLOCK) that start at (`x`, `y`) in the
/// area that was prepared last. Until the next call, `around->filtered` has the filtered values; if
/// `reach` is above 0, `around->low` and `around->high` have the minima and maxima of luma, and
/// `around->smooth`, `around->smooth_low` and `around->smooth_high` have the smoothed luma and its
/// minima and maxima. Values weighted by alpha are divided by the filtered alpha; the results have
/// the same layout as for an image without alpha.
void ph_neighbourhood_filter(PhNeighbourhood *around, const PhKernel *kernel,
                             const PhGaussian *gaussian, const VipsRect *area, int x, int y,
                             int count);
