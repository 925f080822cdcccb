#pragma once
#include <glib.h>

/// Says what a lossless JPEG stream holds.
typedef struct {
  /// The values in a row: the width times the components. Never above 4 × 65535.
  int samples;
  /// The rows of the frame. Never above 65535.
  int rows;
  /// The interleaved components, 1 to 4.
  int components;
  /// The precision of a sample in bits, 2 to 16. A damaged stream may hold larger samples.
  int bits;
} PhLosslessHead;

/// Decodes one stream of lossless JPEG, row by row.
typedef struct PhLossless PhLossless;

/// Opens a stream of ITU-T T.81, process 14 (annex H with Huffman codes, SOF3), as raw photos hold
/// it: in DNG with compression 7 (DNG specification 1.7) and in Canon CR2.
///
/// `bytes` begin with SOI and stay the caller's; they must outlive the decoder. Fills `head`.
/// Returns NULL for any other process, for components that are subsampled or lie in several scans,
/// for a height that is given only after the scan, and for a damaged head.
PhLossless *ph_lossless_open(const guint8 *bytes, gsize length, PhLosslessHead *head);

/// Decodes the next row: `head.samples` values, the components interleaved.
///
/// Returns 0, or −1 if the data of this row are damaged or missing, or if there is no further row.
/// `to` then holds no picture, and each later call returns −1 as well.
///
/// A value above 2^bits − 1, which only a wrong stream has, comes as it is, modulo 2^16, as in
/// other raw decoders; a caller must not use it as an index without a check. A difference of 32768
/// has no further bits; DNG before version 1.1 wrote 16 of them, which would be taken for codes.
int ph_lossless_row(PhLossless *decoder, guint16 *to);

/// Frees the decoder; does nothing for NULL.
void ph_lossless_close(PhLossless *decoder);
