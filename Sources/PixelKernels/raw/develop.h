#pragma once
#include <string.h>

#include "base/kernel.h"
#include "raw/filter_cell.h"
#include "raw/highlights.h"

/// The number of rows of a strip.
enum { PH_STRIP = 64 };

typedef struct PhXTransMemory PhXTransMemory;

/// The operation `phbatch_develop`: demosaics the samples of a Bayer or X-Trans sensor and
/// converts them to linear light.
///
/// The input is one band of floats from `phbatch_rawload`: 0 is the black level and 1 the white
/// level (saturation) of each colour. The operation develops `width` × `height` pixels from
/// (`left`, `top`) on. `pattern` has the colours of the first cell, row by row: 4 numbers for a cell
/// of 2 × 2 pixels, 36 for X-Trans; 0 is red, 1 and 3 are green, 2 is blue. The samples are first
/// multiplied by the white balance `multipliers`, whose minimum is 1, then interpolated, then
/// converted by `matrix` (3 × 3 values, row by row). Pixels outside the mosaic are reflections of
/// pixels inside. A Bayer mosaic has at least 2 × 2 pixels, an X-Trans mosaic 8 × 8.
///
/// Values above white are kept unless `clip` is set; PhCameraColours describes how colours near
/// saturation are changed. With `rebuild`, clipped channels are rebuilt instead (see PhRatioMap);
/// the whole mosaic is then read before the first strip is computed.
///
/// With a `shrink` of 2, 4 or 8, for X-Trans 3, 6 or 12, the output is smaller: its width and height
/// are divided by `shrink` and rounded down. Each output pixel is the mean, for each colour, of its
/// part of the mosaic, `shrink` pixels wide and high or a little more, without interpolation.
///
/// The output is computed in strips of PH_STRIP rows, and the last PH_KEPT strips are kept. Threads
/// may read rows in any order; one thread at a time computes a strip.
///
/// Reach: PH_MOSAIC_REACH or PH_XTRANS_REACH pixels, or 1…3 if `shrink` exceeds 1. Buffers: the kept strips, and a tile
/// or, if `shrink` exceeds 1, the sums of rows.
typedef struct {
  PhKernel parent_instance;
  int left, top, width, height, shrink;
  VipsArrayInt *pattern;
  VipsArrayDouble *multipliers, *matrix;
  gboolean clip, rebuild;

  PhFilterCell cell;
  /// The column and row of red in a cell of a Bayer mosaic, 0 or 1.
  int red_left, red_top;
  /// The column and row of an X-Trans mosaic at which the cell of `ph_xtrans_colour` starts, 0…5.
  int cell_left, cell_top;
  PhCameraColours colours;
  float gain[3];
  GMutex lock;
  /// The kept strips and their numbers; a number is −1 if the strip is empty. `oldest` is the index
  /// of the strip that the next strip replaces.
  float *strip[2];
  int number[2];
  int oldest;
  /// The colours of bright areas, if `rebuild` is set; it has no colours before it is measured.
  PhRatioMap ratios;
  /// The tile that is being developed, and the memory of its planes. If `shrink` exceeds 1, `line`
  /// has the sums of rows instead.
  PhMosaic tile;
  float *planes;
  /// The memory for the demosaic of X-Trans mosaics; else NULL.
  PhXTransMemory *xtrans;
  float *line;
} PhDevelop;

/// Returns the row or column inside 0 ..< `count` that stands for row or column `at`. If `at` is
/// outside, it is reflected at the first or the last one; the result has the same parity, so it has
/// samples of the same colours.
static inline int ph_reflected(int at, int count) {
  int period = 2 * (count - 1);
  at %= period;
  if (at < 0) at += period;
  return at < count ? at : period - at;
}

/// The samples of a row that has been prepared.
static inline const float *ph_mosaic_row(VipsRegion *source, int y) {
  return (const float *)(const void *)VIPS_REGION_ADDR(source, 0, y);
}

/// Computes the rows of the mosaic in `top` ..< `top + rows`, and the rows inside the mosaic whose
/// reflections replace those outside it.
static inline int ph_mosaic_prepare(VipsRegion *source, int top, int rows) {
  int height = source->im->Ysize;
  // Rows outside the mosaic are reflections at its edge, so the rows near the edge are needed.
  int first = VIPS_CLIP(0, top, height - 1), end = VIPS_CLIP(1, top + rows, height);
  if (top < 0) end = VIPS_MIN(height, VIPS_MAX(end, 1 - top));
  if (top + rows > height)
    first = VIPS_MAX(0, VIPS_MIN(first, 2 * (height - 1) - (top + rows - 1)));
  if (end - first < 1) first = 0, end = height;
  VipsRect area = {0, first, source->im->Xsize, end - first};
  return vips_region_prepare(source, &area);
}

// The functions below develop `rows` rows of the output, from `top` on. They return 0, or −1 with
// libvips's error text set.

/// Reduces a Bayer mosaic.
int ph_develop_reduce(PhDevelop *develop, VipsRegion *source, int top, int rows, float *to);

/// Reduces an X-Trans mosaic.
int ph_develop_reduce_xtrans(PhDevelop *develop, VipsRegion *source, int top, int rows, float *to);

/// Demosaics an X-Trans mosaic.
int ph_develop_xtrans(PhDevelop *develop, VipsRegion *source, int top, int rows, float *to);

/// Converts a row of the reduced output, whose centre is at row `y` of the mosaic, from three planes
/// of balanced colours to pixels.
void ph_develop_write_reduced(PhDevelop *develop, double y, float *planes, float *to);

/// Allocates the memory for the demosaic of X-Trans mosaics. Returns −1 if memory is short.
int ph_xtrans_allocate(PhDevelop *develop);

void ph_xtrans_free(PhDevelop *develop);
