#pragma once
#include "archive.h"
#include "loops/loops.h"
#include "tile_encoder.h"

/// A DeepZoom pyramid: a picture divided into tiles, at its full size, at half the size, and so on
/// down to one pixel. Rows are added from the top down; every level keeps the rows of one row of
/// tiles.
///
/// Source: Microsoft, DeepZoom schema and file format overview: level n is the picture at ⌈size ÷
/// 2^(top − n)⌉, level 0 is one pixel; a tile extends `overlap` pixels into its neighbours.
typedef struct PhPyramid PhPyramid;

typedef struct {
  int width, height, bands;
  /// The side of a tile without its overlap, and the overlap, in pixels.
  int tile, overlap;
} PhPyramidShape;

/// Creates a pyramid. Returns NULL, with libvips's error text set, if memory is short.
PhPyramid *ph_pyramid_new(const PhLoops *loops, const PhPyramidShape *shape,
                          const PhTileEncoder *encoder, PhArchive *archive, const char *folder);

/// Frees a pyramid; has no effect for NULL.
void ph_pyramid_free(PhPyramid *pyramid);

/// Adds the next row and writes the tiles that it completes, as `folder/level/column_row`.
///
/// Returns 0, or −1 with libvips's error text set.
int ph_pyramid_add(PhPyramid *pyramid, const guchar *row);
