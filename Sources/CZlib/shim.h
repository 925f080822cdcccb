#pragma once
#include <zlib.h>

enum {
  czlib_truncated = -1,
  czlib_damaged = -2,
  czlib_full = -3,
  czlib_no_memory = -4,
};

// Expands raw DEFLATE (RFC 1951) into a buffer; returns the bytes written, or a code above. Bytes
// after the end of the stream are not read.
static inline long czlib_inflate(
    const unsigned char *source, unsigned int size, unsigned char *target, unsigned int capacity) {
  z_stream stream = {.next_in = (unsigned char *)source, .avail_in = size,
                     .next_out = target, .avail_out = capacity};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return czlib_no_memory;
  int result = inflate(&stream, Z_FINISH);
  long written = (long)stream.total_out;
  int is_full = stream.avail_out == 0;
  inflateEnd(&stream);
  switch (result) {
    case Z_STREAM_END: return written;
    case Z_OK:
    case Z_BUF_ERROR: return is_full ? czlib_full : czlib_truncated;
    case Z_MEM_ERROR: return czlib_no_memory;
    default: return czlib_damaged;
  }
}
