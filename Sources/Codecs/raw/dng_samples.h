#pragma once
#include "raw/raw_file.h"

// Statements of a DNG file about its samples that LibRaw uses in another way.

/// The way in which the parts of the samples are coded.
typedef enum { PH_PARTS_PLAIN, PH_PARTS_JPEG, PH_PARTS_LOSSLESS } PhPartCoding;

typedef struct {
  int bits, is_big, channels;
  PhPartCoding parts;
} PhSampleCoding;

/// A part of the samples: its place in the file and in the frame.
typedef struct {
  size_t offset, bytes;
  int left, top, width, height;
} PhPart;

/// Reads the coding of `parts`, and returns the number of parts; −1 if the numbers are damaged.
int ph_raw_read_coding(const VipsArrayDouble *parts, PhSampleCoding *coding);

/// Reads a part of the file's samples; FALSE if its numbers are damaged, or it begins beyond the end
/// of the file.
gboolean ph_raw_read_part(const PhRawFile *file, int index, PhPart *part);

/// Undoes LibRaw's reduction of a visible area that begins in an odd row or column. `area` states
/// the left, top, width and height of the visible area; it has no effect if it is not LibRaw's area
/// before the reduction.
void ph_raw_restore_area(PhRawFile *file, const VipsArrayInt *area);

/// Opens a raw file as `ph_raw_open` does, whose samples are in `parts`; NULL if LibRaw reads them.
///
/// `parts` has the bits of a sample, 8…16; 1 for big-endian samples, otherwise 0; the samples of a
/// pixel, 1 or 3; the PhPartCoding; and six numbers for each part: its offset in the file, its bytes
/// (not used for plain parts), left, top, width and height. The parts are a grid, row by row. The
/// rows of a plain part begin at whole bytes. Lossless parts (see lossless_parts.h) are also read by
/// LibRaw.
///
/// LibRaw 0.20 reads the parts of a mosaic as one picture that begins with the first part. If the
/// first part is not the first in the file, LibRaw gets a copy of the file with zeros at its end, so
/// that it does not read beyond the end. The copy is freed by `ph_raw_close`.
int ph_raw_open_parts(PhRawFile *file, const void *bytes, size_t length,
                      const VipsArrayDouble *parts);

/// Reads the samples from the parts of a file, in place of those that LibRaw read. Returns 0, or
/// LibRaw's error code.
int ph_raw_read_parts(PhRawFile *file);

/// Prepares reading the layers of a file from its parts: checks that all parts are in the file, and
/// decodes those that are JPEG files, to 8 bits or, if they are lossless, to 16 bits. Returns 0, or LibRaw's error code.
int ph_raw_prepare_layers(PhRawFile *file);

/// Reads `count` pixels of the layers from the parts, from column `x` of row `y` of the frame on, and
/// decodes their samples by the file's linearization table. Writes three samples for each pixel.
void ph_raw_read_layers(const PhRawFile *file, int x, int y, int count, ushort *to);
