#pragma once
#include <glib-object.h>

/// The operation `phbatch_censor`: makes a part of the image unrecognisable.
///
/// `left`, `top`, `width` and `height` are fractions of the image; every pixel that the rectangle
/// touches is covered. With `size` above 0 the part becomes squares of that many pixels, else with
/// `sigma` above 0 it is blurred, else it gets the `colour` (R, G, B, 0…1). What is computed sees
/// only the part itself. An RGB image, with or without premultiplied alpha, which becomes opaque
/// under a colour.
GType ph_censor_get_type(void);
