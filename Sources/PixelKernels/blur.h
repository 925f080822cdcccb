#pragma once
#include <glib-object.h>

/// The operation `phbatch_blur`: a Gaussian or box blur of all bands, any number of them.
///
/// `sigma` is 0.3…250 pixels; with `box` it is the radius of a square whose mean is taken. Alpha is a band like the others: premultiply before. From 8.5 pixels
/// on knots of the image are blurred (see knots.h), so that the cost falls with sigma.
GType ph_blur_get_type(void);
