#pragma once
#include <glib-object.h>

/// The operation `phbatch_jpegsave`: writes an image of 8 bits to `target` as a JPEG file: one band of
/// brightness, three of RGB, or four of inks (CMYK).
///
/// `columns` × `rows` pixels of RGB share one sample of each difference of colour: 1 × 1 (4:4:4),
/// 2 × 1 (4:2:2) or 2 × 2 (4:2:0). `optimize_coding` fits the tables of the entropy coder to the
/// picture, whose coefficients are kept until then; so they are for `interlace`, a progressive file.
/// The image's profile is embedded, its resolution written; other metadata are not.
GType ph_jpegsave_get_type(void);
