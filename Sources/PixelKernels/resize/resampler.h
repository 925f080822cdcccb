#pragma once
#include "axis.h"
#include "loops/loops.h"

/// The position of the samples in the input image. They are the image's pixels, or one of the
/// planes in its rows.
typedef struct {
  /// The number of sample rows that are stored side by side in a row of the image, and the distance
  /// in samples from the start of one to the start of the next.
  int rows, pitch;
  /// The first sample of the first row.
  int left;
} PhPlace;

/// The parameters of a resize.
typedef struct {
  const PhLoops *loops;
  PhPlace place;
  int bands;
  PhFormat from, to;
  /// True if clipped pixels are counted.
  gboolean counts;
  /// The weights for columns and rows of the image.
  PhAxis across, down;
  PhAlpha alpha;
  /// True to average linear light, false to average sRGB-encoded values.
  gboolean linear;
  /// The linear light of each 8-bit sample.
  float light[256];
  /// The maximum number of output rows whose sums are incomplete at a time.
  int sums;
} PhResampling;

/// True if incomplete sums are carried from one group of eight output rows to the next; this
/// requires that the input has at least as many rows as the output. Otherwise each group again
/// reads the few input rows that it shares with the previous group.
gboolean ph_resampling_carries(const PhResampling *resampling);

/// Returns the number of rows of sums that a resampler needs for the weights in `down`.
int ph_resampling_sums(const PhResampling *resampling);

/// The state of a resize, which computes groups of eight output rows from the top down.
///
/// Each row of the input is multiplied by its weights and added to the sums of the output rows that
/// use it; eight completed sums are then filtered along the rows in parallel. A group directly
/// below the previous one continues its incomplete sums, so that no input row is read twice or
/// kept. Rows are always added in the same order, so that the resulting bits do not depend on the
/// groups.
typedef struct PhResampler PhResampler;

/// Creates a resampler. Returns NULL, with libvips's error text set, if memory is short.
PhResampler *ph_resampler_new(const PhResampling *resampling);

/// Frees a resampler; has no effect for NULL.
void ph_resampler_free(PhResampler *resampler);

/// Computes an area of the output from a region of the input; the rows of `to` are `pitch` bytes
/// apart. Only one thread at a time may call this function, not necessarily always the same thread.
/// Adds the number of clipped pixels to `clipped`.
///
/// Returns 0, or −1 with libvips's error text set.
int ph_resampler_fill(PhResampler *resampler, VipsRegion *source, const VipsRect *area,
                      VipsPel *to, size_t pitch, int *clipped);
