#pragma once
#include <vips/vips.h>

/// How the tiles of a pyramid are encoded.
typedef struct {
  /// `jpg`, `png` or `webp`.
  const char *suffix;
  /// Of JPEG and WebP, 1…100.
  int quality;
  /// What the tiles' colours mean: its profile, if it has one, goes into each of them.
  VipsImage *like;
} PhTileEncoder;

/// Whether tiles can be encoded under a suffix.
gboolean ph_tile_encoder_knows(const char *suffix);

/// Encodes a tile of `width` × `height` 8-bit pixels as a file, which is the caller's.
///
/// Returns NULL, with libvips's error text set, if that fails.
VipsBlob *ph_tile_encode(const PhTileEncoder *encoder, const guchar *pixels, int width, int height);
