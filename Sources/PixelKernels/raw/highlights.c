#pragma STDC FP_CONTRACT OFF

#include "raw/highlights.h"

#include <string.h>

/// Two fractions of a channel's clipping level: from the first, samples of a group count as clipped;
/// from the second, a channel is rebuilt in part.
static const float clipped_from = 0.98f, rebuilt_from = 0.9f;

/// The share of the map's colour in a rebuilt channel that would otherwise be grey: most highlights are
/// greyer than what surrounds them.
static const float coloured = 0.25f;

/// The colour of the map counts less if it has less of a clipped channel than the pixel shows, and not at
/// all from this share below.
static const float refuted_from = 0.2f;

/// The number of rows of groups that are read at a time.
static const int rows_of_groups = 8;

/// The highest luminance of a rebuilt colour relative to the highest level of clipping.
static const float most_rebuilt = 8;

static int fail(const char *words) {
  vips_error("phbatch_develop", "%s", words);
  return -1;
}

/// Adds the colours of a row of groups, each of which has all samples of the filters, to the cells that
/// contain their first samples. `share` is the multiplier of a channel by its number of samples. A group
/// counts by the square of its brightness, so that colours next to highlights count most, and not at all
/// if it is dark or a sample of it is clipped.
static void add_groups(VipsRegion *mosaic, int y, const PhFilterCell *filters, const float share[3],
                       float *cells) {
  int edge = filters->edge, width = mosaic->im->Xsize;
  const float *rows[6];
  for (int v = 0; v < edge; v++)
    rows[v] = (const float *)(const void *)VIPS_REGION_ADDR(mosaic, 0, y + v);
  for (int x = 0; x + edge <= width; x += edge) {
    float sums[3] = {0}, most = 0;
    const int *colour = filters->colours;
    for (int v = 0; v < edge; v++)
      for (int u = 0; u < edge; u++) {
        float sample = rows[v][x + u];
        most = VIPS_MAX(most, sample);
        sums[*colour++] += VIPS_MAX(sample, 0);
      }
    float sum = 0;
    for (int c = 0; c < 3; c++) {
      sums[c] *= share[c];
      sum += sums[c];
    }
    if (most >= clipped_from || sum < 0.02f) continue;
    float *cell = cells + 4 * (x / PH_RATIO_CELL);
    for (int c = 0; c < 3; c++) cell[c] += sum * sums[c];
    cell[3] += sum * sum;
  }
}

/// A level of a pyramid of weighted colours.
typedef struct {
  int columns, rows;
  float *cells;
} PhLevel;

/// Fills cells without a weight from the next level, which has half the size and is filled first.
static int fill(PhLevel *level) {
  if (level->columns == 1 && level->rows == 1) {
    if (level->cells[3] == 0)
      for (int i = 0; i < 4; i++) level->cells[i] = i < 3 ? 1 / 3.0f : 1;
    return 0;
  }
  PhLevel next = {(level->columns + 1) / 2, (level->rows + 1) / 2, NULL};
  next.cells = g_try_new0(float, 4 * (size_t)next.columns * (size_t)next.rows);
  if (!next.cells) return fail("memory is short");
  for (int y = 0; y < level->rows; y++)
    for (int x = 0; x < level->columns; x++) {
      const float *from = level->cells + 4 * ((size_t)y * (size_t)level->columns + (size_t)x);
      float *to = next.cells + 4 * ((size_t)(y / 2) * (size_t)next.columns + (size_t)(x / 2));
      for (int i = 0; i < 4; i++) to[i] += from[i];
    }
  int failed = fill(&next);
  for (int y = 0; y < level->rows && !failed; y++)
    for (int x = 0; x < level->columns; x++) {
      float *cell = level->cells + 4 * ((size_t)y * (size_t)level->columns + (size_t)x);
      if (cell[3] > 0) continue;
      // The four nearest cells of the next level, weighted bilinearly.
      int left = VIPS_MAX(0, (x + 1) / 2 - 1), right = VIPS_MIN((x + 1) / 2, next.columns - 1);
      int top = VIPS_MAX(0, (y + 1) / 2 - 1), bottom = VIPS_MIN((y + 1) / 2, next.rows - 1);
      float h = x % 2 ? 0.25f : 0.75f, v = y % 2 ? 0.25f : 0.75f;
      const int places[4][2] = {{left, top}, {right, top}, {left, bottom}, {right, bottom}};
      const float shares[4] = {(1 - h) * (1 - v), h * (1 - v), (1 - h) * v, h * v};
      for (int k = 0; k < 4; k++) {
        const float *from =
            next.cells + 4 * ((size_t)places[k][1] * (size_t)next.columns + (size_t)places[k][0]);
        for (int i = 0; i < 3; i++) cell[i] += shares[k] * from[i] / from[3];
      }
      cell[3] = 1;
    }
  g_free(next.cells);
  return failed;
}

int ph_ratio_map_measure(PhRatioMap *map, VipsRegion *mosaic, const PhFilterCell *cell,
                         const float gain[3]) {
  int width = mosaic->im->Xsize, height = mosaic->im->Ysize;
  map->columns = (width + PH_RATIO_CELL - 1) / PH_RATIO_CELL;
  map->rows = (height + PH_RATIO_CELL - 1) / PH_RATIO_CELL;
  size_t count = (size_t)map->columns * (size_t)map->rows;
  PhLevel level = {map->columns, map->rows, g_try_new0(float, 4 * count)};
  map->colours = g_try_new(float, 3 * count);
  int failed = level.cells && map->colours ? 0 : fail("memory is short");
  float share[3];
  for (int c = 0; c < 3; c++) {
    int samples = 0;
    for (int i = 0; i < cell->edge * cell->edge; i++) samples += cell->colours[i] == c;
    share[c] = samples ? gain[c] / (float)samples : 0;
  }
  int block = cell->edge * rows_of_groups;
  for (int top = 0; top < height && !failed; top += block) {
    VipsRect area = {0, top, width, VIPS_MIN(block, height - top)};
    failed = vips_region_prepare(mosaic, &area);
    for (int y = top; y + cell->edge <= top + area.height && !failed; y += cell->edge)
      add_groups(mosaic, y, cell, share,
                 level.cells + 4 * (size_t)(y / PH_RATIO_CELL) * (size_t)map->columns);
  }
  if (!failed) failed = fill(&level);
  for (size_t i = 0; i < count && !failed; i++)
    for (size_t c = 0; c < 3; c++)
      map->colours[3 * i + c] = level.cells[4 * i + c] / level.cells[4 * i + 3];
  g_free(level.cells);
  return failed;
}

void ph_ratio_map_free(PhRatioMap *map) {
  g_free(map->colours);
  map->colours = NULL;
}

/// Interpolates the colour at a position, counted in cells from the centre of the first.
static void colour_at(const PhRatioMap *map, double u, double v, float colour[3]) {
  u = VIPS_CLIP(0, u, map->columns - 1), v = VIPS_CLIP(0, v, map->rows - 1);
  int left = (int)u, top = (int)v;
  int right = VIPS_MIN(left + 1, map->columns - 1), bottom = VIPS_MIN(top + 1, map->rows - 1);
  float h = (float)(u - left), s = (float)(v - top);
  const float *above = map->colours + 3 * (size_t)top * (size_t)map->columns;
  const float *below = map->colours + 3 * (size_t)bottom * (size_t)map->columns;
  for (int c = 0; c < 3; c++) {
    float upper = above[3 * left + c] + h * (above[3 * right + c] - above[3 * left + c]);
    float lower = below[3 * left + c] + h * (below[3 * right + c] - below[3 * left + c]);
    colour[c] = upper + s * (lower - upper);
  }
}

void ph_ratio_map_rebuild(const PhRatioMap *map, double x, double y, double step,
                          const float full[3], float *red, float *green, float *blue, int count) {
  float *const planes[3] = {red, green, blue};
  for (int i = 0; i < count; i++) {
    if (red[i] < rebuilt_from * full[0] && green[i] < rebuilt_from * full[1] &&
        blue[i] < rebuilt_from * full[2])
      continue;
    float colour[3], trust[3], known = 0, share = 0, total = 0, least = full[0], most = full[0];
    float last = 0, shown = 0;
    colour_at(map, (x + step * i) / PH_RATIO_CELL - 0.5, y / PH_RATIO_CELL - 0.5, colour);
    for (int c = 0; c < 3; c++) {
      float part = (planes[c][i] / full[c] - rebuilt_from) / (clipped_from - rebuilt_from);
      trust[c] = part > 0 ? (part < 1 ? 1 - part : 0) : 1;
      known += trust[c] * planes[c][i];
      share += trust[c] * colour[c];
      total += trust[c];
      least = VIPS_MIN(least, full[c]), most = VIPS_MAX(most, full[c]);
      last = VIPS_MAX(last, full[c] / VIPS_MAX(colour[c], 1e-6f));
      shown += map->luminance[c] * colour[c];
    }
    shown = VIPS_MAX(shown, 0.01f);
    float limit = most_rebuilt * most / shown;
    float white = VIPS_MAX(least, VIPS_MIN(last, limit) * shown);
    // The fewer unclipped channels a pixel has, the greyer it becomes.
    float mean = (red[i] + green[i] + blue[i]) / 3;
    float others = total > 0 ? known / total : 0;
    float grey = total < 1 ? 1 - total : 0;
    float scale = share > 1e-6f ? VIPS_MIN(known / share, limit) : 0;
    for (int c = 0; c < 3; c++) {
      float value = planes[c][i], rebuilt = scale * colour[c];
      float refuted = VIPS_CLIP(0, (value - rebuilt) / (refuted_from * VIPS_MAX(value, 1e-6f)), 1);
      rebuilt = VIPS_MAX(rebuilt, value);
      if (others > rebuilt) rebuilt = others + coloured * (1 - refuted) * (rebuilt - others);
      rebuilt = trust[c] * value + (1 - trust[c]) * rebuilt;
      planes[c][i] = rebuilt + grey * (VIPS_MAX(mean, white) - rebuilt);
    }
  }
}
