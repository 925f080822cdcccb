#pragma once
#include <vips/vips.h>

/// The format in which the tiles of a DeepZoom pyramid are encoded.
typedef struct {
  /// The suffix of the tiles: `jpg`, `png` or `webp`.
  const char *suffix;
  /// The quality for JPEG and WebP, 1…100.
  int quality;
  /// The full picture; each tile gets the picture's interpretation and colour profile.
  VipsImage *like;
} PhTileEncoder;

/// True if tiles can be encoded as files with this suffix.
gboolean ph_tile_encoder_knows(const char *suffix);

/// Encodes a tile of `width` × `height` 8-bit pixels as a file, which belongs to the caller.
///
/// Returns NULL, with libvips's error text set, on failure.
VipsBlob *ph_tile_encode(const PhTileEncoder *encoder, const guchar *pixels, int width, int height);
