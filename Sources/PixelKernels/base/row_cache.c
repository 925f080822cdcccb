#include "row_cache.h"

#include "work_arounds.h"

/// The number of rows that libvips requests at a time.
enum { PH_STRIP = 16 };

VipsImage *ph_row_cache(PhKernel *kernel, VipsImage *image, int rows, int step) {
  int tile_width, tile_height, buffered;
  vips_get_tile_size(image, &tile_width, &tile_height, &buffered);
  // The cache also keeps the rows of one row of tiles for the next operation, or the rows that
  // several threads compute at a time.
  int window = vips_concurrency_get() > 1 ? 3 * buffered : 3 * buffered / 2;
  int strip = VIPS_MAX(1, PH_STRIP / step);
  int strips = (rows + strip + window / step + 1 + strip - 1) / strip;
  VipsImage **images = (VipsImage **)vips_object_local_array(VIPS_OBJECT(kernel), 2);
  if (ph_unshared_copy(image, &images[0]) ||
      vips_tilecache(images[0], &images[1], "tile_width", image->Xsize, "tile_height", strip,
                     "max_tiles", strips, "access", VIPS_ACCESS_SEQUENTIAL, "threaded", TRUE, NULL))
    return NULL;
  return images[1];
}

VipsImage *ph_row_cache_input(PhKernel *kernel, int radius, int step) {
  if (kernel->in->dtype != VIPS_IMAGE_PARTIAL) return kernel->in;
  return ph_row_cache(kernel, kernel->in, 2 * radius, step);
}
