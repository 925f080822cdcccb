#pragma once
#include <glib-object.h>

/// The operation `phbatch_tilt`: a sharp band across a blurred image, as a tilted lens draws it.
///
/// The line through (`x`, `y`), fractions of the width and the height, at `angle` degrees
/// counter-clockwise from the horizontal is the middle of the band. Up to half of `width` from it the
/// image stays as it is; over the next `falloff` it changes by a smooth step to a Gaussian of a third
/// of `sigma`, then to one of `sigma` (0.9…250 pixels). Both are parts of the image's shorter edge,
/// `width` 0…2, `falloff` 0.001…2. An RGB image, with or without premultiplied alpha, which stays.
GType ph_tilt_get_type(void);
