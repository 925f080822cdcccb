#pragma once
#include <glib-object.h>

/// The operation `phbatch_denoise`: removes noise of brightness and of colour.
///
/// An RGB image with or without premultiplied alpha, which stays. On orthonormal axes, brightness goes through
/// overlapping cosine patches (see patches.h) at full and at half resolution, colour at half and at
/// a quarter, so that the coarse blotches of noise vanish too. `luma` and `chroma` 0…1 are ten times
/// the standard deviation of the noise in samples of 0…1; 0 leaves brightness or colour alone.
/// `detail` 0…1 lowers the threshold from 3.3 to 1.3 standard deviations: more detail, and more
/// noise, stay.
GType ph_denoise_get_type(void);
