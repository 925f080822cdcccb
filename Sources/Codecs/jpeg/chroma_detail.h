#pragma once
#include <vips/vips.h>

/// True if the colours of an RGB picture have detail that a JPEG file of `quality` keeps only at
/// full colour resolution.
///
/// Colour differences are transformed in blocks of 8 × 8 pixels, as the encoder does. Half the
/// resolution keeps the lower half of the frequencies in each direction. A block has detail if a
/// higher frequency is not rounded to 0 by the chroma table of ITU-T T.81, K.2; the picture has if
/// at least 1 % of the blocks have. Every fourth row of blocks is examined.
gboolean ph_chroma_has_detail(const guint8 *pixels, int width, int height, int quality);
