#include "neighbourhood.h"

#include <stdlib.h>
#include <string.h>

/// Pixels of a row that the vertical pass takes at once, so that its columns stay in the L2 cache.
enum { PH_COLUMNS = 256 };

/// Rows of a strip, as libvips asks for them.
enum { PH_STRIP = 16 };

PhNeighbourhood *ph_neighbourhood_new(VipsImage *source, gboolean luma) {
  PhNeighbourhood *around = aligned_alloc(_Alignof(PhNeighbourhood), sizeof(PhNeighbourhood));
  int values = luma ? 1 : source->Bands;
  float *filtered = g_try_new(float, (size_t)PH_BLOCK * (size_t)values);
  if (!around || !filtered) {
    free(around);
    g_free(filtered);
    vips_error("phbatch_kernel", "out of memory");
    return NULL;
  }
  *around = (PhNeighbourhood){.luma = luma, .values = values, .filtered = filtered};
  around->source = vips_region_new(source);
  return around;
}

void ph_neighbourhood_free(PhNeighbourhood *around) {
  VIPS_UNREF(around->source);
  g_free(around->columns);
  g_free(around->rows);
  g_free(around->lines);
  g_free(around->filtered);
  free(around);
}

/// Makes room for `count` elements of `size` bytes; the old ones are lost.
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

/// `count` pixels of the source as the values to be filtered.
static void read_values(PhNeighbourhood *around, const PhKernel *kernel, const VipsPel *from,
                        float *to, int count) {
  if (!around->luma) {
    kernel->loops->read[kernel->from](from, to, count * around->values);
    return;
  }
  around->block.count = count;
  kernel->loops->unpack[kernel->from][kernel->in->Bands == 4](from, &around->block);
  kernel->loops->luma(&around->block, to);
}

/// Repeats the value of a row's first and last pixel into the margins that the image does not fill.
static void repeat_edges(float *row, int values, int before, int inside, int after) {
  for (int i = before * values - 1; i >= 0; i--) row[i] = row[i + values];
  float *end = row + (before + inside) * values;
  for (int i = 0; i < after * values; i++) end[i] = end[i - values];
}

int ph_neighbourhood_prepare(PhNeighbourhood *around, const PhKernel *kernel,
                             const PhGaussian *gaussian, const VipsRect *area) {
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
  if (vips_region_prepare(around->source, &need) ||
      ensure(&around->columns, &around->columns_room, pitch * (size_t)need.height, sizeof(float)) ||
      ensure(&around->rows, &around->rows_room, row_pitch * (size_t)area->height, sizeof(float)) ||
      ensure(&around->lines, &around->lines_room, (size_t)line_count, sizeof(float *)))
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
    for (int i = 0; i < area->height; i++)
      kernel->loops->filter(around->lines + i + radius, gaussian->weights, radius,
                            around->rows + row_pitch * (size_t)i + (before + x) * values,
                            count * values);
  }
  for (int i = 0; i < area->height; i++)
    repeat_edges(around->rows + row_pitch * (size_t)i, values, before, need.width, after);
  return 0;
}

void ph_neighbourhood_filter(PhNeighbourhood *around, const PhKernel *kernel,
                             const PhGaussian *gaussian, const VipsRect *area, int x, int y,
                             int count) {
  int radius = gaussian->radius;
  int values = around->values;
  size_t row_pitch = (size_t)(area->width + 2 * radius) * (size_t)values;
  const float *first =
      around->rows + row_pitch * (size_t)(y - area->top) + (x - area->left) * values;
  for (int k = 0; k <= 2 * radius; k++) around->lines[k] = first + k * values;
  kernel->loops->filter(around->lines + radius, gaussian->weights, radius, around->filtered,
                        count * values);
}

VipsImage *ph_neighbourhood_source(PhKernel *kernel, int radius) {
  if (kernel->in->dtype != VIPS_IMAGE_PARTIAL) return kernel->in;
  // Room for one row of 128-pixel tiles downstream, or for what several threads have under way.
  int window = vips_concurrency_get() > 1 ? 384 : 192;
  int rows = 2 * radius + PH_STRIP + window;
  VipsImage **images = (VipsImage **)vips_object_local_array(VIPS_OBJECT(kernel), 2);
  // A row of the cache takes over pixels that its thread has just computed of the same image, for a
  // mix with it say, and libvips 8.14 aborts when another thread lets go of them. No other reader
  // knows this copy, so that there are none to take over.
  if (vips_copy(kernel->in, &images[0], NULL) ||
      vips_tilecache(images[0], &images[1], "tile_width", kernel->in->Xsize, "tile_height",
                     PH_STRIP, "max_tiles", (rows + PH_STRIP - 1) / PH_STRIP, "access",
                     VIPS_ACCESS_SEQUENTIAL, "threaded", TRUE, NULL))
    return NULL;
  return images[1];
}
