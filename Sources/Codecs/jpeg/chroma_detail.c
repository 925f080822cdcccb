#include "chroma_detail.h"

#include "jpeg/dct.h"

#pragma STDC FP_CONTRACT OFF

/// Half of the edge of a block, and the step between examined rows of blocks: one of every
/// PH_SKIPPED rows is examined.
enum { PH_HALF = PH_DCT_EDGE / 2, PH_SKIPPED = 4 };

/// The quantizer in the chroma table of ITU-T T.81, K.2, which is the same for all frequencies that
/// half the resolution cannot store. The table applies to quality 50.
enum { PH_HIGH_QUANTIZER = 99 };

/// A picture has detail if at least one in this number of blocks has detail.
enum { PH_RARE = 100 };

/// True if the block has, at a frequency that half the resolution cannot store, a coefficient whose
/// absolute value is at least `least`.
static gboolean is_fine(float (*samples)[PH_DCT_EDGE], float least) {
  PhDctBlock whole;
  ph_dct(samples, whole);
  float most = 0;
  for (int v = 0; v < PH_DCT_EDGE; v++)
    for (int u = v < PH_HALF ? PH_HALF : 0; u < PH_DCT_EDGE; u++) {
      float size = whole[v][u] < 0 ? -whole[v][u] : whole[v][u];
      most = size > most ? size : most;
    }
  return most >= least;
}

static gboolean block_is_fine(const guint8 *pixels, size_t pitch, float least) {
  PhDctBlock blue, red;
  for (int y = 0; y < PH_DCT_EDGE; y++)
    for (int x = 0; x < PH_DCT_EDGE; x++) {
      const guint8 *pixel = pixels + (size_t)y * pitch + 3 * (size_t)x;
      float r = pixel[0], g = pixel[1], b = pixel[2];
      blue[y][x] = -0.168736f * r - 0.331264f * g + 0.5f * b;
      red[y][x] = 0.5f * r - 0.418688f * g - 0.081312f * b;
    }
  return is_fine(blue, least) || is_fine(red, least);
}

gboolean ph_chroma_has_detail(const guint8 *pixels, int width, int height, int quality) {
  // The percentage by which libjpeg scales its quantization tables for a quality.
  int scale = quality < 50 ? 5000 / VIPS_MAX(quality, 1) : 200 - 2 * quality;
  int quantizer = VIPS_CLIP(1, (PH_HIGH_QUANTIZER * scale + 50) / 100, 255);
  float least = (float)quantizer / 2;
  size_t pitch = 3 * (size_t)width;
  int across = width / PH_DCT_EDGE;
  int rows = (height / PH_DCT_EDGE + PH_SKIPPED - 1) / PH_SKIPPED;
  gint64 needed = VIPS_MAX(1, (gint64)across * rows / PH_RARE);
  gint64 found = 0;
  for (int row = 0; row < rows; row++)
    for (int x = 0; x < across; x++) {
      size_t y = (size_t)row * PH_SKIPPED * PH_DCT_EDGE;
      found += block_is_fine(pixels + y * pitch + 3 * (size_t)x * PH_DCT_EDGE, pitch, least);
      if (found >= needed) return TRUE;
    }
  // A picture with an edge shorter than a block counts as one with detail, so that it keeps its
  // full colour resolution.
  return across == 0 || rows == 0;
}
