#pragma STDC FP_CONTRACT OFF

#include "membrane.h"

#include <string.h>

/// The greatest number of grids, and the longest edge of the coarsest grid. A single grid may be
/// larger.
enum { PH_GRIDS = 16, PH_COARSEST = 4 };

/// In this order: the number of cycles over the coarser grids for each grid, the greatest number of
/// cycles for the finest grid, the number of sweeps before and after each cycle, and the number of
/// sweeps over the coarsest grid.
enum { PH_CYCLES = 3, PH_LAST_CYCLES = 30, PH_SWEEPS = 2, PH_LAST_SWEEPS = 40 };

/// The cycles over the finest grid end when the greatest correction of a cycle is at most this.
/// Each cycle reduces the remaining error to less than two thirds.
static const float least_correction = 2e-4f;

/// One grid of a membrane: the values of three channels, and the right side of each free value's
/// equation in `targets`.
typedef struct {
  const uint8_t *part;
  float *values, *targets;
  int width, height;
} PhGrid;

/// Rounds `count` bytes up to whole floats.
static size_t floats(size_t count) { return (count + sizeof(float) - 1) / sizeof(float); }

static size_t area(int width, int height) { return (size_t)width * (size_t)height; }

static int is_coarsest(int width, int height) {
  return width <= PH_COARSEST && height <= PH_COARSEST;
}

size_t ph_membrane_room(int width, int height) {
  size_t room = 3 * area(width, height);
  for (int i = 1; i < PH_GRIDS && !is_coarsest(width, height); i++) {
    width = (width + 1) / 2;
    height = (height + 1) / 2;
    room += 6 * area(width, height) + floats(area(width, height));
  }
  return room;
}

/// Computes the sum of a pixel's neighbours that are not outside, and returns their number.
static float neighbours(const PhGrid *grid, const float *values, int x, int y, float *sum) {
  const uint8_t *part = grid->part;
  int width = grid->width, at = y * width + x;
  float count = 0, all = 0;
  if (x > 0 && part[at - 1] != PH_OUTSIDE) all += values[at - 1], count++;
  if (x + 1 < width && part[at + 1] != PH_OUTSIDE) all += values[at + 1], count++;
  if (y > 0 && part[at - width] != PH_OUTSIDE) all += values[at - width], count++;
  if (y + 1 < grid->height && part[at + width] != PH_OUTSIDE) all += values[at + width], count++;
  *sum = all;
  return count;
}

/// Solves the equation of each free value for itself: first on the white squares of a chequerboard,
/// then on the black ones.
static void sweep(const PhGrid *grid, int sweeps) {
  size_t plane = area(grid->width, grid->height);
  for (size_t c = 0; c < 3; c++) {
    float *values = grid->values + c * plane;
    const float *targets = grid->targets + c * plane;
    for (int half = 0; half < 2 * sweeps; half++)
      for (int y = 0; y < grid->height; y++)
        for (int x = (y + half) % 2; x < grid->width; x += 2) {
          int at = y * grid->width + x;
          if (grid->part[at] != PH_FREE) continue;
          float sum, count = neighbours(grid, values, x, y, &sum);
          if (count > 0) values[at] = (sum - targets[at]) / count;
        }
  }
}

/// Computes the next coarser grid. A cell is known if any of its pixels is, with their mean;
/// otherwise it is free if any of its pixels is.
static void coarsen(const PhGrid *fine, const PhGrid *coarse, uint8_t *part) {
  size_t fine_plane = area(fine->width, fine->height);
  size_t plane = area(coarse->width, coarse->height);
  for (int y = 0; y < coarse->height; y++)
    for (int x = 0; x < coarse->width; x++) {
      int known = 0, free = 0;
      float sums[3] = {0, 0, 0};
      for (int k = 0; k < 4; k++) {
        int u = 2 * x + k % 2, v = 2 * y + k / 2;
        if (u >= fine->width || v >= fine->height) continue;
        size_t at = area(fine->width, v) + (size_t)u;
        free += fine->part[at] == PH_FREE;
        if (fine->part[at] != PH_KNOWN) continue;
        known++;
        for (size_t c = 0; c < 3; c++) sums[c] += fine->values[c * fine_plane + at];
      }
      size_t at = area(coarse->width, y) + (size_t)x;
      part[at] = known ? PH_KNOWN : free ? PH_FREE : PH_OUTSIDE;
      for (size_t c = 0; c < 3; c++)
        coarse->values[c * plane + at] = known ? sums[c] / (float)known : 0;
    }
}

/// Adds the values of the coarser grid to the free values of a grid, interpolated bilinearly; cells
/// that are outside do not count. Returns the greatest value that was added or subtracted.
static float refine(const PhGrid *coarse, const PhGrid *fine) {
  static const float weights[4] = {9, 3, 3, 1};
  size_t plane = area(coarse->width, coarse->height);
  size_t fine_plane = area(fine->width, fine->height);
  float greatest = 0;
  for (int y = 0; y < fine->height; y++)
    for (int x = 0; x < fine->width; x++) {
      size_t to = area(fine->width, y) + (size_t)x;
      if (fine->part[to] != PH_FREE) continue;
      float sums[3] = {0, 0, 0}, all = 0;
      for (int k = 0; k < 4; k++) {
        int u = x / 2 + (k % 2 ? (x % 2 ? 1 : -1) : 0);
        int v = y / 2 + (k / 2 ? (y % 2 ? 1 : -1) : 0);
        if (u < 0 || v < 0 || u >= coarse->width || v >= coarse->height) continue;
        size_t at = area(coarse->width, v) + (size_t)u;
        if (coarse->part[at] == PH_OUTSIDE) continue;
        all += weights[k];
        for (size_t c = 0; c < 3; c++) sums[c] += weights[k] * coarse->values[c * plane + at];
      }
      for (size_t c = 0; c < 3 && all > 0; c++) {
        float more = sums[c] / all, size = more < 0 ? -more : more;
        fine->values[c * fine_plane + to] += more;
        greatest = size > greatest ? size : greatest;
      }
    }
  return greatest;
}

/// Sets the targets of the coarser grid to the residuals of the finer grid, and the values of the
/// coarser grid to 0.
static void restrict_errors(const PhGrid *fine, const PhGrid *coarse) {
  size_t plane = area(coarse->width, coarse->height);
  size_t fine_plane = area(fine->width, fine->height);
  memset(coarse->values, 0, 3 * plane * sizeof(float));
  memset(coarse->targets, 0, 3 * plane * sizeof(float));
  for (size_t c = 0; c < 3; c++) {
    const float *values = fine->values + c * fine_plane, *targets = fine->targets + c * fine_plane;
    for (int y = 0; y < fine->height; y++)
      for (int x = 0; x < fine->width; x++) {
        int at = y * fine->width + x;
        if (fine->part[at] != PH_FREE) continue;
        float sum, count = neighbours(fine, values, x, y, &sum);
        coarse->targets[c * plane + area(coarse->width, y / 2) + (size_t)(x / 2)] +=
            targets[at] - (sum - count * values[at]);
      }
  }
}

/// Improves the values of the first of `count` grids by corrections that are computed on the
/// coarser grids. Returns the greatest correction.
static float cycle(const PhGrid *grids, int count) {
  if (count == 1) {
    sweep(grids, PH_LAST_SWEEPS);
    return 0;
  }
  sweep(grids, PH_SWEEPS);
  restrict_errors(grids, grids + 1);
  cycle(grids + 1, count - 1);
  float greatest = refine(grids + 1, grids);
  sweep(grids, PH_SWEEPS);
  return greatest;
}

/// Sets the free values to 0, so that the values of the coarser grid can be added. On the coarsest
/// grid, they become the mean of the known values.
static void start(const PhGrid *grid, int is_last) {
  size_t plane = area(grid->width, grid->height), known = 0;
  for (size_t i = 0; i < plane; i++) known += grid->part[i] == PH_KNOWN;
  for (size_t c = 0; c < 3; c++) {
    float *values = grid->values + c * plane, sum = 0;
    for (size_t i = 0; i < plane && is_last; i++) sum += grid->part[i] == PH_KNOWN ? values[i] : 0;
    for (size_t i = 0; i < plane; i++)
      if (grid->part[i] == PH_FREE) values[i] = known ? sum / (float)known : 0;
  }
}

int ph_membrane_solve(const uint8_t *part, float *values, int width, int height, float *scratch) {
  if (!memchr(part, PH_KNOWN, area(width, height))) return 0;
  PhGrid grids[PH_GRIDS] = {{part, values, scratch, width, height}};
  scratch += 3 * area(width, height);
  int count = 1;
  for (; count < PH_GRIDS && !is_coarsest(width, height); count++) {
    width = (width + 1) / 2;
    height = (height + 1) / 2;
    size_t plane = area(width, height);
    uint8_t *cells = (uint8_t *)(scratch + 6 * plane);
    grids[count] = (PhGrid){cells, scratch, scratch + 3 * plane, width, height};
    coarsen(&grids[count - 1], &grids[count], cells);
    scratch += 6 * plane + floats(plane);
  }
  for (int k = count - 1; k >= 0; k--) {
    const PhGrid *grid = &grids[k];
    memset(grid->targets, 0, 3 * area(grid->width, grid->height) * sizeof(float));
    start(grid, k == count - 1);
    if (k < count - 1) refine(grid + 1, grid);
    float greatest = 1;
    for (int i = 0; i < (k > 0 ? PH_CYCLES : PH_LAST_CYCLES) && greatest > least_correction; i++)
      greatest = cycle(grid, count - k);
  }
  return 1;
}
