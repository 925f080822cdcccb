#pragma once
#include "raw/raw_file.h"

/// Replaces the samples of hot and dead pixels in a mosaic's visible area; such samples differ
/// strongly from all samples around them. Returns the number of replaced samples, or −1 with the
/// error text of libvips set.
///
/// A sample is replaced by the median of its eight neighbours of the same colour. A hot pixel is
/// brighter than all of them by more than five times their range, plus 1 % of the range from black
/// to white. A dead pixel is nearly black: it has less than an eighth of the light of the darkest of
/// them, and is darker by more than twice their range. The range of eight samples is about three
/// standard deviations of their noise. A point of light, or a dark detail, also reaches the samples
/// of other colours beside it; if it does, nothing is replaced.
int ph_raw_mend_hot_pixels(PhRawFile *file);
