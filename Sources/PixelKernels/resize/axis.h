#pragma once
#include <vips/vips.h>

#include "loops/loops.h"

/// Computes the weights for resizing a part of `from` samples to `to`: `extent` samples from
/// `start` on. The part may begin and end between samples, and exceed them. `kernel` must not be
/// VIPS_KERNEL_NEAREST.
///
/// Returns 0, or −1 with libvips's error text set.
int ph_axis_init(PhAxis *axis, VipsKernel kernel, int from, double start, double extent, int to);

void ph_axis_clear(PhAxis *axis);
