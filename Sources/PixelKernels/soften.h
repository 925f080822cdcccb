#pragma once
#include <glib-object.h>

/// The operation `phbatch_soften`: the Orton effect, a glow that keeps the detail.
///
/// Michael Orton laid an overexposed slide over an overexposed blurred one: `x + amount × (s(x) ×
/// s(Gaussian(x)) − x)` with s(x) = 1 − (1 − x)², which is a screen of x with itself, for values
/// clamped to 0…1. An RGB image, with or without premultiplied alpha, which stays; `sigma` 0.3…250
/// pixels, `amount` 0…1.
GType ph_soften_get_type(void);
