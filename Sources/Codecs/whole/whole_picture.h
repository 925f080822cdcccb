#pragma once
#include <vips/vips.h>

/// A picture that a loader decodes as a whole when a thread needs its first pixel.
typedef struct {
  /// The loader, which is passed to `decode` and `write_row`.
  void *loader;
  /// Decodes the picture. Returns 0, or −1 with libvips's error text set.
  int (*decode)(void *loader);
  /// Writes `count` pixels of a row of the decoded picture, from column `left` on.
  void (*write_row)(const void *loader, int left, int y, int count, VipsPel *to);

  GMutex lock;
  gboolean is_decoded;
  gboolean has_failed;
} PhWholePicture;

/// Generates `out` from the picture. The header fields of `out` must be set, and the picture must
/// live as long as `out`. Returns 0, or −1 with libvips's error text set.
int ph_whole_picture_output(PhWholePicture *picture, VipsImage *out);
