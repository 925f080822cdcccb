#pragma once
#include <vips/vips.h>

/// True if the colours of an RGB picture have detail that a JPEG file of `quality`, 1…100, keeps
/// only without chroma subsampling.
///
/// The colour differences Cb and Cr are transformed in blocks of 8 × 8 pixels, as the encoder does.
/// Half the resolution keeps the lower half of the frequencies in each direction. A block has
/// detail if quantization by the chroma table of ITU-T T.81, K.2, scaled for `quality`, does not
/// round all higher frequencies to 0; a picture has detail if at least 1 % of the examined blocks
/// have detail. Every fourth row of blocks is examined.
gboolean ph_chroma_has_detail(const guint8 *pixels, int width, int height, int quality);
