#pragma once
#include <glib-object.h>

/// The operation `phbatch_resize`: an image of exactly `width` × `height`, reduced or enlarged.
///
/// One to four bands; of two and four the last is alpha, by which the colours are multiplied before
/// they are averaged and divided after. `kernel` is linear, cubic (Catmull-Rom), mitchell, lanczos2
/// or lanczos3 (the default); `linear` averages light, where samples are sRGB-encoded. Weights and
/// sums are 32-bit float; reductions of any ratio take every input sample into account, without a
/// box filter before: the cost of an input sample is the same for all of them.
///
/// Memory, for each thread: 14 to 16 sums and eight rows, 4 bytes a sample, as wide as the input,
/// whatever the ratio.
GType ph_resize_get_type(void);
