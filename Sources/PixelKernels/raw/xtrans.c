#pragma STDC FP_CONTRACT OFF

#include "raw/xtrans.h"

/// The size of a tile: PH_STRIP rows and PH_XTRANS_TILE columns with their margins, and the columns
/// and rows before them from the start of a cell on.
enum {
  PH_XTRANS_TILE = 256,
  PH_XTRANS_ROWS = PH_STRIP + 2 * PH_XTRANS_REACH + 6,
  PH_XTRANS_COLUMNS = (PH_XTRANS_TILE + 2 * PH_XTRANS_REACH + 10) / 6 * 6,
  PH_XTRANS_PITCH = PH_XTRANS_COLUMNS / 6 + 2 * PH_XTRANS_PAD,
  // Planes that are a multiple of 4096 bytes apart cause stalls; see PH_PLANE.
  PH_XTRANS_PLANE = PH_XTRANS_ROWS * 6 * PH_XTRANS_PITCH + 48,
};

int ph_xtrans_prepare(const PhDevelop *develop, VipsRegion *source, int top, int rows) {
  int height = source->im->Ysize, first = height, end = 0;
  for (int y = top; y < top + rows; y++) {
    int row = ph_xtrans_reflected(y, height, develop->cell_top);
    first = VIPS_MIN(first, row), end = VIPS_MAX(end, row + 1);
  }
  VipsRect area = {0, first, source->im->Xsize, end - first};
  return vips_region_prepare(source, &area);
}

/// Multiplies the samples of a tile by the white balance, clamps them to at least 0, and copies
/// them. The tile's first pixel is (x0, y0) of the mosaic.
static void fill_tile(const PhDevelop *develop, VipsRegion *source, int x0, int y0) {
  const PhXTrans *tile = &develop->xtrans->tile;
  int width = source->im->Xsize, height = source->im->Ysize, count = tile->columns / 6;
  gboolean is_inside = x0 >= 0 && x0 + tile->columns <= width;
  for (int y = 0; y < tile->rows; y++) {
    const float *from =
        ph_mosaic_row(source, ph_xtrans_reflected(y0 + y, height, develop->cell_top));
    for (int phase = 0; phase < 6; phase++) {
      float *to = tile->mosaic + (size_t)(6 * y + phase) * (size_t)tile->pitch + PH_XTRANS_PAD;
      float gain = develop->gain[ph_xtrans_colour(y % 6, phase)];
      for (int i = 0; i < count; i++) {
        int x = x0 + 6 * i + phase;
        if (!is_inside) x = ph_xtrans_reflected(x, width, develop->cell_left);
        float sample = from[x] * gain;
        to[i] = sample > 0 ? sample : 0;
      }
    }
  }
}

/// Returns the last row or column at which a cell starts that is not after `at`.
static int cell_start(int at, int first) {
  int past = (at - first) % 6;
  return at - (past < 0 ? past + 6 : past);
}

/// Converts the colours of the pixels of a tile's row that have the column `phase` of a cell, and
/// copies them. `skipped` is the number of columns before the first pixel of the output.
static void write_run(PhDevelop *develop, int y, int phase, int skipped, int columns, double left,
                      double top, float *to) {
  PhXTrans *tile = &develop->xtrans->tile;
  int first = phase < skipped ? (skipped - phase + 5) / 6 : 0, x = 6 * first + phase - skipped;
  int count = (columns - x + 5) / 6;
  size_t at = (size_t)(6 * y + phase) * (size_t)tile->pitch + PH_XTRANS_PAD + (size_t)first;
  float *red = tile->red + at, *green = tile->green + at, *blue = tile->blue + at;
  if (x >= columns) return;
  if (develop->rebuild)
    ph_ratio_map_rebuild(&develop->ratios, left + x + 0.5, top + 0.5, 6, develop->gain, red, green,
                         blue, count);
  develop->parent_instance.loops->camera_colours(&develop->colours, red, green, blue, count);
  for (int i = 0; i < count; i++) {
    float *pixel = to + 3 * (6 * i + x);
    pixel[0] = red[i], pixel[1] = green[i], pixel[2] = blue[i];
  }
}

int ph_develop_xtrans(PhDevelop *develop, VipsRegion *source, int top, int rows, float *to) {
  PhXTrans *tile = &develop->xtrans->tile;
  int y0 = cell_start(develop->top + top - PH_XTRANS_REACH, develop->cell_top);
  int above = develop->top + top - y0;
  tile->rows = above + rows + PH_XTRANS_REACH;
  if (ph_xtrans_prepare(develop, source, y0, tile->rows)) return -1;
  for (int left = 0; left < develop->width; left += PH_XTRANS_TILE) {
    int columns = VIPS_MIN(PH_XTRANS_TILE, develop->width - left);
    int x0 = cell_start(develop->left + left - PH_XTRANS_REACH, develop->cell_left);
    int before = develop->left + left - x0;
    tile->columns = (before + columns + PH_XTRANS_REACH + 5) / 6 * 6;
    fill_tile(develop, source, x0, y0);
    develop->parent_instance.loops->demosaic_xtrans(tile);
    for (int y = 0; y < rows; y++)
      for (int phase = 0; phase < 6; phase++)
        write_run(develop, above + y, phase, before, columns, develop->left + left,
                  develop->top + top + y,
                  to + ((size_t)y * (size_t)develop->width + (size_t)left) * 3);
  }
  return 0;
}

int ph_xtrans_allocate(PhDevelop *develop) {
  enum { PLANES = 4 + 3 * PH_XTRANS_DIRECTIONS };
  PhXTransMemory *memory = develop->xtrans = g_try_new0(PhXTransMemory, 1);
  if (!memory) return -1;
  size_t scratch = PH_XTRANS_DIRECTIONS * 6 * PH_XTRANS_PITCH;
  memory->planes = g_try_new0(float, PLANES * PH_XTRANS_PLANE + scratch);
  if (!memory->planes) return -1;
  ph_xtrans_fill_taps(memory->taps, PH_XTRANS_PITCH);
  PhXTrans *tile = &memory->tile;
  tile->pitch = PH_XTRANS_PITCH;
  tile->taps = memory->taps;
  float *plane = memory->planes;
  float **const single[4] = {&tile->mosaic, &tile->red, &tile->green, &tile->blue};
  for (int i = 0; i < 4; i++, plane += PH_XTRANS_PLANE) *single[i] = plane;
  float **const all[3] = {tile->difference, tile->uneven, tile->part};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < PH_XTRANS_DIRECTIONS; k++, plane += PH_XTRANS_PLANE) all[i][k] = plane;
  tile->scratch = plane;
  return 0;
}

void ph_xtrans_free(PhDevelop *develop) {
  if (develop->xtrans) g_free(develop->xtrans->planes);
  g_free(develop->xtrans);
}
