#include "pyramid.h"

#include <string.h>

/// The maximum number of levels, which a picture with an edge of 2³¹ pixels needs.
enum { PH_MOST_LEVELS = 32 };

typedef struct {
  int width, height;
  /// The number of bytes of a row.
  size_t stride;
  /// The kept rows of this level: rows `top` to `bottom − 1`.
  guchar *rows;
  int top, bottom;
  /// The index of the next row of tiles to write.
  int tile_row;
  /// `above` is the upper row of a pair of rows; `half` is the row of the next smaller level that
  /// is computed from this pair.
  guchar *above, *half;
} PhLevel;

struct PhPyramid {
  const PhLoops *loops;
  PhPyramidShape shape;
  const PhTileEncoder *encoder;
  PhArchive *archive;
  const char *folder;
  /// The levels, the largest first.
  PhLevel level[PH_MOST_LEVELS];
  int levels;
  guchar *tile;
};

/// The side of a tile with its overlaps, in pixels.
static int reach(const PhPyramidShape *shape) { return shape->tile + 2 * shape->overlap; }

static gboolean add_level(PhPyramid *pyramid, int width, int height) {
  const PhPyramidShape *shape = &pyramid->shape;
  PhLevel *level = &pyramid->level[pyramid->levels++];
  size_t stride = (size_t)width * (size_t)shape->bands;
  size_t rows = (size_t)VIPS_MIN(reach(shape), height);
  *level = (PhLevel){.width = width,
                     .height = height,
                     .stride = stride,
                     .rows = g_try_malloc(rows * stride),
                     .above = g_try_malloc(stride),
                     .half = g_try_malloc(stride)};
  return level->rows && level->above && level->half;
}

PhPyramid *ph_pyramid_new(const PhLoops *loops, const PhPyramidShape *shape,
                          const PhTileEncoder *encoder, PhArchive *archive, const char *folder) {
  PhPyramid *pyramid = g_new0(PhPyramid, 1);
  *pyramid = (PhPyramid){.loops = loops,
                         .shape = *shape,
                         .encoder = encoder,
                         .archive = archive,
                         .folder = folder};
  size_t edge = (size_t)reach(shape);
  pyramid->tile = g_try_malloc(edge * edge * (size_t)shape->bands);
  gboolean made = pyramid->tile != NULL;
  int width = shape->width, height = shape->height;
  while (made) {
    made = add_level(pyramid, width, height);
    if (width == 1 && height == 1) break;
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
  if (made) return pyramid;
  vips_error("phbatch_dzsave", "memory is short");
  ph_pyramid_free(pyramid);
  return NULL;
}

void ph_pyramid_free(PhPyramid *pyramid) {
  if (!pyramid) return;
  for (int i = 0; i < pyramid->levels; i++) {
    g_free(pyramid->level[i].rows);
    g_free(pyramid->level[i].above);
    g_free(pyramid->level[i].half);
  }
  g_free(pyramid->tile);
  g_free(pyramid);
}

/// Encodes one tile of a level and adds it to the archive.
static int write_tile(PhPyramid *pyramid, const PhLevel *level, int column) {
  const PhPyramidShape *shape = &pyramid->shape;
  int left = VIPS_MAX(0, column * shape->tile - shape->overlap);
  int right = VIPS_MIN(level->width, (column + 1) * shape->tile + shape->overlap);
  int top = VIPS_MAX(0, level->tile_row * shape->tile - shape->overlap);
  int bottom = VIPS_MIN(level->height, (level->tile_row + 1) * shape->tile + shape->overlap);
  size_t bands = (size_t)shape->bands, width = (size_t)(right - left) * bands;
  for (int y = top; y < bottom; y++)
    memcpy(pyramid->tile + (size_t)(y - top) * width,
           level->rows + (size_t)(y - level->top) * level->stride + (size_t)left * bands, width);
  VipsBlob *file = ph_tile_encode(pyramid->encoder, pyramid->tile, right - left, bottom - top);
  if (!file) return -1;
  size_t length;
  const void *bytes = vips_blob_get(file, &length);
  int number = pyramid->levels - 1 - (int)(level - pyramid->level);
  char *name = g_strdup_printf("%s/%d/%d_%d.%s", pyramid->folder, number, column, level->tile_row,
                               pyramid->encoder->suffix);
  int status = ph_archive_add(pyramid->archive, name, bytes, length);
  g_free(name);
  vips_area_unref(VIPS_AREA(file));
  return status;
}

/// Writes the next row of tiles, and discards the rows that no later tile of this level needs.
static int write_tiles(PhPyramid *pyramid, PhLevel *level) {
  const PhPyramidShape *shape = &pyramid->shape;
  for (int column = 0; column * shape->tile < level->width; column++)
    if (write_tile(pyramid, level, column)) return -1;
  level->tile_row++;
  int top = VIPS_MIN(level->bottom, VIPS_MAX(0, level->tile_row * shape->tile - shape->overlap));
  memmove(level->rows, level->rows + (size_t)(top - level->top) * level->stride,
          (size_t)(level->bottom - top) * level->stride);
  level->top = top;
  return 0;
}

static gboolean is_complete(const PhPyramid *pyramid, const PhLevel *level) {
  const PhPyramidShape *shape = &pyramid->shape;
  int end = (level->tile_row + 1) * shape->tile + shape->overlap;
  return level->tile_row * shape->tile < level->height &&
         level->bottom >= VIPS_MIN(level->height, end);
}

int ph_pyramid_add(PhPyramid *pyramid, const guchar *row) {
  for (int i = 0; i < pyramid->levels; i++) {
    PhLevel *level = &pyramid->level[i];
    int y = level->bottom++;
    memcpy(level->rows + (size_t)(y - level->top) * level->stride, row, level->stride);
    while (is_complete(pyramid, level))
      if (write_tiles(pyramid, level)) return -1;
    if (y % 2 == 0) memcpy(level->above, row, level->stride);
    // If the number of rows is odd, the last row is paired with itself.
    if (y % 2 == 0 && y + 1 < level->height) return 0;
    pyramid->loops->halve_bytes[pyramid->shape.bands - 1](level->above, row, level->half,
                                                          level->width);
    row = level->half;
  }
  return 0;
}
