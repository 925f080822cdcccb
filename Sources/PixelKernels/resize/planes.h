#pragma once
#include <vips/vips.h>

enum { PH_PLANES = 3 };

/// One plane of a planar picture.
typedef struct {
  /// The index of the plane's first sample in a row of the image, and the number of samples from
  /// one row of the plane to the next.
  int left, pitch;
  /// The plane's size in samples.
  int width, height;
  /// The number of samples that the picture covers in each direction; not a whole number if the
  /// picture ends within the last sample.
  double across, down;
} PhPlane;

/// A YCbCr picture, whose chroma may be subsampled, stored as an image of one band. Each row of the
/// image contains one or two rows of luma and one row of each chroma plane.
typedef struct {
  /// The number of rows of luma in a row of the image.
  int rows;
  PhPlane plane[PH_PLANES];
} PhPlanes;

/// Stores the layout of the planes in an image's metadata.
void ph_planes_set(VipsImage *image, const PhPlanes *planes);

/// Reads the layout of the planes from an image's metadata. Returns 0, or −1 with libvips's error
/// text set if it is missing or invalid.
int ph_planes_get(VipsImage *image, PhPlanes *planes);
