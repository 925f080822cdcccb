#pragma once
#include <glib-object.h>

/// The operation `phbatch_pngsave`: writes an image of 8 or 16 bits and 1…4 bands, the last of 2 or 4
/// being alpha, to `target` as a PNG file that is not interlaced.
///
/// Each row gets the filter that leaves the least. `compression` is 0…9; at 0 rows are neither
/// filtered nor compressed. Pictures of up to `whole` bytes are compressed as a whole, by libdeflate:
/// faster and smaller than as they come, by zlib, but kept in memory.
GType ph_pngsave_get_type(void);
