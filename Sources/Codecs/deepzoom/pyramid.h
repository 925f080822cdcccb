#pragma once
#include "archive.h"
#include "loops/loops.h"
#include "tile_encoder.h"

/// A picture in tiles at its size, at half of it, and so on to one pixel, as DeepZoom has it: made
/// from rows that come from the top down, of which every level keeps those of one row of tiles.
///
/// Source: Microsoft, DeepZoom schema and file format overview: level n has the picture at
/// ⌈size ÷ 2^(top − n)⌉, level 0 one pixel; a tile reaches `overlap` pixels into its neighbours.
typedef struct PhPyramid PhPyramid;

typedef struct {
  int width, height, bands;
  /// Of tiles, without what they overlap.
  int tile, overlap;
} PhPyramidShape;

/// Returns NULL, with libvips's error text set, if memory is short.
PhPyramid *ph_pyramid_new(const PhLoops *loops, const PhPyramidShape *shape,
                          const PhTileEncoder *encoder, PhArchive *archive, const char *folder);

/// Takes NULL too.
void ph_pyramid_free(PhPyramid *pyramid);

/// Adds the next row and writes the tiles that are complete with it, as `folder/level/column_row`.
///
/// Returns 0, or −1 with libvips's error text set.
int ph_pyramid_add(PhPyramid *pyramid, const guchar *row);
