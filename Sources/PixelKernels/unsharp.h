#pragma once
#include <glib-object.h>

/// The operation `phbatch_unsharp`: sharpens an RGB image by the unsharp mask of its luma.
///
/// With Y the BT.709 luma of the samples and d = Y − Gaussian(Y), each of R, G, B becomes
/// `x + amount × sign(d) × max(0, |d| − threshold)`; alpha stays. `sigma` is 0.3…50 pixels,
/// `amount` 0…10, `threshold` 0…1.
GType ph_unsharp_get_type(void);
