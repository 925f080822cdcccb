#pragma once
#include "base/kernel.h"

/// The maximum number of layers of a kernel: images, such as blurs of its input, that it reads in
/// addition to the input.
enum { PH_LAYERS = 9 };

/// Changes a block of the input. `layers` has the same block of each layer, or NULL for a layer
/// that is not needed for the block. Colours are not premultiplied.
typedef void (*PhCombine)(const PhKernel *kernel, PhBlock *block, PhBlock *const *layers);

/// Returns the set of layers that a kernel needs for an area of its output, one bit for each layer.
typedef unsigned (*PhNeeds)(const PhKernel *kernel, const VipsRect *area);

/// Changes a block of the input without any layer.
typedef void (*PhChange)(const PhKernel *kernel, PhBlock *block);

/// Returns a kernel's input with a cache of rows. A kernel that also reads its input blurred by
/// `sigma` needs the cache, because computing the blur reads rows further down.
VipsImage *ph_layers_source(PhKernel *kernel, double sigma);

/// Returns the source blurred by `sigma`, as float; NULL on failure. The image belongs to the
/// kernel.
VipsImage *ph_layers_blurred(PhKernel *kernel, VipsImage *source, double sigma);

/// Returns the source with each block changed by `change`, as premultiplied float; NULL on failure.
/// The image belongs to the kernel.
VipsImage *ph_layers_changed(PhKernel *kernel, VipsImage *source, PhChange change);

/// Creates the kernel's output from the source and `count` float layers of its size. If `needs` is
/// NULL, all layers are needed everywhere.
///
/// Returns 0, or −1 with libvips's error text set.
int ph_layers_output(PhKernel *kernel, VipsImage *source, VipsImage *const *layers, int count,
                     PhCombine combine, PhNeeds needs);
