#pragma once
#include <vips/vips.h>

/// The format of the tiles of a pyramid.
typedef struct {
  /// `jpg`, `png` or `webp`.
  const char *suffix;
  /// For JPEG and WebP, 1…100.
  int quality;
  /// The picture, whose interpretation and profile, if any, each tile gets.
  VipsImage *like;
} PhTileEncoder;

/// True if tiles can be encoded as files with a suffix.
gboolean ph_tile_encoder_knows(const char *suffix);

/// Encodes a tile of `width` × `height` 8-bit pixels as a file, which belongs to the caller.
///
/// Returns NULL, with libvips's error text set, on failure.
VipsBlob *ph_tile_encode(const PhTileEncoder *encoder, const guchar *pixels, int width, int height);
