#pragma once
#include <glib-object.h>

/// The operation `phbatch_motion`: the blur of a camera that moved along a straight line.
///
/// All pixels on a line of `length` (0…250 pixels) through each pixel count equally; `angle` is its
/// direction, in degrees counter-clockwise from the horizontal. The line is a row of points, at most
/// half a pixel apart, each shared by the four pixels around it linearly. An RGB image, with or
/// without premultiplied alpha, which is blurred like a colour.
GType ph_motion_get_type(void);
