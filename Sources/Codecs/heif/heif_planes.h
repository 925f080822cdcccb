#pragma once
#include <libheif/heif.h>
#include <vips/vips.h>

/// The planes that a HEIF encoder reads: luma and two chroma planes, or green, blue and red for
/// lossless files; and alpha, if any.
typedef struct PhHeifPlanes PhHeifPlanes;

/// The conversion of pixels to planes.
typedef struct {
  /// The number of bits of a sample: 8, 10 or 12.
  int depth;
  /// The number of pixels that share a chroma sample, horizontally and vertically: 1 or 2.
  int across;
  int down;
  /// The matrix coefficients of ITU-T H.273, table 4: 0 (green, blue, red), 6 (BT.601) or 9
  /// (BT.2020).
  int matrix;
} PhHeifSampling;

/// Creates planes for an image of uchar or ushort samples with 1…4 bands; the last of 2 or 4 is
/// alpha.
///
/// Returns NULL, with libvips's error text set, if memory is short.
PhHeifPlanes *ph_heif_planes_new(VipsImage *in, PhHeifSampling sampling);

void ph_heif_planes_free(PhHeifPlanes *planes);

/// Returns the libheif image that owns the planes. Freeing the planes releases the image.
struct heif_image *ph_heif_planes_image(PhHeifPlanes *planes);

/// Converts the next row, from the top down. Samples are full range and rounded to the nearest; a
/// chroma sample is the mean of the visible pixels that share it.
///
/// Source: ITU-T H.273 (07/2021), 8.3, equations 38 to 43.
void ph_heif_planes_add(PhHeifPlanes *planes, const VipsPel *row);

/// Replaces the colours of transparent pixels by colours interpolated from visible pixels; see
/// bleed/bleed.h. Call it after the last row was added. It has no effect without alpha.
///
/// Returns 0, or −1 with libvips's error text set.
int ph_heif_planes_bleed(PhHeifPlanes *planes);
