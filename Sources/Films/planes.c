// Conversions between Y'CbCr planes and interleaved RGB.
//
// Source: ITU-T H.273, equations 38 to 60; BT.709, BT.601 and BT.2020 for the coefficients.

#include "films.h"
#include "planes_loops.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#pragma STDC FP_CONTRACT OFF

// The conversion of Y'CbCr samples with a number of bits to the ranges of H.273: Y' 0…1, chroma
// -0.5…0.5.
struct levels {
  float luma_scale, luma_offset, chroma_scale, chroma_offset;
  float kr, kg, kb;
};

static int levels_of(const struct phbatch_film_coding *coding, struct levels *levels) {
  double kr, kb;
  switch (coding->matrix) {
    case 1: kr = 0.2126, kb = 0.0722; break;
    case 4: kr = 0.30, kb = 0.11; break;
    case 5:
    case 6: kr = 0.299, kb = 0.114; break;
    case 7: kr = 0.212, kb = 0.087; break;
    case 9: kr = 0.2627, kb = 0.0593; break;
    default: return -1;
  }
  levels->kr = (float)kr;
  levels->kb = (float)kb;
  levels->kg = (float)(1 - kr - kb);
  const double unit = (double)(1 << (coding->bits - 8));
  const double top = (double)((1 << coding->bits) - 1);
  levels->luma_scale = (float)(coding->is_full_range ? top : 219 * unit);
  levels->luma_offset = (float)(coding->is_full_range ? 0 : 16 * unit);
  levels->chroma_scale = (float)(coding->is_full_range ? top : 224 * unit);
  levels->chroma_offset = (float)(128 * unit);
  return 0;
}

static int within(int index, int count) {
  return index < 0 ? 0 : index >= count ? count - 1 : index;
}

static atomic_int most_loops = 4;

void phbatch_planes_keep_to(int level) { atomic_store(&most_loops, level); }

// Selects the loops. AVX-512 is used only with VBMI2: CPUs with AVX-512 but without VBMI2 lower
// their clock while they use 512-bit vectors.
static const struct phbatch_sample_loops *loops_for(int is_deep) {
  const struct phbatch_planes_loops *set = &phbatch_planes_portable;
#if defined(__x86_64__)
  const int most = atomic_load(&most_loops);
  if (most > 3 && __builtin_cpu_supports("x86-64-v4") && __builtin_cpu_supports("avx512vbmi2"))
    set = &phbatch_planes_v4;
  else if (most > 2 && __builtin_cpu_supports("x86-64-v3"))
    set = &phbatch_planes_v3;
#endif
  return is_deep ? &set->deep : &set->bytes;
}

static struct phbatch_to_rgb to_rgb_factors(const struct levels *levels, int is_deep) {
  const float top = is_deep ? 65535.0f : 255.0f;
  const float to_blue = 2 * (1 - levels->kb) * top / levels->chroma_scale;
  const float to_red = 2 * (1 - levels->kr) * top / levels->chroma_scale;
  const float blue_to_green = -levels->kb / levels->kg * to_blue;
  const float red_to_green = -levels->kr / levels->kg * to_red;
  const float middle = levels->chroma_offset;
  return (struct phbatch_to_rgb){
    .luma_offset = levels->luma_offset,
    .luma_scale = top / levels->luma_scale,
    .red_to_red = to_red / 16,
    .blue_to_green = blue_to_green / 16,
    .red_to_green = red_to_green / 16,
    .blue_to_blue = to_blue / 16,
    .red_offset = -middle * to_red,
    .green_offset = -middle * (blue_to_green + red_to_green),
    .blue_offset = -middle * to_blue};
}

int phbatch_planes_to_rgb(const struct phbatch_planes *planes, void *samples) {
  struct levels levels;
  if (levels_of(&planes->coding, &levels)) return -1;
  const int width = planes->width, height = planes->height;
  const int is_deep = planes->coding.bits > 8;
  const int columns = planes->halves_columns ? (width + 1) / 2 : width;
  const int rows = planes->halves_rows ? (height + 1) / 2 : height;
  const struct phbatch_sample_loops *loops = loops_for(is_deep);
  const struct phbatch_to_rgb factors = to_rgb_factors(&levels, is_deep);
  // Memory for a row of chroma with one more element at each end, both chromas in all columns, and
  // a row of RGB.
  const size_t pitch = ((size_t)width + 32) / 16 * 16;
  uint32_t *memory = malloc(5 * pitch * sizeof(uint32_t));
  if (!memory) return -1;
  uint32_t *quarters = memory + 1, *scratch = memory + 3 * pitch;
  uint32_t *wide[2] = {memory + pitch, memory + 2 * pitch};
  const ptrdiff_t row_size = (ptrdiff_t)width * (is_deep ? 6 : 3);
  for (int y = 0; y < height; y++) {
    const int row = planes->halves_rows ? y / 2 : y;
    const int other = planes->halves_rows ? within(y % 2 ? row + 1 : row - 1, rows) : row;
    for (int c = 0; c < 2; c++) {
      const uint8_t *plane = planes->data[1 + c];
      const int64_t step = planes->pitch[1 + c];
      loops->mix(plane + row * step, plane + other * step, columns, quarters);
      loops->widen(
        quarters, columns, planes->halves_columns, planes->coding.is_centred, width, wide[c]);
    }
    loops->to_rgb(
      &factors, planes->data[0] + y * planes->pitch[0], wide[0], wide[1], width, scratch,
      (uint8_t *)samples + y * row_size);
  }
  free(memory);
  return 0;
}

static struct phbatch_from_rgb from_rgb_factors(const struct levels *levels, int bits) {
  return (struct phbatch_from_rgb){
    .kr = levels->kr,
    .kg = levels->kg,
    .kb = levels->kb,
    .luma_scale = levels->luma_scale,
    .luma_offset = levels->luma_offset,
    .blue_scale = levels->chroma_scale / (2 * (1 - levels->kb)),
    .red_scale = levels->chroma_scale / (2 * (1 - levels->kr)),
    .chroma_offset = levels->chroma_offset,
    .top = (float)((1 << bits) - 1)};
}

int phbatch_rgb_to_planes(const void *samples, const struct phbatch_planes *planes) {
  struct levels levels;
  if (levels_of(&planes->coding, &levels)) return -1;
  const int width = planes->width, height = planes->height;
  const int is_deep = planes->coding.bits > 8;
  const struct phbatch_sample_loops *loops = loops_for(is_deep);
  const struct phbatch_from_rgb factors = from_rgb_factors(&levels, planes->coding.bits);
  // Memory for the sums of two rows of three channels with one more element at each end, a row of
  // RGB, and the luma of the last row if that is added to itself.
  const size_t pitch = ((size_t)width + 32) / 16 * 16;
  float *memory = malloc(6 * pitch * sizeof(float));
  if (!memory) return -1;
  float *const sums[3] = {memory + 1, memory + pitch + 1, memory + 2 * pitch + 1};
  float *scratch = memory + 3 * pitch;
  const ptrdiff_t row_size = (ptrdiff_t)width * (is_deep ? 6 : 3);
  uint8_t *luma = (uint8_t *)(uintptr_t)planes->data[0];
  uint8_t *blue = (uint8_t *)(uintptr_t)planes->data[1];
  uint8_t *red = (uint8_t *)(uintptr_t)planes->data[2];
  for (int y = 0; y < height; y++) {
    const uint8_t *row = (const uint8_t *)samples + y * row_size;
    const int is_second = y % 2;
    loops->to_luma(&factors, row, width, is_second, sums, scratch, luma + y * planes->pitch[0]);
    if (!is_second && y + 1 < height) continue;
    if (!is_second) loops->to_luma(&factors, row, width, 1, sums, scratch, memory + 5 * pitch);
    loops->to_chroma(
      &factors, sums, width, planes->coding.is_centred, scratch,
      blue + y / 2 * planes->pitch[1], red + y / 2 * planes->pitch[2]);
  }
  free(memory);
  return 0;
}
