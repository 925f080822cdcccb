#pragma once
#include <glib.h>
#include <openjpeg.h>

/// The bytes of a JPEG 2000 file, and the position of the next byte to read.
typedef struct {
  const guint8 *bytes;
  size_t length;
  size_t position;
} PhJp2kStream;

/// Opens a stream that reads the bytes of `from`, which must live as long as the stream. Returns
/// NULL if memory is short.
opj_stream_t *ph_jp2k_stream_open(PhJp2kStream *from);

/// Returns the container of the file: JP2 boxes, or a bare codestream.
OPJ_CODEC_FORMAT ph_jp2k_stream_codec(const PhJp2kStream *from);
