#pragma once
#include <glib-object.h>

/// The operation `phbatch_heifsave`: writes an image of 8 or 16 bits and 1…4 bands, the last of 2 or 4
/// being alpha, to `target` as AVIF (`compression` av1) or HEIC (hevc).
///
/// `heifsave` of libvips 8.14 leaves the number of the encoders' threads to them, shifts the white of
/// 8 bits to 4080 of 4095, does not tell the colour space, and is never lossless. Here threads are
/// those of the image (`concurrency`), which changes no byte of the file.
///
/// `Q` is 1…100, `alpha-q` the alpha's (av1 only), `effort` 0…9, `bitdepth` 8, 10 or 12, `chroma`
/// 420, 422 or 444, `tune` ssim or psnr. `lossless` implies 444. The fields `cicp-colour-primaries` and
/// `cicp-transfer-characteristics` of the image are those of ITU-T H.273, tables 2 and 3: the file
/// tells them beside the image's profile, or instead of one. hevc files tell nothing where there are
/// none.
GType ph_heifsave_get_type(void);

/// Makes all encoders known: libheif may have some in files of their own.
void ph_heif_start(void);
