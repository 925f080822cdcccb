#pragma once
#include "raw/raw_file.h"

/// Measures the black of an unpacked mosaic that does not state it, as LibRaw does when it decodes the
/// file: for each colour, the mean of the samples in the masked areas that LibRaw knows; without such
/// areas, the mean of the masked columns on both sides of the visible area, of which two columns at
/// each end are left out, and more for the cameras of which LibRaw knows it. Nothing changes if a colour has no masked samples, or all of them are 0.
void ph_raw_measure_black(PhRawFile *file);
