#pragma once
#include <glib-object.h>

/// The operation `phbatch_unsharp`: sharpens an RGB image by the unsharp mask of its luma.
///
/// With Y the BT.709 luma of the samples and d = Y − Gaussian(Y), each of R, G, B becomes
/// `x + amount × sign(d) × max(0, |d| − threshold)`; alpha stays. `sigma` is 0.3…50 pixels,
/// `amount` 0…10, `threshold` 0…1.
///
/// `edges` 0…1 protects what is flat: the addition is weighted by a smooth step of the standard
/// deviation of Y under the same Gaussian, which rises from 0 at `edges × 0.1 × (1 − falloff)` to 1
/// at `edges × 0.1 × (1 + falloff)`; `falloff` is 0…1, 0.5 if not given. `halo` 0…1 takes back that
/// part of what would leave the range of Y in the square of radius max(1, ⌊sigma + ½⌋). `program`, as
/// for `phbatch_point` but without images and without TABLE, runs over the result.
GType ph_unsharp_get_type(void);
