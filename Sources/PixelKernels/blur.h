#pragma once
#include <glib-object.h>

/// The operation `phbatch_blur`: a Gaussian blur of all bands, any number of them.
///
/// `sigma` is 0.3…250 pixels. Alpha is a band like the others: premultiply before. The cost grows
/// with sigma, as does the memory (6 × sigma rows of the input): shrink the image before a blur of
/// many pixels.
GType ph_blur_get_type(void);
