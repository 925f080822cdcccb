#pragma once
#include <glib-object.h>

/// The operation `phbatch_lens`: blurs each pixel the more the farther it is from the focus.
///
/// The one image of `maps`, one band of float in memory, is stretched over the frame and says how
/// near things are, 0…1. The standard deviation is `sigma` (pixels, up to 100,000) times the difference to
/// `focus` (0…1), at most 250. In linear light, between Gaussians of an eighth, a quarter, a half and
/// all of the largest that there can be; pixels count in them by how much they are blurred themselves,
/// so that what is in focus does not shine into what is beside it. An RGB image, with or without
/// premultiplied alpha, which stays.
GType ph_lens_get_type(void);
