#pragma once
#include <vips/vips.h>

/// Writes the chunks of a PNG file.
///
/// Source: ISO/IEC 15948:2004 (PNG, second edition).

/// Writes one chunk of at most 2³¹ − 1 bytes. Returns 0, or −1 with libvips's error text set.
int ph_png_write_chunk(VipsTarget *target, const char *type, const void *bytes, size_t count);

/// Writes the signature and all chunks before the pixels: the header, the profile and the pixel
/// density. Metadata such as EXIF are not written here, but added to the finished file.
///
/// `depth` is 8 or 16. Returns 0, or −1 with libvips's error text set.
int ph_png_write_head(VipsTarget *target, VipsImage *image, int depth);

/// Writes compressed pixels, in chunks of at most a megabyte.
int ph_png_write_pixels(VipsTarget *target, const void *bytes, size_t count);
