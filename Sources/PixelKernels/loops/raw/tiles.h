#pragma once

// The tiles of raw photos that the loops develop.

/// The number of pixels that the demosaic reads on each side of a pixel, and the number of floats
/// on both sides of a half row.
enum { PH_MOSAIC_REACH = 10, PH_MOSAIC_PAD = 16 };

/// A tile of a Bayer mosaic, and the planes for its demosaic; see loops/raw/demosaic.h.
///
/// A row of a plane has its even columns first, then its odd columns. Each half has `pitch` floats:
/// the pixels, between PH_MOSAIC_PAD floats of padding.
typedef struct {
  /// The size of the tile in pixels, including a margin of PH_MOSAIC_REACH pixels on each side, for
  /// which the demosaic computes no valid colours. The number of columns is even.
  int columns, rows;
  int pitch;
  /// The parity of the rows, and of the columns, in which the sensor samples red.
  int red_row, red_column;
  /// The input: samples of balanced colours, at least 0.
  float *mosaic;
  /// The output: the three colours of all pixels.
  float *red, *green, *blue;
  float *detail, *direction;
  /// A plane that stores only half of each row: the pixels that sample red or blue.
  float *chroma;
  /// Scratch memory for one row.
  float *scratch;
} PhMosaic;

/// The number of pixels around a pixel of an X-Trans mosaic that affect it, the number of floats on
/// both sides of a run, the number of directions, and the largest number of samples of a colour from
/// which a difference is interpolated.
enum { PH_XTRANS_REACH = 13, PH_XTRANS_PAD = 8, PH_XTRANS_DIRECTIONS = 4, PH_XTRANS_TAPS = 9 };

/// The samples from which a colour difference is interpolated: their distances in memory, and their
/// weights, whose sum is 1. The weights of missing samples are 0.
typedef struct {
  int offset[PH_XTRANS_TAPS];
  float weight[PH_XTRANS_TAPS];
} PhXTransTaps;

/// A tile of an X-Trans mosaic, and the planes for its demosaic; see loops/raw/xtrans.h.
///
/// A row of a plane has six runs, one for each column of a cell of 6 × 6 pixels. A run has `pitch`
/// floats: the pixels, between PH_XTRANS_PAD floats of padding.
typedef struct {
  /// The size of the tile in pixels, including a margin of PH_XTRANS_REACH pixels on each side, for
  /// which the demosaic computes no valid colours. The number of columns is a multiple of 6. The
  /// first pixel is the first of a cell.
  int columns, rows;
  int pitch;
  /// The input: samples of balanced colours, at least 0. The demosaic replaces them.
  float *mosaic;
  /// The output: the three colours of all pixels.
  float *red, *green, *blue;
  /// For each direction: differences of red and blue samples from green, which are 0 at green
  /// samples before and after; the unevenness of the picture; and the direction's
  /// share of a pixel.
  float *difference[PH_XTRANS_DIRECTIONS], *uneven[PH_XTRANS_DIRECTIONS];
  float *part[PH_XTRANS_DIRECTIONS];
  /// Scratch memory for a row of each direction.
  float *scratch;
  /// The samples of red (index 0) and blue (1) by pixel of a cell and direction.
  const PhXTransTaps (*taps)[PH_XTRANS_DIRECTIONS][2];
} PhXTrans;

/// Returns the colour of a pixel of an X-Trans cell: 0 red, 1 green, 2 blue.
///
/// The blocks of 3 × 3 pixels have green in the middle and in the corners. The first block has red
/// beside its middle and blue above and below; this alternates from block to block.
static inline int ph_xtrans_colour(int row, int column) {
  if ((row % 3 == 1) == (column % 3 == 1)) return 1;
  return (row % 3 == 1) == ((row / 3 + column / 3) % 2 == 0) ? 0 : 2;
}

/// The conversion of balanced camera colours to linear light. In balanced colours, the channels of
/// white are equal, and 1 is the level at which the first channel is clipped.
///
/// If a pixel is nearly clipped, its saturation is reduced, but not below the saturation that it
/// has with all channels clipped at 1; the mean of its channels stays the same. If `clips` is set,
/// all channels of all pixels are clipped at 1 instead.
typedef struct {
  /// The matrix from camera colours to linear light; its rows are red, green and blue of the
  /// output.
  float matrix[9];
  /// 1 ÷ the level at which each channel is clipped.
  float per_full[3];
  int clips;
} PhCameraColours;
