#include "raw/saturation.h"

/// The number of values of a sample.
enum { PH_LEVELS = 1 << 16 };

/// The samples of a colour that have the highest level.
typedef struct {
  /// The level above which there are only a few samples, such as those of hot pixels.
  int top;
  /// The level that 98 % of the samples near `top` exceed; 0 if the samples do not pile up.
  int pile;
} PhTop;

/// Returns the highest level that at least `count` samples of a histogram have or exceed.
static int level_of(const unsigned *histogram, gint64 count) {
  int level = PH_LEVELS - 1;
  for (gint64 sum = histogram[level]; level > 0 && sum < count; sum += histogram[level]) level--;
  return level;
}

static gint64 count_in(const unsigned *histogram, int start, int end) {
  gint64 sum = 0;
  for (int i = VIPS_MAX(0, start); i < VIPS_MIN(end, PH_LEVELS); i++) sum += histogram[i];
  return sum;
}

/// Describes the brightest of the samples of a histogram, which has `total`. `range` is the range
/// from black to white.
static PhTop find_top(const unsigned *histogram, gint64 total, double range) {
  PhTop top = {.top = level_of(histogram, 1 + total / 100000)};
  int window = (int)(range / 64) + 1;
  gint64 piled = count_in(histogram, top.top - window, PH_LEVELS);
  gint64 below = count_in(histogram, top.top - 2 * window, top.top - window);
  if (piled < 8 * below || piled < 1 + total / 2000) return top;
  // The noise of saturated samples is that of reading them, and less than the noise of light.
  int spread = level_of(histogram, piled / 10) - level_of(histogram, piled - piled / 10);
  if (spread <= range / 128) top.pile = level_of(histogram, piled - piled / 50);
  return top;
}

static unsigned *count_samples(const PhRawFile *file, gint64 totals[3]) {
  unsigned *counts = g_try_new0(unsigned, 3 * PH_LEVELS);
  if (!counts) return NULL;
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  size_t pitch = sizes->raw_pitch / sizeof(ushort);
  for (int y = 0; y < sizes->height; y++) {
    const ushort *row = file->libraw->rawdata.raw_image +
                        (size_t)(sizes->top_margin + y) * pitch + sizes->left_margin;
    int period = ph_raw_is_xtrans(file) ? 6 : 2;
    for (int first = 0; first < period; first++) {
      int colour = ph_raw_colour(file, first, y);
      unsigned *histogram = counts + (colour == 3 ? 1 : colour) * PH_LEVELS;
      for (int x = first; x < sizes->width; x += period) histogram[row[x]]++;
    }
  }
  for (int colour = 0; colour < 3; colour++)
    totals[colour] = count_in(counts + colour * PH_LEVELS, 0, PH_LEVELS);
  return counts;
}

double ph_raw_measure_saturation(const PhRawFile *file) {
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  if (file->libraw->idata.dng_version ||
      sizes->left_margin + sizes->width > sizes->raw_width ||
      sizes->top_margin + sizes->height > sizes->raw_height)
    return 0;
  gint64 totals[3];
  unsigned *counts = count_samples(file, totals);
  if (!counts) return 0;
  double white = ph_raw_white(file, 1), black = ph_raw_black(file, 0, 0), range = white - black;
  int least = 0, highest = 0, piles = 0;
  for (int colour = 0; colour < 3; colour++) {
    PhTop top = find_top(counts + colour * PH_LEVELS, totals[colour], range);
    if (top.pile) {
      piles++;
      least = least ? VIPS_MIN(least, top.pile) : top.pile;
    }
    highest = VIPS_MAX(highest, top.top);
  }
  g_free(counts);
  // No colour may be brighter: then the others are not saturated.
  gboolean is_same = highest - least <= range / 32;
  gboolean is_plausible = least >= black + 0.75 * range && highest < white;
  return piles >= 2 && is_same && is_plausible ? least : 0;
}
