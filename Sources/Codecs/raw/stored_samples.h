#pragma once
#include "raw/raw_file.h"

// Changes of the samples as the file stores them, before black and white levels are applied.
// Positions refer to the whole frame, which includes masked pixels.

/// Applies opcodes (see raw/opcodes.h) to the decoded samples, whose values are not scaled. Returns
/// 0, or −1 with libvips's error text set.
int ph_raw_apply_opcodes(PhRawFile *file, const VipsArrayDouble *opcodes);

/// Replaces defective samples by an interpolation of their neighbours of the same colour.
///
/// `areas` has four numbers for each defective area: top, left, bottom and right. `values` are
/// samples that replace defective samples. Returns 0, or −1 with libvips's error text set.
int ph_raw_mend(PhRawFile *file, const VipsArrayInt *areas, const VipsArrayInt *values);
