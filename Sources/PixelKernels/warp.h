#pragma once
#include <glib-object.h>

/// The libvips operation `phbatch_warp`: resamples an image through a projective map.
///
/// `matrix` (nine numbers, row by row) brings the homogeneous place (x, y, 1) in the output to one in
/// the input; both count pixels from the upper left corner, so that a pixel's centre is at ½.
/// `width` and `height` are the output's size. Between pixels the values follow the cubic
/// convolution of Keys with a = −½ (Catmull–Rom).
///
/// Without `background` the input's edge is repeated outwards. With it (one number for each band,
/// nominal 0…1, premultiplied) the input's edge is antialiased against it.
GType ph_warp_get_type(void);
