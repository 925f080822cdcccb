#pragma once
#include "base/kernel.h"

/// Creates the knots of an image: the image reduced by `step` along both axes with a tent filter
/// (weights `1 − |distance| ÷ step`).
///
/// Knot (1, 1) is at pixel (0, 0). One extra knot on every side ensures that repeating the
/// outermost knots has the same effect as repeating the edge of the image. The knots are float
/// samples with the bands of the kernel's input; `source` must be that input or a cache of it, and
/// the kernel reads it from the top down. Returns NULL, with libvips's error text set, on failure;
/// the image belongs to `kernel`.
VipsImage *ph_knots_new(PhKernel *kernel, VipsImage *source, int step);

/// Creates the kernel's output by bilinear interpolation between knots.
///
/// Returns 0, or -1 with libvips's error text set.
int ph_knots_output(PhKernel *kernel, VipsImage *knots, int step);
