#pragma once
#include <vips/vips.h>

#include "loops/loops.h"

/// Computes the weights for resizing `from` samples to `to`. `kernel` must not be
/// VIPS_KERNEL_NEAREST.
///
/// Returns 0, or −1 with libvips's error text set.
int ph_axis_init(PhAxis *axis, VipsKernel kernel, int from, int to);

/// Like `ph_axis_init`, for an output that covers only `extent` of the samples; `extent` is more
/// than `from` − 1.
int ph_axis_init_part(PhAxis *axis, VipsKernel kernel, int from, double extent, int to);

void ph_axis_clear(PhAxis *axis);
