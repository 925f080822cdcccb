#pragma once
#include <glib-object.h>

/// The operation `phbatch_mix`: `in + opacity × (top − in)` for all bands, any number of them.
///
/// `top` has the size, bands and format of `in`; `opacity` is 0…1.
GType ph_mix_get_type(void);
