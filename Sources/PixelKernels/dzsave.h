#pragma once
#include <glib-object.h>

/// The operation `phbatch_dzsave`: writes an 8-bit image of 1 or 3 bands to `target` as a DeepZoom
/// pyramid in one file, an SZI: a ZIP archive, nothing in it compressed again.
///
/// `image/image.dzi` says what is in `image/image_files`. `tile-size` is 1…4096, `overlap` 0…256;
/// `suffix` is `jpg`, `png` or `webp`, `Q` 1…100 for the first and the last.
///
/// Source: smart in media, SZI format description, 2018-11-24.
GType ph_dzsave_get_type(void);
