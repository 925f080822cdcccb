#pragma STDC FP_CONTRACT OFF

#include "raw/hot_pixels.h"

#include <stdlib.h>

#include "loops/loops.h"

/// The number of pixels at each edge whose neighbours may lie outside of the visible area.
enum { PH_HOT_MARGIN = 4 };

/// The greatest value of a sample.
enum { PH_GREATEST = 65535 };

/// The least distance of a hot and of a dead pixel from the neighbours, as a multiple of their range.
enum { PH_HOT_RANGES = 5, PH_DEAD_RANGES = 2 };

/// A dead pixel has at most this part of the light of the darkest neighbour.
enum { PH_DEAD_PART = 8 };

/// The columns and rows from a sample to its neighbours of the same colour.
static const int around[8][2] = {{-2, -2}, {0, -2}, {2, -2}, {-2, 0},
                                 {2, 0},   {-2, 2}, {0, 2},  {2, 2}};

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

/// The samples of the visible area.
typedef struct {
  ushort *first;
  ptrdiff_t pitch;
  int width, height, black, floor;
} PhSamples;

/// The index of a sample of the same colour inside `0..<count`, for an index at most 3 outside.
static int inside(int index, int count) {
  return index < 0 ? index + 4 : index >= count ? index - 4 : index;
}

/// Mends a sample near an edge; samples within the edge take the place of those outside. Returns 1 if
/// the sample was replaced.
static int mend_at_edge(const PhSamples *all, int x, int y) {
  enum { REACH = 3, SIDE = 2 * REACH + 1, MIDDLE = REACH * SIDE + REACH };
  ushort near[SIDE * SIDE], *sample = all->first + y * all->pitch + x;
  int least = PH_GREATEST, most = 0;
  for (int i = 0; i < 8; i++) {
    int column = inside(x + around[i][0], all->width), row = inside(y + around[i][1], all->height);
    int value = all->first[row * all->pitch + column];
    least = VIPS_MIN(least, value), most = VIPS_MAX(most, value);
  }
  if (*sample - most <= all->floor && least - *sample <= all->floor) return 0;
  for (int i = 0; i < SIDE * SIDE; i++) {
    int column = inside(x + i % SIDE - REACH, all->width);
    int row = inside(y + i / SIDE - REACH, all->height);
    near[i] = all->first[row * all->pitch + column];
  }
  if (!stands_out(near + MIDDLE, SIDE, least, most, all->black, all->floor)) return 0;
  *sample = median_around(near + MIDDLE, SIDE);
  return 1;
}

/// The number of samples whose ranges of neighbours are computed together.
enum { PH_TOGETHER = 256 };

/// Mends `count` samples of a row, from column `left` on. `range` has room for two numbers for each
/// sample, and one for each PH_TOGETHER samples. Returns the number of replaced samples.
static int mend_row(const PhSamples *all, int y, int left, int count, ushort *range) {
  ushort *row = all->first + y * all->pitch + left, *least = range, *most = range + count;
  ushort *distance = most + count;
  const PhLoops *loops = ph_loops(FALSE);
  int replaced = 0;
  // The ranges of the whole row are computed before the first sample is replaced.
  for (int x = 0; x < count; x += PH_TOGETHER)
    distance[x / PH_TOGETHER] = loops->neighbours(
        row + x, all->pitch, VIPS_MIN(PH_TOGETHER, count - x), least + x, most + x);
  for (int x = 0; x < count; x++) {
    // Most samples are between their neighbours.
    if (x % PH_TOGETHER == 0 && distance[x / PH_TOGETHER] <= all->floor) {
      x += PH_TOGETHER - 1;
      continue;
    }
    if (row[x] - most[x] <= all->floor && least[x] - row[x] <= all->floor) continue;
    if (!stands_out(row + x, all->pitch, least[x], most[x], all->black, all->floor)) continue;
    row[x] = median_around(row + x, all->pitch);
    replaced++;
  }
  return replaced;
}

int ph_raw_mend_hot_pixels(PhRawFile *file) {
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  PhSamples all = {.pitch = sizes->raw_pitch / (ptrdiff_t)sizeof(ushort),
                   .width = sizes->width,
                   .height = sizes->height};
  all.first = file->libraw->rawdata.raw_image + sizes->top_margin * all.pitch + sizes->left_margin;
  int count = all.width - 2 * PH_HOT_MARGIN, replaced = 0;
  if (count < 1 || all.height <= 2 * PH_HOT_MARGIN) return 0;
  ushort *range = g_try_new(ushort, 2 * count + count / PH_TOGETHER + 1);
  if (!range) {
    vips_error("phbatch_rawload", "%s", "memory is short");
    return -1;
  }
  double white = ph_raw_white(file, 1), black = ph_raw_black(file, 0, 0);
  all.black = (int)black;
  all.floor = (int)((white - black) / 100) + 1;
  for (int y = 0; y < all.height; y++) {
    gboolean is_edge = y < PH_HOT_MARGIN || y >= all.height - PH_HOT_MARGIN;
    int left = is_edge ? all.width : PH_HOT_MARGIN;
    for (int x = 0; x < left; x++) replaced += mend_at_edge(&all, x, y);
    if (is_edge) continue;
    replaced += mend_row(&all, y, PH_HOT_MARGIN, count, range);
    for (int x = PH_HOT_MARGIN + count; x < all.width; x++) replaced += mend_at_edge(&all, x, y);
  }
  g_free(range);
  return replaced;
}
