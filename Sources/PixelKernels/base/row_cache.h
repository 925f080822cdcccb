#pragma once
#include "kernel.h"

/// An image behind a cache of its rows.
///
/// Neighbouring strips share rows, which so are computed once; a file that is decoded row by row is
/// read forwards, without which it fails with "out of order read" at large radii.
/// `step` is how many rows of the photo a row of the image stands for. The cache holds `rows` rows
/// and those that a request for half as many rows again as libvips buffers comes with (with more than
/// one thread three times as many).
/// The result belongs to `kernel`; NULL on failure.
VipsImage *ph_row_cache(PhKernel *kernel, VipsImage *image, int rows, int step);

/// The image that an area kernel reads: its input behind a cache of 2 × radius rows and more, or as
/// it is if it lies in memory.
VipsImage *ph_row_cache_input(PhKernel *kernel, int radius, int step);
