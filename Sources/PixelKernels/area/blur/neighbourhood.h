#pragma once
#include "area/gaussian.h"
#include "base/kernel.h"

/// What of each pixel is filtered: every band, the luma of R, G and B, or pairs of it and its
/// square.
typedef enum { PH_BANDS, PH_LUMA, PH_LUMA_SQUARES } PhValues;

/// A thread's view of the pixels around an area, filtered by a separable Gaussian. The edge of the
/// image is repeated outwards.
typedef struct {
  /// Scratch for planar pixels.
  PhBlock block;
  /// The source's pixels: the area and what lies around it.
  VipsRegion *source;
  PhValues kind;
  /// Filtered values of a pixel.
  int values;
  /// Half the side of the square whose extremes are looked for, at most the radius; 0 for none.
  int reach;
  /// The mean over which extremes are taken then, so that they are as smooth as the image is: at an
  /// edge they stay what they are, for all of them within the reach see its other side.
  PhGaussian mean;

  /// Some columns as float before the vertical pass; all rows of the area after it, wider by the
  /// radius on either side; a block after the horizontal pass; the addresses each pass sums over.
  float *columns, *rows, *filtered;
  /// The extremes of the values: rows as above, and a block.
  float *low_rows, *high_rows, *low, *high;
  /// Extremes before their mean is taken.
  float *extremes;
  const float **lines, **extreme_lines;
  size_t columns_room, rows_room, low_room, high_room, extremes_room, lines_room, extreme_lines_room;
} PhNeighbourhood;

/// Returns NULL, with libvips's error text set, if memory is short.
PhNeighbourhood *ph_neighbourhood_new(VipsImage *source, PhValues kind, int reach);

void ph_neighbourhood_free(PhNeighbourhood *around);

/// Fetches the pixels around `area` and runs the vertical pass.
///
/// Returns 0, or −1 with libvips's error text set.
int ph_neighbourhood_prepare(PhNeighbourhood *around, const PhKernel *kernel,
                             const PhGaussian *gaussian, const VipsRect *area);

/// Runs the horizontal pass over `count` pixels (at most PH_BLOCK) from (`x`, `y`) on of the area
/// last prepared; the values are in `around->filtered` until the next call, and the extremes, if
/// asked for, in `around->low` and `around->high`.
void ph_neighbourhood_filter(PhNeighbourhood *around, const PhKernel *kernel,
                             const PhGaussian *gaussian, const VipsRect *area, int x, int y,
                             int count);
