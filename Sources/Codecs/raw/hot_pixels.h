#pragma once
#include "raw/raw_file.h"

/// Replaces the samples of hot and dead pixels in a mosaic's visible area; such samples differ
/// strongly from all samples around them. Returns the number of replaced samples, or −1 with the
/// error text of libvips set.
///
/// A sample is replaced by the median of its eight neighbours of the same colour if its distance
/// from all of them is more than five times their range, plus 1 % of the range from black to white.
/// The range of eight samples is about three standard deviations of their noise. A point of light
/// also reaches the samples of other colours beside it; if it does, nothing is replaced.
int ph_raw_mend_hot_pixels(PhRawFile *file);
