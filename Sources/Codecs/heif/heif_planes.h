#pragma once
#include <libheif/heif.h>
#include <vips/vips.h>

/// The planes that a HEIF encoder reads: luma and two of colour differences, or green, blue and red
/// where nothing may be lost, and alpha.
typedef struct PhHeifPlanes PhHeifPlanes;

/// How pixels become planes.
typedef struct {
  /// Bits of a sample: 8, 10 or 12.
  int depth;
  /// Pixels that share a sample of colour, across and down: 1 or 2.
  int across;
  int down;
  /// Of ITU-T H.273, table 4: 0 (green, blue, red), 6 (BT.601) or 9 (BT.2020).
  int matrix;
} PhHeifSampling;

/// Planes for an image of uchar or ushort and 1…4 bands, the last of 2 or 4 being alpha.
///
/// Returns NULL, with libvips's error text set, if memory is short.
PhHeifPlanes *ph_heif_planes_new(VipsImage *in, PhHeifSampling sampling);

void ph_heif_planes_free(PhHeifPlanes *planes);

/// The picture that the planes belong to; it goes with them.
struct heif_image *ph_heif_planes_image(PhHeifPlanes *planes);

/// Converts one row, each once, from the top down. Full range, rounded to the nearest; samples of
/// colour are means of those that share them.
///
/// Source: ITU-T H.273 (07/2021), 8.3, equations 38 to 43.
void ph_heif_planes_add(PhHeifPlanes *planes, const VipsPel *row);
