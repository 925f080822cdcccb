#pragma once
#include <glib-object.h>

/// The operation `phbatch_tilt`: a sharp band across a blurred image, as a tilted lens draws it.
///
/// The line through pixel (`x`, `y`) at `angle` degrees, counter-clockwise from the horizontal, is
/// the middle of the band. Up to `width ÷ 2` pixels from it (0…) the image stays as it is; over the
/// next `falloff` pixels (1…) it changes by a smooth step to a Gaussian of a third of `sigma`, then
/// to one of `sigma` (0.9…250 pixels). An RGB image, with or without premultiplied alpha, which stays.
GType ph_tilt_get_type(void);
