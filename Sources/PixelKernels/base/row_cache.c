#include "row_cache.h"

/// Rows of a strip, as libvips asks for them.
enum { PH_STRIP = 16 };

VipsImage *ph_row_cache(PhKernel *kernel, VipsImage *image, int rows, int step) {
  int tile_width, tile_height, buffered;
  vips_get_tile_size(image, &tile_width, &tile_height, &buffered);
  // Room for one row of tiles downstream, or for what several threads have under way.
  int window = vips_concurrency_get() > 1 ? 3 * buffered : 3 * buffered / 2;
  int strip = VIPS_MAX(1, PH_STRIP / step);
  int strips = (rows + strip + window / step + 1 + strip - 1) / strip;
  VipsImage **images = (VipsImage **)vips_object_local_array(VIPS_OBJECT(kernel), 2);
  // A row of the cache takes over pixels that its thread has just computed of the same image, for a
  // mix with it say, and libvips 8.14 aborts when another thread lets go of them. No other reader
  // knows this copy, so that there are none to take over.
  if (vips_copy(image, &images[0], NULL) ||
      vips_tilecache(images[0], &images[1], "tile_width", image->Xsize, "tile_height", strip,
                     "max_tiles", strips, "access", VIPS_ACCESS_SEQUENTIAL, "threaded", TRUE, NULL))
    return NULL;
  return images[1];
}

VipsImage *ph_row_cache_input(PhKernel *kernel, int radius, int step) {
  if (kernel->in->dtype != VIPS_IMAGE_PARTIAL) return kernel->in;
  return ph_row_cache(kernel, kernel->in, 2 * radius, step);
}
