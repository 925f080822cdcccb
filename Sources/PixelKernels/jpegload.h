#pragma once
#include <glib-object.h>

/// The operation `phbatch_jpegload`: the planes of a YCbCr JPEG file of 8 bits in one scan, as
/// `planes.h` has them, neither spread to the size of the picture nor turned into RGB.
///
/// Whole rows come, once, from the top down, 16 at a time: `sequential` may keep some for those who
/// come back. `shrink` of 2, 4 or 8 has libjpeg decode that much smaller. What libjpeg complains of without
/// failing becomes two warnings of libvips, as its own loader makes them; a file that ends before its
/// pixels do fails.
GType ph_jpegload_get_type(void);
