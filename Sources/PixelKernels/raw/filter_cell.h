#pragma once

/// The colour filters that repeat over a mosaic: a cell of 2 × 2 pixels of a Bayer sensor, or of
/// 6 × 6 pixels of an X-Trans sensor.
typedef struct {
  /// The number of columns and rows: 2 or 6.
  int edge;
  /// The colours, row by row: 0 red, 1 green, 2 blue.
  int colours[36];
} PhFilterCell;

/// Returns the colour of the pixel at (`x`, `y`), which are not negative.
static inline int ph_filter_colour(const PhFilterCell *cell, int x, int y) {
  return cell->colours[y % cell->edge * cell->edge + x % cell->edge];
}
