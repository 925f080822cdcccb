#include "patches.h"

#include <string.h>

/// The number of samples of padding after each half of a row, which may be read or summed. A row is
/// stored in two halves: its even columns, then its odd columns.
enum { PH_BEYOND = PH_PATCHES + 8 };

/// Returns the distance, in floats, between the two halves of a row: its even columns and its odd
/// columns. Successive rows are twice this distance apart.
static size_t half_pitch(int width) { return (size_t)(width / 2 + PH_BEYOND); }

size_t ph_patches_room(int width, int height) {
  // The scratch memory has, for the whole plane: its two halves, their sums, and the weights; for
  // one row of patches: the spectrum, its sums, and the weights.
  return half_pitch(width) * (size_t)(2 * height + 2 * height + height + 16 + 16 + 1);
}

/// Stores the even and the odd columns of all rows separately; fills the padding after them with 0.
static void separate(const PhFloatPlane *from, float *halves) {
  size_t pitch = half_pitch(from->width);
  for (int y = 0; y < from->height; y++) {
    const float *row = from->samples + y * from->pitch;
    float *even = halves + 2 * pitch * (size_t)y;
    float *odd = even + pitch;
    for (int i = 0; i < from->width / 2; i++) {
      even[i] = row[2 * i];
      odd[i] = row[2 * i + 1];
    }
    memset(even + from->width / 2, 0, PH_BEYOND * sizeof(float));
    memset(odd + from->width / 2, 0, PH_BEYOND * sizeof(float));
  }
}

/// Processes the patches whose upper edge is row `top`.
static void run_row(const PhLoops *loops, const float *halves, int width, int top, float threshold,
                    float *spectrum, float *sums, float *weights) {
  size_t pitch = half_pitch(width);
  float *sum = spectrum + 16 * pitch;
  float *weight = sum + 16 * pitch;
  const float *lines[2][8];
  float *spectra[2][8], *spectrum_sums[2][8], *totals[2][8];
  memset(sum, 0, 17 * pitch * sizeof(float));
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 8; k++) {
      size_t at = (size_t)(2 * k + side) * pitch;
      lines[side][k] = halves + 2 * pitch * (size_t)top + at;
      totals[side][k] = sums + 2 * pitch * (size_t)top + at;
      spectra[side][k] = spectrum + at;
      spectrum_sums[side][k] = sum + at;
    }
    loops->cosine(lines[side], spectra[side], (int)pitch);
  }
  int patches = width / 2 - 3;
  for (int start = 0; start < patches; start += PH_PATCHES) {
    int count = patches - start < PH_PATCHES ? patches - start : PH_PATCHES;
    const float *even[8], *odd[8];
    float *even_sum[8], *odd_sum[8];
    for (int k = 0; k < 8; k++) {
      even[k] = spectra[0][k] + start;
      odd[k] = spectra[1][k] + start;
      even_sum[k] = spectrum_sums[0][k] + start;
      odd_sum[k] = spectrum_sums[1][k] + start;
    }
    loops->shrink(even, odd, threshold, count, even_sum, odd_sum, weight + start);
  }
  for (int k = 0; k < 8; k++) {
    float *total = weights + pitch * (size_t)(top + k);
    for (int i = 0; i < width / 2; i++) total[i] += weight[i];
  }
  for (int side = 0; side < 2; side++)
    loops->cosine_inverse((const float *const *)spectrum_sums[side], totals[side], width / 2);
}

void ph_patches_run(const PhLoops *loops, const PhFloatPlane *from, float threshold, float *scratch,
                    const PhFloatPlane *to) {
  int margin = PH_PATCH_MARGIN;
  int inside = from->width - 2 * margin;
  size_t pitch = half_pitch(from->width);
  size_t height = (size_t)from->height;
  float *halves = scratch;
  float *sums = halves + 2 * pitch * height;
  float *weights = sums + 2 * pitch * height;
  float *spectrum = weights + pitch * height;
  separate(from, halves);
  memset(sums, 0, 3 * pitch * height * sizeof(float));
  for (int y = 0; y + 8 <= from->height; y += 2)
    run_row(loops, halves, from->width, y, threshold, spectrum, sums, weights);
  for (int y = 0; y < from->height; y++) {
    float *row = to->samples + y * to->pitch;
    memcpy(row, from->samples + y * from->pitch, (size_t)from->width * sizeof(float));
    if (y < margin || y >= from->height - margin || inside <= 0) continue;
    const float *even = sums + 2 * pitch * (size_t)y + margin / 2;
    loops->weighted(even, even + pitch, weights + pitch * (size_t)y + margin / 2, row + margin,
                    inside / 2);
  }
}
