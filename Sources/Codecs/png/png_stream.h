#pragma once
#include <vips/vips.h>

/// What compresses the filtered rows of a PNG file, in the order in which they come.
typedef struct PhPngStream PhPngStream;

/// For `size` bytes in all. With `whole` they are kept and compressed together, by libdeflate, which
/// takes at most twice their size; else as they come, by zlib. `level` is 0…9.
///
/// Returns NULL, with libvips's error text set, if memory is short.
PhPngStream *ph_png_stream_new(VipsTarget *target, size_t size, int level, gboolean whole);

/// Takes NULL too.
void ph_png_stream_free(PhPngStream *stream);

/// Returns 0, or −1 with libvips's error text set.
int ph_png_stream_add(PhPngStream *stream, const void *bytes, size_t count);

/// Writes what is still kept. Returns 0, or −1 with libvips's error text set.
int ph_png_stream_end(PhPngStream *stream);
