#pragma once
#include "raw/develop.h"

/// Fills the table of a tile whose runs have `pitch` floats, with an entry for each of the 36 pixels
/// of a cell.
void ph_xtrans_fill_taps(PhXTransTaps (*taps)[PH_XTRANS_DIRECTIONS][2], int pitch);

/// The memory for the demosaic of X-Trans mosaics.
struct PhXTransMemory {
  PhXTrans tile;
  float *planes;
  PhXTransTaps taps[36][PH_XTRANS_DIRECTIONS][2];
};

/// Returns the row or column inside 0 ..< `count` that stands for row or column `at`, and has the
/// same colours. `first` is the row or column of the mosaic, 0…5, at which a cell starts.
///
/// Pixels outside are reflected at the middle of the first or of the last block of 3 pixels that is
/// whole. `count` is at least 8.
static inline int ph_xtrans_reflected(int at, int count, int first) {
  if (at >= 0 && at < count) return at;
  int low = (first + 1) % 3, high = count - 1 - (count - 1 - low) % 3;
  int period = 2 * (high - low), place = (at - low) % period;
  if (place < 0) place += period;
  return low + (place <= high - low ? place : period - place);
}

/// Computes the rows that stand for the rows `top` ..< `top + rows`. Returns 0, or −1 with libvips's
/// error text set.
int ph_xtrans_prepare(const PhDevelop *develop, VipsRegion *source, int top, int rows);
