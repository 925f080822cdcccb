#pragma once
#include "base/kernel.h"

/// The most images that a kernel of layers reads beside its input.
enum { PH_LAYERS = 9 };

/// Changes a block of the input, given the same block of each other layer, NULL for those that are
/// not needed there. Colours are not premultiplied.
typedef void (*PhCombine)(const PhKernel *kernel, PhBlock *block, PhBlock *const *layers);

/// Which layers a kernel needs for a part of its output: a bit for each.
typedef unsigned (*PhNeeds)(const PhKernel *kernel, const VipsRect *area);

/// Changes a block of the input on its own.
typedef void (*PhChange)(const PhKernel *kernel, PhBlock *block);

/// A kernel's input behind a cache, for one that reads layers which are blurred by `sigma` as well:
/// those are made from rows further down.
VipsImage *ph_layers_source(PhKernel *kernel, double sigma);

/// The source blurred by `sigma`, as float; NULL on failure. It belongs to the kernel.
VipsImage *ph_layers_blurred(PhKernel *kernel, VipsImage *source, double sigma);

/// The source with each pixel changed, as float, premultiplied; NULL on failure. It belongs to the
/// kernel.
VipsImage *ph_layers_changed(PhKernel *kernel, VipsImage *source, PhChange change);

/// Makes the kernel's output from the source and `count` float layers of its size, all of which are
/// needed everywhere if `needs` is NULL.
///
/// Returns 0, or -1 with libvips's error text set.
int ph_layers_output(PhKernel *kernel, VipsImage *source, VipsImage *const *layers, int count,
                     PhCombine combine, PhNeeds needs);
