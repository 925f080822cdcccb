#pragma once
#include <glib-object.h>

/// The operation `phbatch_jxlload`: reads a JPEG XL file of any number of channels from `source`, its
/// colours and the first alpha, as 8 or 16 bits.
///
/// `jxlload` of libvips 8.14 fails on more than four channels, for libjxl gives no more at a time.
/// Black is read where the profile is one of CMYK: samples are ink then, as libvips has them. libjxl
/// draws spot colours into the picture. All other channels are left out.
GType ph_jxlload_get_type(void);
