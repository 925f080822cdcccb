#pragma STDC FP_CONTRACT OFF

#include "neighbourhood.h"

#include <stdlib.h>
#include <string.h>

/// The number of pixels of a row that the vertical pass processes at a time, chosen so that their
/// columns stay in the L2 cache.
enum { PH_COLUMNS = 256 };

/// The luma that replaces the luma of transparent pixels when the minimum is computed, so that they
/// are never the minimum. When the maximum is computed, the replacement is −`ph_no_luma`.
static const float ph_no_luma = 1e6f;

PhNeighbourhood *ph_neighbourhood_new(VipsImage *source, PhValues kind, int reach) {
  PhNeighbourhood *around = aligned_alloc(_Alignof(PhNeighbourhood), sizeof(PhNeighbourhood));
  int is_weighted = kind != PH_BANDS && source->Bands == 4;
  int values = kind == PH_BANDS ? source->Bands : kind == PH_LUMA ? 1 : 2;
  if (is_weighted) values += reach > 0 ? 3 : 1;
  size_t count = (size_t)PH_BLOCK * (size_t)values;
  float *blocks = g_try_new(float, reach > 0 ? 3 * count : count);
  if (!around || !blocks) {
    free(around);
    g_free(blocks);
    vips_error("phbatch_kernel", "out of memory");
    return NULL;
  }
  *around = (PhNeighbourhood){.kind = kind, .is_weighted = is_weighted, .values = values,
                              .reach = reach, .filtered = blocks};
  if (reach > 0) {
    around->low = blocks + count;
    around->high = blocks + 2 * count;
  }
  around->source = vips_region_new(source);
  return around;
}

void ph_neighbourhood_free(PhNeighbourhood *around) {
  VIPS_UNREF(around->source);
  g_free(around->columns);
  g_free(around->rows);
  g_free(around->low_rows);
  g_free(around->high_rows);
  g_free(around->extremes);
  g_free(around->lines);
  g_free(around->extreme_lines);
  if (around->mean.weights) ph_gaussian_clear(&around->mean);
  g_free(around->filtered);
  free(around);
}

/// Allocates space for `count` elements of `size` bytes; the old contents are lost.
static int ensure(void *buffer, size_t *room, size_t count, size_t size) {
  if (count <= *room) return 0;
  void **pointer = buffer;
  g_free(*pointer);
  *pointer = g_try_malloc_n(count, size);
  *room = *pointer ? count : 0;
  if (*pointer) return 0;
  vips_error("phbatch_kernel", "out of memory");
  return -1;
}

/// Computes the values to filter (see `is_weighted`) for the pixels of a block, whose colours are
/// premultiplied by alpha.
static void weigh_values(const PhNeighbourhood *around, const PhLoops *loops, float *to) {
  float luma[PH_BLOCK];
  loops->luma(&around->block, luma);
  for (int i = 0; i < around->block.count; i++, to += around->values) {
    float alpha = around->block.plane[3][i];
    float straight = alpha > 0 ? luma[i] / alpha : 0;
    float *next = to;
    *next++ = luma[i];
    if (around->kind == PH_LUMA_SQUARES) *next++ = luma[i] * straight;
    *next++ = alpha;
    if (around->reach == 0) continue;
    *next++ = alpha > 0 ? straight : ph_no_luma;
    *next = alpha > 0 ? straight : -ph_no_luma;
  }
}

/// Divides the filtered values (luma, or luma and its square) by the filtered alpha, and moves the
/// minima, and the maxima, to adjacent floats; works in place.
static void take_weights_out(PhNeighbourhood *around, int count) {
  int values = around->values;
  int means = around->kind == PH_LUMA ? 1 : 2;
  for (int i = 0; i < count; i++) {
    const float *from = around->filtered + i * values;
    float scale = from[means] > 0 ? 1 / from[means] : 0;
    for (int k = 0; k < means; k++) around->filtered[i * means + k] = from[k] * scale;
    if (around->reach == 0) continue;
    around->low[i * means] = around->low[i * values + means + 1];
    around->high[i * means] = around->high[i * values + means + 2];
  }
}

/// Converts `count` pixels of the source to the values that the Gaussian filters.
static void read_values(PhNeighbourhood *around, const PhKernel *kernel, const VipsPel *from,
                        float *to, int count) {
  if (around->kind == PH_BANDS) {
    kernel->loops->read[kernel->from](from, to, count * around->values);
    return;
  }
  around->block.count = count;
  kernel->loops->unpack[kernel->from][kernel->in->Bands == 4](from, &around->block);
  if (around->is_weighted)
    weigh_values(around, kernel->loops, to);
  else if (around->kind == PH_LUMA)
    kernel->loops->luma(&around->block, to);
  else
    kernel->loops->luma_squares(&around->block, to);
}

/// Copies the first and the last pixel of a row into the margins that are outside the image.
static void repeat_edges(float *row, int values, int before, int inside, int after) {
  for (int i = before * values - 1; i >= 0; i--) row[i] = row[i + values];
  float *end = row + (before + inside) * values;
  for (int i = 0; i < after * values; i++) end[i] = end[i - values];
}

/// Computes the minimum or the maximum of `line[−reach][i]` … `line[reach][i]` for each of `count`
/// positions i.
typedef void (*PhExtreme)(const float *const *line, int reach, float *restrict to, int count);

/// Computes vertical minima or maxima, smooths them, and writes `rows` rows to `to`. The rows of
/// `to` are `pitch` floats apart. `line` points to the address of the first row's input.
static void average_extremes(PhNeighbourhood *around, const PhLoops *loops, PhExtreme extreme,
                             const float *const *line, int rows, float *to, size_t pitch,
                             int samples) {
  int wide = around->mean.radius;
  size_t apart = (size_t)samples;
  for (int i = 0; i < rows + 2 * wide; i++) {
    float *found = around->extremes + apart * (size_t)i;
    extreme(line + i - wide, around->reach, found, samples);
    around->extreme_lines[i] = found;
  }
  for (int i = 0; i < rows; i++)
    loops->filter(around->extreme_lines + i + wide, around->mean.weights, wide,
                  to + pitch * (size_t)i, samples);
}

int ph_neighbourhood_prepare(PhNeighbourhood *around, const PhKernel *kernel,
                             const PhGaussian *gaussian, const VipsRect *area) {
  const PhLoops *loops = kernel->loops;
  int radius = gaussian->radius;
  int values = around->values;
  VipsRect image = {0, 0, kernel->in->Xsize, kernel->in->Ysize};
  VipsRect need = *area;
  vips_rect_marginadjust(&need, radius);
  int wide = need.width;
  int line_count = need.height;
  int before = -VIPS_MIN(0, need.left);
  vips_rect_intersectrect(&need, &image, &need);
  int after = wide - before - need.width;
  size_t pitch = (size_t)PH_COLUMNS * (size_t)values;
  size_t row_pitch = (size_t)wide * (size_t)values;
  size_t room = row_pitch * (size_t)area->height;
  size_t extremes_room = around->reach > 0 ? room : 0;
  int spread = around->reach > 0 ? VIPS_MIN(around->reach, radius - around->reach) : 0;
  if (around->reach > 0 && !around->mean.weights) around->mean = ph_gaussian_box(spread);
  size_t lookout = (size_t)(area->height + 2 * spread);
  size_t found = VIPS_MAX(pitch * lookout, (size_t)(PH_BLOCK + 2 * spread) * (size_t)values);
  if (vips_region_prepare(around->source, &need) ||
      ensure(&around->columns, &around->columns_room, pitch * (size_t)need.height, sizeof(float)) ||
      ensure(&around->rows, &around->rows_room, room, sizeof(float)) ||
      ensure(&around->low_rows, &around->low_room, extremes_room, sizeof(float)) ||
      ensure(&around->high_rows, &around->high_room, extremes_room, sizeof(float)) ||
      ensure(&around->extremes, &around->extremes_room, around->reach > 0 ? found : 0,
             sizeof(float)) ||
      ensure(&around->lines, &around->lines_room, (size_t)line_count, sizeof(float *)) ||
      ensure(&around->extreme_lines, &around->extreme_lines_room, lookout, sizeof(float *)))
    return -1;

  for (int i = 0; i < line_count; i++) {
    int y = VIPS_CLIP(0, area->top - radius + i, image.height - 1);
    around->lines[i] = around->columns + pitch * (size_t)(y - need.top);
  }
  for (int x = 0; x < need.width; x += PH_COLUMNS) {
    int count = VIPS_MIN(PH_COLUMNS, need.width - x);
    for (int i = 0; i < need.height; i++)
      read_values(around, kernel,
                  VIPS_REGION_ADDR(around->source, need.left + x, need.top + i),
                  around->columns + pitch * (size_t)i, count);
    size_t at = (size_t)((before + x) * values);
    for (int i = 0; i < area->height; i++)
      loops->filter(around->lines + i + radius, gaussian->weights, radius,
                    around->rows + row_pitch * (size_t)i + at, count * values);
    if (around->reach == 0) continue;
    average_extremes(around, loops, loops->lowest, around->lines + radius, area->height,
                     around->low_rows + at, row_pitch, count * values);
    average_extremes(around, loops, loops->highest, around->lines + radius, area->height,
                     around->high_rows + at, row_pitch, count * values);
  }
  for (int i = 0; i < area->height; i++) {
    size_t at = row_pitch * (size_t)i;
    repeat_edges(around->rows + at, values, before, need.width, after);
    if (around->reach == 0) continue;
    repeat_edges(around->low_rows + at, values, before, need.width, after);
    repeat_edges(around->high_rows + at, values, before, need.width, after);
  }
  return 0;
}

/// Returns the addresses of a row shifted by −`reach` to `reach` pixels; the middle address is the
/// address of the row itself.
static const float *const *shifted(PhNeighbourhood *around, const float *centre, int reach) {
  for (int k = -reach; k <= reach; k++) around->lines[reach + k] = centre + k * around->values;
  return around->lines + reach;
}

/// Computes horizontal minima or maxima and smooths them, for `samples` floats from `centre` on.
static void average_across(PhNeighbourhood *around, const PhLoops *loops, PhExtreme extreme,
                           const float *centre, float *to, int samples) {
  int wide = around->mean.radius;
  int margin = wide * around->values;
  extreme(shifted(around, centre - margin, around->reach), around->reach, around->extremes,
          samples + 2 * margin);
  loops->filter(shifted(around, around->extremes + margin, wide), around->mean.weights, wide, to,
                samples);
}

void ph_neighbourhood_filter(PhNeighbourhood *around, const PhKernel *kernel,
                             const PhGaussian *gaussian, const VipsRect *area, int x, int y,
                             int count) {
  const PhLoops *loops = kernel->loops;
  int radius = gaussian->radius;
  int samples = count * around->values;
  int pitch = area->width + 2 * radius;
  size_t at = ((size_t)pitch * (size_t)(y - area->top) + (size_t)(x - area->left + radius)) *
              (size_t)around->values;
  loops->filter(shifted(around, around->rows + at, radius), gaussian->weights, radius,
                around->filtered, samples);
  if (around->reach > 0) {
    average_across(around, loops, loops->lowest, around->low_rows + at, around->low, samples);
    average_across(around, loops, loops->highest, around->high_rows + at, around->high, samples);
  }
  if (around->is_weighted) take_weights_out(around, count);
}
