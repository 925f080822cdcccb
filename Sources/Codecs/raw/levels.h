#pragma once
#include "raw/raw_file.h"

/// The levels of black and white of a mosaic or of layers.
typedef struct {
  PhRawKind kind;
  /// The black level of each pixel, and the factor that scales the range from the highest black to
  /// the pixel's white to 1. Both are stored for one period, the rows and columns after which the
  /// values repeat; each pixel of layers has three of each.
  ///
  /// - Source: Adobe Digital Negative Specification 1.7, 2023, chapter 5, "Rescaling".
  float *black, *factor;
  int period_rows, period_columns;
  /// The differences of black by row and by column; NULL if there are none.
  const double *row_black, *column_black;
} PhRawLevels;

/// The black that a DNG file states: the rows and columns of a pattern, and the levels of its
/// samples; and one difference for each row or column of the visible area, which has `width` × `height` pixels. Each
/// array may be NULL. The arrays must live as long as the levels.
typedef struct {
  const VipsArrayDouble *pattern, *rows, *columns;
  int width, height;
} PhRawStatedBlack;

/// Finds the levels of an unpacked file. Returns 0, or −1 with libvips's error text set. Free the
/// levels after an error too.
int ph_raw_levels_prepare(PhRawLevels *levels, const PhRawFile *file, PhRawKind kind,
                          const PhRawStatedBlack *stated);

/// Writes `count` pixels of the visible area, from column `left` of row `y` on: black is 0, white 1.
void ph_raw_levels_apply(const PhRawLevels *levels, const PhRawFile *file, int left, int y, int count,
                         float *to);

void ph_raw_levels_free(PhRawLevels *levels);
