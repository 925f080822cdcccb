#pragma once
#include <glib-object.h>

/// The operation `phbatch_point`: runs a point program (phbatch_kernels.h) over an RGB image.
///
/// Alpha, if any, is only brought to the output's format.
GType ph_point_get_type(void);
