#pragma once
#include "axis.h"
#include "loops/loops.h"

/// Where the samples lie in the image that they are read from: as its pixels, or as one of the planes
/// in its rows.
typedef struct {
  /// How many rows lie beside one another in a row of the image, `pitch` samples apart.
  int rows, pitch;
  /// The first sample of the first of them.
  int left;
} PhPlace;

/// What a resize is to do.
typedef struct {
  const PhLoops *loops;
  PhPlace place;
  int bands;
  PhFormat from, to;
  /// Whether pixels that are clipped count.
  gboolean counts;
  /// Columns and rows of the image.
  PhAxis across, down;
  /// What a pixel's alpha is: PH_OPAQUE, or the last of its bands.
  PhAlpha alpha;
  /// Average light, rather than sRGB-encoded values.
  gboolean linear;
  /// The light of each 8-bit sample.
  float light[256];
  /// Rows of the output that are under way at once, at most.
  int sums;
} PhResampling;

/// Whether sums go on from one group to the next: the input has no fewer rows than the output.
/// Else a group reads again the few rows that it shares with the group before.
gboolean ph_resampling_carries(const PhResampling *resampling);

/// How many sums the rows in `down` need.
int ph_resampling_sums(const PhResampling *resampling);

/// The work on a resize: groups of eight output rows, from the top down.
///
/// Each row of the input is added, times its weight, to the sum of every output row that it is a
/// part of; the eight sums that are complete are then filtered along the rows, side by side. A
/// group right below the last one goes on with the sums under way, so that no input row is read
/// twice, or kept. Rows are added in one order whatever the groups are: so are the bits the same.
typedef struct PhResampler PhResampler;

/// Returns NULL, with libvips's error text set, if memory is short.
PhResampler *ph_resampler_new(const PhResampling *resampling);

/// Takes NULL too.
void ph_resampler_free(PhResampler *resampler);

/// Makes an area of the output, at `to` and `pitch` bytes from row to row, of a region of the input.
/// One thread at a time; another one may go on. `clipped` grows by the pixels that were clipped.
///
/// Returns 0, or −1 with libvips's error text set.
int ph_resampler_fill(PhResampler *resampler, VipsRegion *source, const VipsRect *area,
                      VipsPel *to, size_t pitch, int *clipped);
