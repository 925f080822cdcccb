#pragma once
#include <glib-object.h>

/// The operation `phbatch_pixelate`: squares of one colour, the mean of the pixels under them.
///
/// All bands, any number of them; premultiply alpha before. `size` is 1…1000 pixels a side, whole
/// or not: a pixel is in the square that its centre is in. Squares start at the top left, those at the
/// right and the bottom may be cut.
GType ph_pixelate_get_type(void);
