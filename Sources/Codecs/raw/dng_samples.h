#pragma once
#include "raw/raw_file.h"

// Statements of a DNG file about its samples that LibRaw uses in another way.

/// Undoes LibRaw's reduction of a visible area that begins in an odd row or column. `area` states
/// the left, top, width and height of the visible area; it has no effect if it is not LibRaw's area
/// before the reduction.
void ph_raw_restore_area(PhRawFile *file, const VipsArrayInt *area);

/// Opens a raw file as `ph_raw_open` does, whose samples are in `parts` (see `ph_raw_read_parts`);
/// NULL if LibRaw reads them.
///
/// LibRaw reads the parts as one picture that begins with the first part. If the first part is not
/// the first in the file, LibRaw gets a copy of the file with zeros at its end, so that it does not
/// read beyond the end. The copy is freed by `ph_raw_close`.
int ph_raw_open_parts(PhRawFile *file, const void *bytes, size_t length,
                      const VipsArrayDouble *parts);

/// Reads uncompressed samples from the parts of a file, in place of those that LibRaw read: LibRaw
/// 0.20 takes tiles and strips for one continuous picture.
///
/// `parts` has the bits of a sample, 8…16; 1 for big-endian samples, otherwise 0; the samples of a
/// pixel, 1 or 3; and five numbers for each part: its offset in the file, left, top, width and
/// height. The rows of a part begin at whole bytes. Returns 0, or LibRaw's error code.
int ph_raw_read_parts(PhRawFile *file, const VipsArrayDouble *parts);
