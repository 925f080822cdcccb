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

/// The least standard deviation of a smoothed luma, in pixels.
static const double ph_least_fine = 0.3;

PhNeighbourhood *ph_neighbourhood_new(VipsImage *source, PhValues kind, int reach, double fine) {
  PhNeighbourhood *around = aligned_alloc(_Alignof(PhNeighbourhood), sizeof(PhNeighbourhood));
  int is_weighted = kind != PH_BANDS && source->Bands == 4;
  int is_smoothed = reach > 0 && fine >= ph_least_fine;
  int values = kind == PH_BANDS ? source->Bands : kind == PH_LUMA ? 1 : 2;
  if (is_weighted) values += reach > 0 ? 3 : 1;
  if (is_smoothed) values += is_weighted ? 2 : 1;
  size_t count = (size_t)PH_BLOCK * (size_t)values;
  float *blocks = g_try_new(float, reach > 0 ? 3 * count + 2 * PH_BLOCK : count);
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
    around->smooth_low = blocks + 3 * count;
    around->smooth_high = around->smooth_low + PH_BLOCK;
  }
  if (is_smoothed) around->fine = ph_gaussian_new(fine);
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
  g_free(around->smooth_rows);
  g_free(around->across_rows);
  g_free(around->fine_row);
  g_free(around->fine_lines);
  if (around->mean.weights) ph_gaussian_clear(&around->mean);
  if (around->fine.weights) ph_gaussian_clear(&around->fine);
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

/// The smoothed luma of some pixels in a row, and its weights. The weights are NULL if luma is not
/// weighted, and the luma is NULL if it is not smoothed.
typedef struct {
  const float *luma, *weights;
} PhSmooth;

/// Computes the values to filter (see `is_weighted`) for the pixels of a block, whose colours are
/// premultiplied by alpha.
static void weigh_values(const PhNeighbourhood *around, const PhLoops *loops, PhSmooth smooth,
                         float *to) {
  float luma[PH_BLOCK];
  loops->luma(&around->block, luma);
  for (int i = 0; i < around->block.count; i++) {
    float alpha = around->block.plane[3][i];
    float straight = alpha > 0 ? luma[i] / alpha : 0;
    *to++ = luma[i];
    if (around->kind == PH_LUMA_SQUARES) *to++ = luma[i] * straight;
    *to++ = alpha;
    if (around->reach == 0) continue;
    *to++ = alpha > 0 ? straight : ph_no_luma;
    *to++ = alpha > 0 ? straight : -ph_no_luma;
    if (!smooth.luma) continue;
    *to++ = smooth.weights[i] > 0 ? smooth.luma[i] : ph_no_luma;
    *to++ = smooth.weights[i] > 0 ? smooth.luma[i] : -ph_no_luma;
  }
}

/// The number of means of a pixel: of the luma, or of the luma and its square.
static int means_of(const PhNeighbourhood *around) { return around->kind == PH_LUMA ? 1 : 2; }

/// Moves the results of a block to the layout of an image without alpha; works in place. Divides
/// means by the filtered alpha, and moves means, minima and maxima to adjacent floats.
static void arrange(PhNeighbourhood *around, int count) {
  int values = around->values;
  if (around->kind == PH_BANDS || values == 1) return;
  int means = means_of(around);
  if (values > means)
    for (int i = 0; i < count; i++) {
      const float *from = around->filtered + i * values;
      float scale = !around->is_weighted ? 1 : from[means] > 0 ? 1 / from[means] : 0;
      for (int k = 0; k < means; k++) around->filtered[i * means + k] = from[k] * scale;
    }
  if (around->reach == 0) return;
  int low = around->is_weighted ? means + 1 : 0;
  int high = around->is_weighted ? means + 2 : 0;
  if (around->fine.weights)
    for (int i = 0; i < count; i++) {
      around->smooth_low[i] = around->low[i * values + (around->is_weighted ? low + 2 : means)];
      around->smooth_high[i] = around->high[i * values + (around->is_weighted ? high + 2 : means)];
    }
  for (int i = 0; i < count; i++) {
    around->low[i] = around->low[i * values + low];
    around->high[i] = around->high[i * values + high];
  }
}

/// Converts `count` pixels of the source to the values that the Gaussian filters.
static void read_values(PhNeighbourhood *around, const PhKernel *kernel, const VipsPel *from,
                        PhSmooth smooth, float *to, int count) {
  const PhLoops *loops = kernel->loops;
  if (around->kind == PH_BANDS) {
    loops->read[kernel->from](from, to, count * around->values);
    return;
  }
  around->block.count = count;
  loops->unpack[kernel->from][kernel->in->Bands == 4](from, &around->block);
  if (around->is_weighted) {
    weigh_values(around, loops, smooth, to);
    return;
  }
  float means[2 * PH_COLUMNS];
  float *first = smooth.luma ? means : to;
  if (around->kind == PH_LUMA)
    loops->luma(&around->block, first);
  else
    loops->luma_squares(&around->block, first);
  if (!smooth.luma) return;
  int each = means_of(around);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < each; k++) *to++ = means[i * each + k];
    *to++ = smooth.luma[i];
  }
}

/// Smooths the luma of the pixels of `around->seen` by the Gaussian `fine`. Their edge is repeated
/// outwards.
static int smooth_luma(PhNeighbourhood *around, const PhKernel *kernel) {
  const PhLoops *loops = kernel->loops;
  const VipsRect *seen = &around->seen;
  PhBlock *block = &around->block;
  int reach = around->fine.radius;
  int planes = around->is_weighted ? 2 : 1;
  size_t width = (size_t)seen->width;
  size_t plane = width * (size_t)seen->height;
  size_t row = width + 2 * (size_t)reach;
  if (ensure(&around->smooth_rows, &around->smooth_room, plane * (size_t)planes, sizeof(float)) ||
      ensure(&around->across_rows, &around->across_room, plane * (size_t)planes, sizeof(float)) ||
      ensure(&around->fine_row, &around->fine_row_room, row * (size_t)planes, sizeof(float)) ||
      ensure(&around->fine_lines, &around->fine_lines_room, (size_t)(2 * reach + 1),
             sizeof(float *)))
    return -1;
  const float **line = around->fine_lines + reach;
  for (int y = 0; y < seen->height; y++) {
    for (int x = 0; x < seen->width; x += PH_COLUMNS) {
      float *to = around->fine_row + reach + x;
      block->count = VIPS_MIN(PH_COLUMNS, seen->width - x);
      loops->unpack[kernel->from][kernel->in->Bands == 4](
          VIPS_REGION_ADDR(around->source, seen->left + x, seen->top + y), block);
      loops->luma(block, to);
      if (planes == 2)
        memcpy(to + row, block->plane[3], (size_t)block->count * sizeof(float));
    }
    for (int p = 0; p < planes; p++) {
      float *values = around->fine_row + row * (size_t)p + reach;
      for (int k = 1; k <= reach; k++) {
        values[-k] = values[0];
        values[seen->width - 1 + k] = values[seen->width - 1];
      }
      for (int k = -reach; k <= reach; k++) line[k] = values + k;
      loops->filter(line, around->fine.weights, reach,
                    around->across_rows + plane * (size_t)p + width * (size_t)y, seen->width);
    }
  }
  for (int p = 0; p < planes; p++)
    for (int y = 0; y < seen->height; y++) {
      for (int k = -reach; k <= reach; k++)
        line[k] = around->across_rows + plane * (size_t)p +
                  width * (size_t)VIPS_CLIP(0, y + k, seen->height - 1);
      loops->filter(line, around->fine.weights, reach,
                    around->smooth_rows + plane * (size_t)p + width * (size_t)y, seen->width);
    }
  if (planes == 1) return 0;
  for (size_t i = 0; i < plane; i++) {
    float weight = around->smooth_rows[plane + i];
    around->smooth_rows[i] = weight > 0 ? around->smooth_rows[i] / weight : 0;
  }
  return 0;
}

/// The smoothed luma from (`x`, `y`) on, in pixels of the image.
static PhSmooth smooth_at(const PhNeighbourhood *around, int x, int y) {
  if (!around->fine.weights) return (PhSmooth){NULL, NULL};
  const VipsRect *seen = &around->seen;
  size_t at = (size_t)seen->width * (size_t)(y - seen->top) + (size_t)(x - seen->left);
  const float *luma = around->smooth_rows + at;
  size_t plane = (size_t)seen->width * (size_t)seen->height;
  return (PhSmooth){luma, around->is_weighted ? luma + plane : NULL};
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
  int room_to_spread = VIPS_MAX(0, radius - around->reach - around->fine.radius);
  int spread = around->reach > 0 ? VIPS_MIN(around->reach, room_to_spread) : 0;
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
  around->seen = need;
  if (around->fine.weights && smooth_luma(around, kernel)) return -1;

  for (int i = 0; i < line_count; i++) {
    int y = VIPS_CLIP(0, area->top - radius + i, image.height - 1);
    around->lines[i] = around->columns + pitch * (size_t)(y - need.top);
  }
  for (int x = 0; x < need.width; x += PH_COLUMNS) {
    int count = VIPS_MIN(PH_COLUMNS, need.width - x);
    for (int i = 0; i < need.height; i++)
      read_values(around, kernel,
                  VIPS_REGION_ADDR(around->source, need.left + x, need.top + i),
                  smooth_at(around, need.left + x, need.top + i),
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
  around->smooth = smooth_at(around, x, y).luma;
  arrange(around, count);
}
