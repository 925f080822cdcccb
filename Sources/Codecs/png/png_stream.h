#pragma once
#include <vips/vips.h>

/// Compresses the filtered rows of a PNG file.
typedef struct PhPngStream PhPngStream;

/// Creates a stream for `size` bytes in all. If `whole` is true, the stream keeps all bytes and
/// compresses them together by libdeflate; it then needs at most `2 × size` bytes of memory.
/// Otherwise it compresses the bytes by zlib as they arrive. `level` is 0…9.
///
/// Returns NULL, with libvips's error text set, if memory is short.
PhPngStream *ph_png_stream_new(VipsTarget *target, size_t size, int level, gboolean whole);

/// Frees a stream; has no effect for NULL.
void ph_png_stream_free(PhPngStream *stream);

/// Adds bytes to the stream. Returns 0, or −1 with libvips's error text set.
int ph_png_stream_add(PhPngStream *stream, const void *bytes, size_t count);

/// Writes the remaining bytes. Returns 0, or −1 with libvips's error text set.
int ph_png_stream_end(PhPngStream *stream);
