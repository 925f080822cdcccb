#pragma once
#include <glib-object.h>

/// The operation `phbatch_median`: each band's exact median over a square.
///
/// An RGB image with or without alpha; `radius` 1…5, the square has 2 × radius + 1 pixels a side.
/// The edge of the image is repeated outwards.
GType ph_median_get_type(void);
