#pragma once
#include <vips/vips.h>

/// The opcodes of DNG files that change each pixel on its own, by its value and its position.
///
/// Source: Adobe Digital Negative Specification 1.7, 2023, chapter 7, "Opcode List Processing".
typedef enum {
  /// Numbers: unit, then entries. The value becomes entry `round(value × unit)`; the last entry
  /// stands for all larger values.
  PH_OPCODE_TABLE = 1,
  /// Numbers: the largest input, then the coefficients of x⁰, x¹, … of a polynomial p. A value −x
  /// below 0 becomes `2 p(0) − p(x)`.
  PH_OPCODE_POLYNOMIAL,
  /// Numbers: rows, columns and planes of the map, the vertical and horizontal spacing of its
  /// points and the position of the first, as fractions of the frame, the frame's height and width,
  /// then the gains, in which the planes of a point are adjacent.
  PH_OPCODE_GAIN,
  /// Numbers: a summand for each row, or each column, of the area.
  PH_OPCODE_DELTA_ROWS,
  PH_OPCODE_DELTA_COLUMNS,
  /// Numbers: a factor for each row, or each column, of the area.
  PH_OPCODE_SCALE_ROWS,
  PH_OPCODE_SCALE_COLUMNS,
  /// Numbers: the centre (x, y) and the radius r in pixels, then k0 … k4. The gain at a distance
  /// d × r from the centre is 1 + k0 d² + k1 d⁴ + … + k4 d¹⁰.
  PH_OPCODE_VIGNETTE,
  PH_OPCODE_KINDS,
} PhOpcodeKind;

/// One opcode, and the pixels that it changes: every `row_pitch`-th row and `column_pitch`-th
/// column of an area, in `planes` bands from `plane` on.
typedef struct {
  PhOpcodeKind kind;
  int top, left, bottom, right;
  int plane, planes;
  int row_pitch, column_pitch;
  const double *numbers;
  int count;
} PhOpcode;

/// The place of an image in the frame in which opcodes state their areas. A pixel of the image is
/// the mean of `shrink` × `shrink` pixels of the frame; the image begins at (`left`, `top`). With a
/// `shrink` above 1, pitches must be 1.
typedef struct {
  int left, top, shrink;
} PhOpcodePlace;

/// Reads opcodes from an array of numbers, which must live as long as the opcodes. The array has,
/// for each opcode, its kind, the count of its numbers, the eight fields of its area in the order
/// of PhOpcode, and the numbers. Returns an array to be freed by `g_free`; NULL, with libvips's
/// error text set, if the array is damaged or memory is short.
PhOpcode *ph_opcodes_read(const VipsArrayDouble *array, int *count);

/// Applies opcodes, one after another, to `pixels` pixels of a row, from (`x`, `y`) of the image
/// on.
void ph_opcodes_apply(const PhOpcode *opcodes, int count, const PhOpcodePlace *place, int x, int y,
                      float *row, int pixels, int bands);
