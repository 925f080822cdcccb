#pragma once
#include <glib.h>

/// Decodes one of the JPEG tiles of a lossy DNG file.
///
/// `to` receives the first `width` × `height` pixels, three bytes for each; its rows are `pitch`
/// bytes apart. Returns 0, or −1 if the tile is smaller, has no three components, or is damaged in a
/// way that libjpeg notices.
int ph_jpeg_tile_read(const guint8 *bytes, gsize length, int width, int height, guint8 *to,
                      gsize pitch);
