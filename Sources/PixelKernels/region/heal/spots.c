#pragma STDC FP_CONTRACT OFF

#include "spots.h"

#include <math.h>
#include <string.h>

/// The number of rows of the image that are requested at a time.
enum { PH_READ_ROWS = 64 };

void ph_spot_place(PhSpot *spot, const VipsImage *image) {
  VipsRect whole = {0, 0, image->Xsize, image->Ysize};
  int left = (int)ceil(spot->x - spot->outer - 0.5), top = (int)ceil(spot->y - spot->outer - 0.5);
  int right = (int)floor(spot->x + spot->outer - 0.5);
  int bottom = (int)floor(spot->y + spot->outer - 0.5);
  spot->box = (VipsRect){left, top, VIPS_MAX(0, right + 1 - left), VIPS_MAX(0, bottom + 1 - top)};
  vips_rect_intersectrect(&spot->box, &whole, &spot->box);
}

int ph_spot_reach(const PhSpot *spot) {
  // The search goes up and down by three radii. It compares a ring around the spot, and reads whole
  // pixels of reduced pictures.
  double way = spot->has_source ? fabs(spot->source_y - spot->y) : 3 * spot->outer;
  return (int)ceil(way + 2 * spot->outer) + 16;
}

void ph_spot_chord(const PhSpot *spot, double radius, int y, int *first, int *end) {
  double down = y + 0.5 - spot->y;
  double square = radius * radius - down * down;
  double half = square >= 0 ? sqrt(square) : -1;
  *first = (int)ceil(spot->x - half - 0.5);
  *end = half < 0 ? *first : (int)floor(spot->x + half - 0.5) + 1;
}

/// Marks the pixels of one row that cannot be copied or used as a border.
static void mark(const PhSpots *spots, int own, const VipsRect *part, int y, uint8_t *reasons) {
  const VipsImage *image = spots->kernel->in;
  memset(reasons, 0, (size_t)part->width);
  for (int k = 0; k < spots->count; k++) {
    int first, end;
    ph_spot_chord(&spots->spots[k], spots->spots[k].outer, y, &first, &end);
    first = VIPS_MAX(first, part->left);
    end = VIPS_MIN(end, VIPS_RECT_RIGHT(part));
    for (int x = first; x < end; x++) reasons[x - part->left] |= k == own ? PH_OWN : PH_OTHER;
  }
  for (int x = part->left; x < VIPS_RECT_RIGHT(part); x++)
    if (x < 0 || y < 0 || x >= image->Xsize || y >= image->Ysize)
      reasons[x - part->left] |= PH_BEYOND;
}

/// Adds the colours of one row to the pixels of a patch.
static void add_row(const PhSpots *spots, const float *row, const uint8_t *reasons, int count,
                    PhPatch *patch, int line) {
  int bands = spots->kernel->in->Bands;
  size_t plane = (size_t)patch->width * (size_t)patch->height;
  for (int x = 0; x < count; x++, row += bands) {
    size_t at = (size_t)line * (size_t)patch->width + (size_t)(x / patch->scale);
    int is_clear = bands == 4 && !(row[3] > 1.0f / 512);
    patch->reasons[at] |= (uint8_t)(reasons[x] | (is_clear ? PH_CLEAR : 0));
    if (is_clear || reasons[x] & PH_BEYOND) continue;
    float scale = bands == 4 ? 1 / row[3] : 1;
    for (size_t c = 0; c < 3; c++) patch->colours[c * plane + at] += row[c] * scale;
  }
}

/// Reads one row of a part; pixels outside the image are 0.
static void read_row(const PhSpots *spots, VipsRegion *region, const VipsRect *part, int y,
                     float *row) {
  const PhKernel *kernel = spots->kernel;
  int bands = kernel->in->Bands;
  int first = VIPS_MAX(part->left, 0), end = VIPS_MIN(VIPS_RECT_RIGHT(part), kernel->in->Xsize);
  memset(row, 0, (size_t)(part->width * bands) * sizeof(float));
  if (y < 0 || y >= kernel->in->Ysize || first >= end) return;
  kernel->loops->read[kernel->from](VIPS_REGION_ADDR(region, first, y),
                                    row + (first - part->left) * bands, (end - first) * bands);
}

/// Reads the rows of a part, block by block, so that the region stays small.
static int read_rows(const PhSpots *spots, int own, VipsRegion *region, const VipsRect *part,
                     float *row, uint8_t *reasons, PhPatch *patch) {
  VipsRect image = {0, 0, spots->kernel->in->Xsize, spots->kernel->in->Ysize};
  for (int y = part->top; y < VIPS_RECT_BOTTOM(part); y++) {
    if ((y - part->top) % PH_READ_ROWS == 0) {
      VipsRect need = {part->left, y, part->width,
                       VIPS_MIN(PH_READ_ROWS, VIPS_RECT_BOTTOM(part) - y)};
      vips_rect_intersectrect(&need, &image, &need);
      if (!vips_rect_isempty(&need) && vips_region_prepare(region, &need)) return -1;
    }
    mark(spots, own, part, y, reasons);
    read_row(spots, region, part, y, row);
    add_row(spots, row, reasons, part->width, patch, (y - part->top) / patch->scale);
  }
  return 0;
}

int ph_patch_read(const PhSpots *spots, int own, VipsRegion *region, VipsRect part, int scale,
                  PhPatch *patch) {
  *patch = (PhPatch){part.left, part.top, scale, part.width / scale, part.height / scale, NULL,
                     NULL};
  part.width = patch->width * scale;
  part.height = patch->height * scale;
  size_t plane = (size_t)patch->width * (size_t)patch->height;
  patch->colours = g_try_new0(float, 3 * plane);
  patch->reasons = g_try_new0(uint8_t, plane);
  float *row = g_try_new(float, part.width * spots->kernel->in->Bands);
  uint8_t *reasons = g_try_new(uint8_t, part.width);
  int failed = 0;
  if (plane > 0 && !(patch->colours && patch->reasons && row && reasons)) {
    vips_error("phbatch_heal", "out of memory");
    failed = -1;
  }
  if (!failed && plane > 0) failed = read_rows(spots, own, region, &part, row, reasons, patch);
  float share = 1 / ((float)scale * (float)scale);
  for (size_t i = 0; i < 3 * plane && !failed && scale > 1; i++) patch->colours[i] *= share;
  if (failed) ph_patch_clear(patch);
  g_free(row);
  g_free(reasons);
  return failed;
}

void ph_patch_clear(PhPatch *patch) {
  g_clear_pointer(&patch->colours, g_free);
  g_clear_pointer(&patch->reasons, g_free);
}
