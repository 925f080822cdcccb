#pragma once
#include <stdint.h>

#include "base/kernel.h"

/// A disc that is healed, in pixels of the image; pixel centres are at ½.
typedef struct {
  double x, y;
  /// The radius up to which the healed pixels cover fully, and the radius at which they end.
  double radius, outer;
  /// True if the centre of the source is given: (`source_x`, `source_y`).
  int has_source;
  double source_x, source_y;
  /// The pixels of the image with centres in the disc.
  VipsRect box;
} PhSpot;

/// Spots of an image, and how its pixels are read.
typedef struct {
  const PhKernel *kernel;
  const PhSpot *spots;
  int count;
} PhSpots;

/// The reasons why a pixel cannot be copied or used as a border: it belongs to the spot that is
/// healed or to another spot, it is outside the image, or it is transparent.
enum { PH_OWN = 1, PH_OTHER = 2, PH_BEYOND = 4, PH_CLEAR = 8 };

/// A part of the image as planes that are not premultiplied, reduced by a whole factor.
typedef struct {
  /// The pixel of the image at the upper left corner, the pixels of the image on each side of a
  /// pixel, and the size in reduced pixels.
  int left, top, scale, width, height;
  /// Three planes, one after the other, and for each pixel the reasons why it cannot be copied or
  /// used as a border.
  float *colours;
  uint8_t *reasons;
} PhPatch;

/// Computes the geometry of a spot from its centre and radii.
void ph_spot_place(PhSpot *spot, const VipsImage *image);

/// The distance in rows from a spot's centre up to which its source is searched and read.
int ph_spot_reach(const PhSpot *spot);

/// Sets `first` and `end` to the range of pixels of row `y` whose centres are within `radius` of a
/// spot's centre.
void ph_spot_chord(const PhSpot *spot, double radius, int y, int *first, int *end);

/// Reads a part of the image. Returns 0, or −1 with libvips's error text set; the patch is then
/// empty.
int ph_patch_read(const PhSpots *spots, int own, VipsRegion *region, VipsRect part, int scale,
                  PhPatch *patch);

void ph_patch_clear(PhPatch *patch);

/// Finds the part of the image that continues the surroundings of a spot best, and sets `across`
/// and `down` to the offset from the spot to this part, in pixels.
///
/// Returns 1, 0 if there is no part that fits, or −1 with libvips's error text set.
int ph_spot_find_source(const PhSpots *spots, int number, VipsRegion *region, int *across,
                        int *down);
