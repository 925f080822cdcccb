#pragma once
#include <vips/vips.h>

enum { PH_PLANES = 3 };

/// One plane of a picture that is stored as planes.
typedef struct {
  /// In the image's rows: its first sample, and the samples from one of its rows to the next.
  int left, pitch;
  /// Its samples.
  int width, height;
  /// How many of them the picture covers, which may end within the last one.
  double across, down;
} PhPlane;

/// A picture as a file of YCbCr stores it, brightness and two differences of colour, which may be
/// coarser: an image of one band, with one or two rows of brightness and one of each difference in
/// each of its rows.
typedef struct {
  /// Rows of brightness in a row of the image.
  int rows;
  PhPlane plane[PH_PLANES];
} PhPlanes;

/// Says in an image's metadata how its planes lie.
void ph_planes_set(VipsImage *image, const PhPlanes *planes);

/// Returns 0, or −1 with libvips's error text set where the image says nothing, or what cannot be.
int ph_planes_get(VipsImage *image, PhPlanes *planes);
