#pragma once
#include <glib-object.h>

/// The operation `phbatch_resize_planes`: RGB of exactly `width` × `height`, made of the planes that
/// `phbatch_jpegload` reads.
///
/// Each plane is resampled as `phbatch_resize` does it, from its own size, and the colours are turned
/// into RGB then: differences of colour are neither spread to the size of the picture before, nor
/// rounded on the way. The input is read by one thread at a time, forwards, in rows that lie at most
/// 8 output rows and a kernel apart.
///
/// - Source: ITU-T T.871 (JFIF), section 7.
GType ph_resize_planes_get_type(void);
