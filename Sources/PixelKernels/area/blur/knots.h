#pragma once
#include "base/kernel.h"

/// Creates the knots of an image: the image reduced by `step` along either axis with a tent filter
/// (weights `1 − |distance| ÷ step`).
///
/// Knot (1, 1) is at pixel (0, 0). There is one knot more than needed on every side, so that
/// repeating the outermost knots is the same as repeating the edge of the image. The knots are
/// float and have the bands of the kernel's input; `source` must be that input or a cache of it,
/// and is read from the top down. Returns NULL, with libvips's error text set, on failure; the
/// image belongs to `kernel`.
VipsImage *ph_knots_new(PhKernel *kernel, VipsImage *source, int step);

/// Creates the kernel's output by bilinear interpolation between knots.
///
/// Returns 0, or -1 with libvips's error text set.
int ph_knots_output(PhKernel *kernel, VipsImage *knots, int step);
