#pragma once
#include "raw/raw_file.h"

/// True if the parts of the file are coded as lossless JPEG.
gboolean ph_raw_has_lossless_parts(const PhRawFile *file);

/// True if the parts can be read here: LibRaw knows no peculiarity of the camera's coding.
gboolean ph_raw_can_read_lossless_parts(const PhRawFile *file);

/// Decodes the lossless parts of a mosaic, and sets LibRaw's frame to them; or those of three layers,
/// whose samples are not linearized. Returns 0, or LibRaw's error code, also if the parts do not
/// cover the frame. `ph_raw_close` frees the samples.
///
/// A stream of lossless JPEG fills its part row by row, whatever the width of its own rows is. Parts
/// that begin at the same place of the file, such as the slices of a CR2 file, are filled by one
/// stream, one after the other. A part of width or height 0 has that of the frame. What lies outside
/// the frame is left out.
int ph_raw_read_lossless_parts(PhRawFile *file);
