#pragma once
#include <vips/vips.h>

#include "loops/loops.h"

/// Returns 0, or −1 with libvips's error text set. `kernel` is not VIPS_KERNEL_NEAREST.
int ph_axis_init(PhAxis *axis, VipsKernel kernel, int from, int to);

/// The same where the output covers `extent` of the samples, more than `from` − 1.
int ph_axis_init_part(PhAxis *axis, VipsKernel kernel, int from, double extent, int to);

void ph_axis_clear(PhAxis *axis);
