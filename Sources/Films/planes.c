// Conversions between Y'CbCr planes and interleaved RGB.
//
// Source: ITU-T H.273, equations 38 to 60; BT.709, BT.601 and BT.2020 for the coefficients.

#include "films.h"

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

static void load(const uint8_t *row, int count, int is_deep, float *values) {
  if (is_deep) {
    const uint16_t *deep = (const uint16_t *)(const void *)row;
    for (int x = 0; x < count; x++) values[x] = deep[x];
  } else {
    for (int x = 0; x < count; x++) values[x] = row[x];
  }
}

// Interpolates between two rows of chroma: three quarters of `near` and a quarter of `far`.
static void mix(float *near, const float *far, int count) {
  for (int x = 0; x < count; x++) near[x] = 0.75f * near[x] + 0.25f * far[x];
}

static int within(int index, int count) {
  return index < 0 ? 0 : index >= count ? count - 1 : index;
}

// Interpolates a row of chroma to all columns. `row` has one more element at both ends.
static void widen(float *row, int count, int is_centred, int width, float *values) {
  row[-1] = row[0];
  row[count] = row[count - 1];
  const int pairs = width / 2;
  if (is_centred) {
    for (int i = 0; i < pairs; i++) {
      values[2 * i] = 0.75f * row[i] + 0.25f * row[i - 1];
      values[2 * i + 1] = 0.75f * row[i] + 0.25f * row[i + 1];
    }
    if (width % 2) values[width - 1] = 0.75f * row[pairs] + 0.25f * row[pairs - 1];
  } else {
    for (int i = 0; i < pairs; i++) {
      values[2 * i] = row[i];
      values[2 * i + 1] = 0.5f * (row[i] + row[i + 1]);
    }
    if (width % 2) values[width - 1] = row[pairs];
  }
}

static float clamped(float value, float top) {
  value = value < 0 ? 0 : value;
  return value > top ? top : value;
}

// Computes one channel: `luma` plus each chroma multiplied by its factor.
static void add_row(
  const float *luma, const float *blue, float blue_scale, const float *red, float red_scale,
  float offset, float top, int count, float *values) {
  for (int x = 0; x < count; x++)
    values[x] = clamped(luma[x] + blue[x] * blue_scale + red[x] * red_scale + offset, top) + 0.5f;
}

// Writes a row of RGB. Converts `luma` to 0…255 or 0…65535 in place; `channels` is scratch memory
// for three rows.
static void write_row(
  const struct levels *levels, float *luma, const float *blue, const float *red, int width,
  int is_deep, float *channels[3], void *samples, ptrdiff_t row) {
  const float top = is_deep ? 65535.0f : 255.0f;
  const float scale = top / levels->luma_scale;
  for (int x = 0; x < width; x++) luma[x] = (luma[x] - levels->luma_offset) * scale;
  const float to_blue = 2 * (1 - levels->kb) * top / levels->chroma_scale;
  const float to_red = 2 * (1 - levels->kr) * top / levels->chroma_scale;
  const float blue_to_green = -levels->kb / levels->kg * to_blue;
  const float red_to_green = -levels->kr / levels->kg * to_red;
  const float middle = levels->chroma_offset;
  add_row(luma, blue, 0, red, to_red, -middle * to_red, top, width, channels[0]);
  add_row(
    luma, blue, blue_to_green, red, red_to_green, -middle * (blue_to_green + red_to_green), top,
    width, channels[1]);
  add_row(luma, blue, to_blue, red, 0, -middle * to_blue, top, width, channels[2]);
  const float *r = channels[0], *g = channels[1], *b = channels[2];
  if (is_deep) {
    uint16_t *words = (uint16_t *)samples + 3 * (ptrdiff_t)width * row;
    for (int x = 0; x < width; x++) {
      words[3 * x] = (uint16_t)(int32_t)r[x];
      words[3 * x + 1] = (uint16_t)(int32_t)g[x];
      words[3 * x + 2] = (uint16_t)(int32_t)b[x];
    }
  } else {
    uint8_t *bytes = (uint8_t *)samples + 3 * (ptrdiff_t)width * row;
    for (int x = 0; x < width; x++) {
      bytes[3 * x] = (uint8_t)(int32_t)r[x];
      bytes[3 * x + 1] = (uint8_t)(int32_t)g[x];
      bytes[3 * x + 2] = (uint8_t)(int32_t)b[x];
    }
  }
}

int phbatch_planes_to_rgb(const struct phbatch_planes *planes, void *samples) {
  struct levels levels;
  if (levels_of(&planes->coding, &levels)) return -1;
  const int width = planes->width, height = planes->height;
  const int is_deep = planes->coding.bits > 8;
  const int columns = planes->halves_columns ? (width + 1) / 2 : width;
  const int rows = planes->halves_rows ? (height + 1) / 2 : height;
  // Memory for two rows of chroma with one more element at each end, both chromas in all columns,
  // luma, and the three channels.
  const size_t pitch = (size_t)width + 4;
  float *memory = malloc(8 * pitch * sizeof(float));
  if (!memory) return -1;
  float *near = memory + 1, *far = near + pitch, *luma = far + pitch;
  float *wide[2] = {luma + pitch, luma + 2 * pitch};
  float *channels[3] = {luma + 3 * pitch, luma + 4 * pitch, luma + 5 * pitch - 2};
  for (int y = 0; y < height; y++) {
    load(planes->data[0] + y * planes->pitch[0], width, is_deep, luma);
    const int row = planes->halves_rows ? y / 2 : y;
    const int other = within(y % 2 ? row + 1 : row - 1, rows);
    for (int c = 0; c < 2; c++) {
      const uint8_t *plane = planes->data[1 + c];
      load(plane + row * planes->pitch[1 + c], columns, is_deep, near);
      if (planes->halves_rows) {
        load(plane + other * planes->pitch[1 + c], columns, is_deep, far);
        mix(near, far, columns);
      }
      if (planes->halves_columns) {
        widen(near, columns, planes->coding.is_centred, width, wide[c]);
      } else {
        for (int x = 0; x < width; x++) wide[c][x] = near[x];
      }
    }
    write_row(&levels, luma, wide[0], wide[1], width, is_deep, channels, samples, y);
  }
  free(memory);
  return 0;
}

// Loads the channels of a row of RGB as 0…1; the rows of `channels` are `pitch` apart.
static void load_rgb(
  const void *samples, ptrdiff_t row, int width, int is_deep, float *channels, size_t pitch) {
  const float scale = 1 / (is_deep ? 65535.0f : 255.0f);
  float *red = channels, *green = channels + pitch, *blue = green + pitch;
  if (is_deep) {
    const uint16_t *words = (const uint16_t *)samples + 3 * (ptrdiff_t)width * row;
    for (int x = 0; x < width; x++) {
      red[x] = words[3 * x] * scale;
      green[x] = words[3 * x + 1] * scale;
      blue[x] = words[3 * x + 2] * scale;
    }
  } else {
    const uint8_t *bytes = (const uint8_t *)samples + 3 * (ptrdiff_t)width * row;
    for (int x = 0; x < width; x++) {
      red[x] = bytes[3 * x] * scale;
      green[x] = bytes[3 * x + 1] * scale;
      blue[x] = bytes[3 * x + 2] * scale;
    }
  }
}

static void store(const float *values, int count, int is_deep, float top, uint8_t *row) {
  if (is_deep) {
    uint16_t *words = (uint16_t *)(void *)row;
    for (int x = 0; x < count; x++) words[x] = (uint16_t)(int32_t)(clamped(values[x], top) + 0.5f);
  } else {
    for (int x = 0; x < count; x++) row[x] = (uint8_t)(int32_t)(clamped(values[x], top) + 0.5f);
  }
}

// Averages two rows of a channel, and reduces the result to half of its columns. `sum` is scratch
// memory for one row, with one more element at each end.
static void halve(
  const float *upper, const float *lower, int width, int is_centred, float *sum, float *values) {
  for (int x = 0; x < width; x++) sum[x] = upper[x] + lower[x];
  sum[-1] = sum[0];
  sum[width] = sum[width - 1];
  const int columns = (width + 1) / 2;
  if (is_centred) {
    for (int i = 0; i < columns; i++) values[i] = 0.25f * (sum[2 * i] + sum[2 * i + 1]);
  } else {
    for (int i = 0; i < columns; i++)
      values[i] = 0.125f * (sum[2 * i - 1] + 2 * sum[2 * i] + sum[2 * i + 1]);
  }
}

int phbatch_rgb_to_planes(const void *samples, const struct phbatch_planes *planes) {
  struct levels levels;
  if (levels_of(&planes->coding, &levels)) return -1;
  const int width = planes->width, height = planes->height;
  const int is_deep = planes->coding.bits > 8;
  const float top = (float)((1 << planes->coding.bits) - 1);
  const int columns = (width + 1) / 2;
  const size_t pitch = (size_t)width + 4;
  // Memory for two rows of three channels, the row that is halved, three halved channels, and the
  // result.
  float *memory = malloc(11 * pitch * sizeof(float));
  if (!memory) return -1;
  float *sum = memory + 6 * pitch + 1, *half = memory + 7 * pitch, *made = memory + 10 * pitch;
  for (int y = 0; y < height; y += 2) {
    for (int i = 0; i < 2; i++) {
      float *rgb = memory + 3 * pitch * (size_t)i;
      const int row = within(y + i, height);
      load_rgb(samples, row, width, is_deep, rgb, pitch);
      if (y + i >= height) continue;
      for (int x = 0; x < width; x++) {
        const float luma =
          levels.kr * rgb[x] + levels.kg * rgb[pitch + x] + levels.kb * rgb[2 * pitch + x];
        made[x] = luma * levels.luma_scale + levels.luma_offset;
      }
      uint8_t *target = (uint8_t *)(uintptr_t)planes->data[0] + row * planes->pitch[0];
      store(made, width, is_deep, top, target);
    }
    for (size_t c = 0; c < 3; c++)
      halve(
        memory + c * pitch, memory + (3 + c) * pitch, width, planes->coding.is_centred, sum,
        half + c * pitch);
    for (int c = 0; c < 2; c++) {
      const float *channel = half + (c ? 0 : 2 * pitch);
      const float k = c ? levels.kr : levels.kb;
      const float scale = levels.chroma_scale / (2 * (1 - k));
      for (int x = 0; x < columns; x++) {
        const float luma =
          levels.kr * half[x] + levels.kg * half[pitch + x] + levels.kb * half[2 * pitch + x];
        made[x] = (channel[x] - luma) * scale + levels.chroma_offset;
      }
      uint8_t *target =
        (uint8_t *)(uintptr_t)planes->data[1 + c] + (y / 2) * planes->pitch[1 + c];
      store(made, columns, is_deep, top, target);
    }
  }
  free(memory);
  return 0;
}
