#include "bleed.h"

#pragma STDC FP_CONTRACT OFF

/// A plane of mean sample values. A negative value marks a gap: a place where no pixel is visible.
typedef struct {
  float *values;
  int width;
  int height;
} PhMeans;

/// The maximum number of planes: the samples, and a plane of means for each halving until one
/// sample is left; an edge has at most 2³⁰ samples.
enum { PH_HALVINGS = 32 };

static const float gap = -1;

static int sample(PhSamples plane, int x, int y) {
  const uint8_t *row = plane.data + (size_t)y * (size_t)plane.stride;
  int place = x * plane.step;
  return plane.is_wide ? ((const uint16_t *)row)[place] : row[place];
}

static void store(PhSamples plane, int x, int y, float value) {
  uint8_t *row = plane.data + (size_t)y * (size_t)plane.stride;
  int place = x * plane.step;
  if (plane.is_wide)
    ((uint16_t *)row)[place] = (uint16_t)(value + 0.5f);
  else
    row[place] = (uint8_t)(value + 0.5f);
}

static float *at(PhMeans means, int x, int y) {
  return means.values + (size_t)y * (size_t)means.width + (size_t)x;
}

static int new_means(int width, int height, PhMeans *means) {
  *means = (PhMeans){g_try_new(float, (size_t)width * (size_t)height), width, height};
  if (means->values) return 0;
  vips_error("phbatch_bleed", "memory is short");
  return -1;
}

static gboolean is_visible(PhSamples alpha, int x, int y, int across, int down) {
  for (int j = y * down; j < VIPS_MIN((y + 1) * down, alpha.height); j++)
    for (int i = x * across; i < VIPS_MIN((x + 1) * across, alpha.width); i++)
      if (sample(alpha, i, j)) return TRUE;
  return FALSE;
}

/// Copies the samples of visible pixels to `means` and marks all others as gaps. Returns the number
/// of gaps.
static size_t read_samples(PhSamples plane, PhSamples alpha, int across, int down, PhMeans means) {
  size_t gaps = 0;
  for (int y = 0; y < plane.height; y++)
    for (int x = 0; x < plane.width; x++) {
      gboolean visible = is_visible(alpha, x, y, across, down);
      *at(means, x, y) = visible ? (float)sample(plane, x, y) : gap;
      if (!visible) gaps++;
    }
  return gaps;
}

/// Computes each value of `small` as the mean of those values in a square of 2 × 2 values of
/// `large` that are not gaps; the result is a gap if all four are gaps.
static void reduce(PhMeans large, PhMeans small) {
  for (int y = 0; y < small.height; y++)
    for (int x = 0; x < small.width; x++) {
      float sum = 0;
      int count = 0;
      for (int j = 2 * y; j < VIPS_MIN(2 * y + 2, large.height); j++)
        for (int i = 2 * x; i < VIPS_MIN(2 * x + 2, large.width); i++)
          if (*at(large, i, j) >= 0) {
            sum += *at(large, i, j);
            count++;
          }
      *at(small, x, y) = count ? sum / (float)count : gap;
    }
}

/// Returns the value of `small` at pixel (x, y) of a plane of twice the size, interpolated
/// bilinearly. `small` has no gaps.
static float between(PhMeans small, int x, int y) {
  int near_x = x / 2, near_y = y / 2;
  int far_x = VIPS_CLIP(0, x % 2 ? near_x + 1 : near_x - 1, small.width - 1);
  int far_y = VIPS_CLIP(0, y % 2 ? near_y + 1 : near_y - 1, small.height - 1);
  float near = 0.75f * *at(small, near_x, near_y) + 0.25f * *at(small, far_x, near_y);
  float far = 0.75f * *at(small, near_x, far_y) + 0.25f * *at(small, far_x, far_y);
  return 0.75f * near + 0.25f * far;
}

static void fill(PhMeans large, PhMeans small) {
  for (int y = 0; y < large.height; y++)
    for (int x = 0; x < large.width; x++)
      if (*at(large, x, y) < 0) *at(large, x, y) = between(small, x, y);
}

static int fill_gaps(PhSamples plane, PhSamples alpha, int across, int down, PhMeans *levels) {
  if (new_means(plane.width, plane.height, &levels[0])) return -1;
  size_t gaps = read_samples(plane, alpha, across, down, levels[0]);
  // Without gaps, or without visible samples from which to fill them, nothing changes.
  if (gaps == 0 || gaps == (size_t)plane.width * (size_t)plane.height) return 0;
  int last = 0;
  while (levels[last].width > 1 || levels[last].height > 1) {
    int width = (levels[last].width + 1) / 2, height = (levels[last].height + 1) / 2;
    if (new_means(width, height, &levels[last + 1])) return -1;
    reduce(levels[last], levels[last + 1]);
    last++;
  }
  for (int k = last; k > 0; k--) fill(levels[k - 1], levels[k]);
  for (int y = 0; y < plane.height; y++)
    for (int x = 0; x < plane.width; x++)
      if (!is_visible(alpha, x, y, across, down)) store(plane, x, y, *at(levels[0], x, y));
  return 0;
}

int ph_bleed_plane(PhSamples plane, PhSamples alpha, int across, int down) {
  PhMeans levels[PH_HALVINGS] = {{NULL, 0, 0}};
  int status = fill_gaps(plane, alpha, across, down, levels);
  for (int k = 0; k < PH_HALVINGS; k++) g_free(levels[k].values);
  return status;
}
