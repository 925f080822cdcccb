#pragma once
#include <vips/vips.h>

#include "raw/filter_cell.h"

/// The colours from which clipped channels are rebuilt: one for each cell of PH_RATIO_CELL ×
/// PH_RATIO_CELL pixels of a mosaic. The colour of a cell is the mean of its groups of samples that are
/// not clipped, of which bright ones count most; a cell without one has a mixture of the bright colours
/// around it.
typedef struct {
  int columns, rows;
  /// Three floats for each cell: balanced red, green and blue, whose sum is 1.
  float *colours;
  /// The shares of balanced red, green and blue in the luminance of the output; their sum is 1.
  float luminance[3];
} PhRatioMap;

/// The edge of a cell in pixels.
enum { PH_RATIO_CELL = 16 };

/// Measures a mosaic with the colour filters `cell`; `gain` are the multipliers of the white balance.
/// Returns 0, or −1 with libvips's error text set. Free the map with `ph_ratio_map_free` after an
/// error too.
int ph_ratio_map_measure(PhRatioMap *map, VipsRegion *mosaic, const PhFilterCell *cell,
                         const float gain[3]);

void ph_ratio_map_free(PhRatioMap *map);

/// Rebuilds the clipped channels of `count` pixels of a row, in place.
///
/// The first pixel's centre is at (`x`, `y`) of the mosaic, and the others follow at a distance of
/// `step`. `full` are the values at which the channels are clipped. A clipped channel becomes the
/// channel of the map's colour, scaled to the channels of the pixel that are not clipped, but does
/// not decrease; if it is then below the mean of these channels, it becomes three quarters of the
/// way grey, and more if the map's colour has less of it than the pixel shows. A pixel whose channels are all clipped becomes grey, with the luminance at which
/// the last channel of the map's colour is clipped: more light is never darker. The luminance of
/// rebuilt colours is at most 8 times the highest level of clipping.
void ph_ratio_map_rebuild(const PhRatioMap *map, double x, double y, double step,
                          const float full[3], float *red, float *green, float *blue, int count);
