#pragma once
#include <glib-object.h>

/// The operation `phbatch_zoom`: the blur of a lens that zoomed while the shutter was open.
///
/// All pixels count equally on a line through each pixel that points at `x`, `y` (parts of the
/// frame); it is as long as the pixel is far from there, `length` (0…250 pixels) at the corner that
/// is farthest. The line is a row of points, at most a pixel apart, each shared by the four pixels
/// around it linearly. An RGB image, with or without premultiplied alpha, which is blurred like a
/// colour.
GType ph_zoom_get_type(void);
