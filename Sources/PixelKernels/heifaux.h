#pragma once
#include <glib-object.h>

/// The operation `phbatch_heifaux`: reads a picture from `source`, a HEIF file, that belongs to another
/// one in it and has the URN `type`: a matte, or a map of depths.
///
/// `page` counts the file's pictures from 0; −1 is the one that is shown. One band of uchar or
/// ushort, whose full light is in "heif-bitdepth"; turned and cropped as its own item says. It fails for
/// a picture that is larger than the photo.
GType ph_heifaux_get_type(void);
