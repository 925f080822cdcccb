#pragma once
#include "raw/raw_file.h"

/// Finds the level at which the samples of a mosaic are saturated, if it is below the white level
/// that LibRaw knows. Returns the level in the unit of the samples, with the black level; 0 if the
/// samples show no such level, as those of a photo without clipped highlights.
///
/// Saturated samples pile up at one level, with hardly any above and few just below. The level is
/// the same for all colours, so a bright area of the scene is not mistaken for it. Files whose maker
/// states the level (DNG) are left as they are.
double ph_raw_measure_saturation(const PhRawFile *file);
