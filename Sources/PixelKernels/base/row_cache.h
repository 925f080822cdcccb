#pragma once
#include "kernel.h"

/// Returns the image with a cache of its rows.
///
/// Neighbouring strips share rows, and the cache computes these only once. It also reads the image
/// from the top down, as a file that is decoded row by row requires; without it, large radii fail
/// with "out of order read". `step` is the number of rows of the photo that one row of the image
/// represents. The cache holds `rows` rows and 1.5 times the rows that libvips buffers (3 times
/// with more than one thread). The result belongs to `kernel`; NULL on failure.
VipsImage *ph_row_cache(PhKernel *kernel, VipsImage *image, int rows, int step);

/// Returns the image that an area kernel reads: its input if the input is in memory, otherwise its
/// input with a cache of at least 2 × `radius` rows.
VipsImage *ph_row_cache_input(PhKernel *kernel, int radius, int step);
