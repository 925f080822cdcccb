#pragma once
#include "base/kernel.h"

/// The knots of an image: one for every `step`-th pixel of every `step`-th row, each a mean under a
/// pyramid that reaches to its neighbours (weights `1 − |distance| ÷ step` along either axis).
///
/// Knot (1, 1) lies at pixel (0, 0). There is one more on every side than the image needs, so that
/// repeating the outermost ones is the same as repeating the edge of the image. Float, as many bands
/// as the kernel's input, which must be the image that `source` stands for. Knots hold a row of an
/// image until the last of them is past; its rows are read forwards.
/// Returns NULL, with libvips's error text set, on failure; the image belongs to `kernel`.
VipsImage *ph_knots_new(PhKernel *kernel, VipsImage *source, int step);

/// Makes the kernel's output from knots, linearly between them along either axis.
///
/// Returns 0, or -1 with libvips's error text set.
int ph_knots_output(PhKernel *kernel, VipsImage *knots, int step);
