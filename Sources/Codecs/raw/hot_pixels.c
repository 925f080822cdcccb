#pragma STDC FP_CONTRACT OFF

#include "raw/hot_pixels.h"

#include <stdlib.h>

/// The number of pixels at each edge in which nothing is replaced.
enum { PH_HOT_MARGIN = 4 };

/// The least distance of a hot and of a dead pixel from the neighbours, as a multiple of their range.
enum { PH_HOT_RANGES = 5, PH_DEAD_RANGES = 2 };

/// A dead pixel has at most this part of the light of the darkest neighbour.
enum { PH_DEAD_PART = 8 };

/// The columns and rows from a sample to its neighbours of the same colour.
static const int around[8][2] = {{-2, -2}, {0, -2}, {2, -2}, {-2, 0},
                                 {2, 0},   {-2, 2}, {0, 2},  {2, 2}};

/// Writes the least and the greatest of the eight neighbours of `count` samples.
static void find_range(const ushort *samples, ptrdiff_t pitch, int count, ushort *restrict least,
                       ushort *restrict most) {
  const ushort *above = samples - 2 * pitch, *below = samples + 2 * pitch;
  for (int i = 0; i < count; i++) {
    ushort a = above[i - 2], b = above[i], c = above[i + 2], d = samples[i - 2];
    ushort e = samples[i + 2], f = below[i - 2], g = below[i], h = below[i + 2];
    ushort ab = a < b ? a : b, cd = c < d ? c : d, ef = e < f ? e : f, gh = g < h ? g : h;
    ushort first = ab < cd ? ab : cd, second = ef < gh ? ef : gh;
    least[i] = first < second ? first : second;
    ab = a > b ? a : b, cd = c > d ? c : d, ef = e > f ? e : f, gh = g > h ? g : h;
    first = ab > cd ? ab : cd, second = ef > gh ? ef : gh;
    most[i] = first > second ? first : second;
  }
}

static int by_size(const void *a, const void *b) {
  return *(const ushort *)a - *(const ushort *)b;
}

/// The distance of the four samples beside a sample, which are of other colours, from the mean of
/// the samples of their own colour two pixels further out; a positive number if they are brighter.
static int step_beside(const ushort *sample, ptrdiff_t pitch) {
  const ptrdiff_t beside[4] = {-1, 1, -pitch, pitch};
  int sum = 0;
  for (int i = 0; i < 4; i++) sum += sample[beside[i]] - sample[3 * beside[i]];
  return sum / 4;
}

/// True if a sample stands out from its neighbours, whose least and greatest are given, as that of a
/// hot or of a dead pixel does. Values of at most `floor` are noise.
static gboolean stands_out(const ushort *sample, ptrdiff_t pitch, int least, int most, int black,
                           int floor) {
  int above = *sample - most, below = least - *sample, range = most - least;
  if (above > PH_HOT_RANGES * range + floor) return 10 * step_beside(sample, pitch) <= above;
  // A dark detail also darkens the samples of other colours beside it, because the lens blurs it.
  return below > floor && below > PH_DEAD_RANGES * range &&
         PH_DEAD_PART * (*sample - black) < least - black && -3 * step_beside(sample, pitch) <= below;
}

static ushort median_around(const ushort *sample, ptrdiff_t pitch) {
  ushort values[8];
  for (int i = 0; i < 8; i++) values[i] = sample[around[i][1] * pitch + around[i][0]];
  qsort(values, 8, sizeof *values, by_size);
  return (ushort)((values[3] + values[4] + 1) / 2);
}

int ph_raw_mend_hot_pixels(PhRawFile *file) {
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  int count = sizes->width - 2 * PH_HOT_MARGIN, replaced = 0;
  if (count < 1 || sizes->height <= 2 * PH_HOT_MARGIN) return 0;
  ushort *least = g_try_new(ushort, 2 * count), *most = least + count;
  if (!least) {
    vips_error("phbatch_rawload", "%s", "memory is short");
    return -1;
  }
  double white = ph_raw_white(file, 1), black = ph_raw_black(file, 0, 0);
  int floor = (int)((white - black) / 100) + 1;
  ptrdiff_t pitch = sizes->raw_pitch / (ptrdiff_t)sizeof(ushort);
  for (int y = PH_HOT_MARGIN; y < sizes->height - PH_HOT_MARGIN; y++) {
    ushort *row = file->libraw->rawdata.raw_image + (sizes->top_margin + y) * pitch +
                  sizes->left_margin + PH_HOT_MARGIN;
    find_range(row, pitch, count, least, most);
    for (int x = 0; x < count; x++) {
      // Most samples are between their neighbours.
      if (row[x] - most[x] <= floor && least[x] - row[x] <= floor) continue;
      if (!stands_out(row + x, pitch, least[x], most[x], (int)black, floor)) continue;
      row[x] = median_around(row + x, pitch);
      replaced++;
    }
  }
  g_free(least);
  return replaced;
}
