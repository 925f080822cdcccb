#pragma once
#include <glib-object.h>

/// The operation `phbatch_bloom`: bright parts shine over what is around them.
///
/// In linear light, `x + max(0, 1 − x) × g ÷ (1 + g)` with g = amount × Gaussian(x × w): a screen that
/// never reaches white. w is a smooth step of the display-encoded BT.709 luma, from 0 at `threshold`
/// to 1 at white. An RGB image, with or without premultiplied
/// alpha, which stays; `sigma` 0.3…250 pixels, `amount` 0…4, `threshold` 0…0.99.
GType ph_bloom_get_type(void);
