#pragma once
#include <vips/vips.h>

enum { PH_PLANES = 3 };

/// One plane of a planar picture.
typedef struct {
  /// In a row of the image: the plane's first sample, and the samples from one of its rows to the
  /// next.
  int left, pitch;
  /// Samples of the plane.
  int width, height;
  /// Samples that the picture covers; it may end within the last one.
  double across, down;
} PhPlane;

/// A YCbCr picture, whose chroma may be subsampled, as an image of one band: each row of the image
/// holds one or two rows of luma and one row of each chroma plane.
typedef struct {
  /// Rows of luma in a row of the image.
  int rows;
  PhPlane plane[PH_PLANES];
} PhPlanes;

/// Stores the layout of the planes in an image's metadata.
void ph_planes_set(VipsImage *image, const PhPlanes *planes);

/// Reads the layout of the planes from an image's metadata. Returns 0, or −1 with libvips's error
/// text set if it is missing or invalid.
int ph_planes_get(VipsImage *image, PhPlanes *planes);
