#pragma STDC FP_CONTRACT OFF

#include "raw/hot_pixels_xtrans.h"

#include <stdlib.h>

/// The number of neighbours of a sample, and of places among which they are found.
enum { PH_NEIGHBOURS = 8, PH_PLACES = 40 };

/// The largest distance of a neighbour along a row or column, in pixels.
enum { PH_REACH = 6 };

/// The places of samples of the same colour around a sample, the nearest first.
typedef struct {
  int x[PH_PLACES], y[PH_PLACES];
} PhPlaces;

/// The visible area of a mosaic.
typedef struct {
  const PhRawFile *file;
  ushort *samples;
  ptrdiff_t pitch;
  int width, height;
} PhArea;

static gboolean is_inside(const PhArea *area, int x, int y) {
  return x >= 0 && y >= 0 && x < area->width && y < area->height;
}

static ushort *sample_at(const PhArea *area, int x, int y) {
  return area->samples + y * area->pitch + x;
}

/// Finds the places around the samples of a pixel of the cell.
static void find_places(const PhRawFile *file, int x, int y, PhPlaces *places) {
  int count = 0;
  // Missing places are outside every area.
  for (int i = 0; i < PH_PLACES; i++) places->x[i] = places->y[i] = 1 << 24;
  for (int square = 1; count < PH_PLACES && square <= 2 * PH_REACH * PH_REACH; square++)
    for (int dy = -PH_REACH; dy <= PH_REACH; dy++)
      for (int dx = -PH_REACH; dx <= PH_REACH; dx++)
        if (dx * dx + dy * dy == square && count < PH_PLACES &&
            ph_raw_colour(file, x + dx + 6, y + dy + 6) == ph_raw_colour(file, x, y))
          places->x[count] = dx, places->y[count++] = dy;
}

/// Copies the nearest neighbours of a sample. Returns their number.
static int copy_neighbours(const PhArea *area, const PhPlaces *places, int x, int y,
                           ushort values[PH_NEIGHBOURS]) {
  int count = 0;
  for (int i = 0; i < PH_PLACES && count < PH_NEIGHBOURS; i++)
    if (is_inside(area, x + places->x[i], y + places->y[i]))
      values[count++] = *sample_at(area, x + places->x[i], y + places->y[i]);
  return count;
}

/// The distance of the four samples beside a sample, those of other colours, from the mean of the
/// samples of their colours three pixels away; a positive number if they are brighter.
static int step_beside(const PhArea *area, int x, int y) {
  int own = ph_raw_colour(area->file, x, y), total = 0, count = 0;
  for (int colour = 0; colour < 3; colour++) {
    int near = 0, far = 0, nears = 0, fars = 0;
    for (int dy = -3; dy <= 3; dy++)
      for (int dx = -3; dx <= 3; dx++) {
        gboolean is_near = dx * dx + dy * dy == 1, is_far = abs(dx) == 3 || abs(dy) == 3;
        if ((!is_near && !is_far) || !is_inside(area, x + dx, y + dy) ||
            ph_raw_colour(area->file, x + dx, y + dy) != colour)
          continue;
        int value = *sample_at(area, x + dx, y + dy);
        if (is_near) near += value, nears++;
        if (is_far) far += value, fars++;
      }
    if (colour == own || !nears || !fars) continue;
    total += near - far / fars * nears;
    count += nears;
  }
  return count ? total / count : 0;
}

static int by_size(const void *a, const void *b) {
  return *(const ushort *)a - *(const ushort *)b;
}

/// Returns the value of a sample: the median of its neighbours if it stands out from them as that of
/// a hot or of a dead pixel does. The limits are those of Bayer mosaics; see hot_pixels.c.
static ushort mended(const PhArea *area, const PhPlaces *places, int x, int y, int black, int floor) {
  ushort values[PH_NEIGHBOURS];
  int sample = *sample_at(area, x, y), count = copy_neighbours(area, places, x, y, values);
  if (count < PH_NEIGHBOURS) return (ushort)sample;
  qsort(values, PH_NEIGHBOURS, sizeof *values, by_size);
  int least = values[0], most = values[PH_NEIGHBOURS - 1], range = most - least;
  int above = sample - most, below = least - sample;
  gboolean is_hot = above > 5 * range + floor;
  gboolean is_dead =
      below > floor && below > 2 * range && 8 * (sample - black) < least - black;
  if (!is_hot && !is_dead) return (ushort)sample;
  // A dark detail also darkens the samples beside it, because the lens blurs it.
  int step = step_beside(area, x, y);
  if (is_hot ? 10 * step > above : -3 * step > below) return (ushort)sample;
  return (ushort)((values[3] + values[4] + 1) / 2);
}

/// True if a sample is not brighter or darker than all its neighbours, at the distances `steps`, by
/// more than `floor`. The first two or three neighbours tell it of most samples.
static gboolean is_between(const ushort *sample, const ptrdiff_t steps[PH_NEIGHBOURS], int floor) {
  int least = 1 << 16, most = -1;
  for (int i = 0; i < PH_NEIGHBOURS; i++) {
    int value = sample[steps[i]];
    least = VIPS_MIN(least, value), most = VIPS_MAX(most, value);
    if (*sample - most <= floor && least - *sample <= floor) return TRUE;
  }
  return FALSE;
}

int ph_raw_mend_xtrans_hot_pixels(PhRawFile *file) {
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  PhPlaces *places = g_try_new(PhPlaces, 36);
  if (!places) {
    vips_error("phbatch_rawload", "%s", "memory is short");
    return -1;
  }
  for (int i = 0; i < 36; i++) find_places(file, i % 6, i / 6, &places[i]);
  ptrdiff_t pitch = sizes->raw_pitch / (ptrdiff_t)sizeof(ushort);
  PhArea area = {file, file->libraw->rawdata.raw_image + sizes->top_margin * pitch +
                           sizes->left_margin, pitch, sizes->width, sizes->height};
  double white = ph_raw_white(file, 1), black = ph_raw_black(file, 0, 0);
  int floor = (int)((white - black) / 100) + 1, replaced = 0;
  for (int y = 0; y < area.height; y++)
    for (int phase = 0; phase < 6; phase++) {
      const PhPlaces *around = &places[y % 6 * 6 + phase];
      gboolean is_border_row = y < PH_REACH || y >= area.height - PH_REACH;
      ptrdiff_t steps[PH_NEIGHBOURS];
      for (int i = 0; i < PH_NEIGHBOURS; i++) steps[i] = around->y[i] * pitch + around->x[i];
      for (int x = phase; x < area.width; x += 6) {
        ushort *sample = sample_at(&area, x, y);
        gboolean is_border = is_border_row || x < PH_REACH || x >= area.width - PH_REACH;
        if (!is_border && is_between(sample, steps, floor)) continue;
        ushort value = mended(&area, around, x, y, (int)black, floor);
        if (value != *sample) replaced++;
        *sample = value;
      }
    }
  g_free(places);
  return replaced;
}
