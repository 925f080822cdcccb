#pragma once
#include <glib.h>

/// The size of a tile in pixels, and that of its part inside the frame.
typedef struct {
  int width, height;
  int columns, rows;
} PhTileSize;

/// Decodes one of the JPEG tiles of a lossy DNG file.
///
/// `to` receives the pixels inside the frame, three bytes for each; its rows are `pitch` bytes apart.
/// Returns 0, or −1 if the JPEG file has neither the size of the tile nor that of its part inside
/// the frame, does not have three components, or is damaged in a way that libjpeg notices.
int ph_jpeg_tile_read(const guint8 *bytes, gsize length, const PhTileSize *size, guint8 *to,
                      gsize pitch);
