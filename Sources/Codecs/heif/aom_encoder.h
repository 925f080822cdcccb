#pragma once

/// Makes libaom known to libheif as the encoder `ph_aom_name`, which is never taken unasked.
///
/// That of libheif 1.15 itself writes files of 10 bits as profile 2, upon which libaom ends the
/// process, and at more than one thread others than at one. This one takes the planes as they are,
/// and cuts large pictures into tiles, for any number of threads the same.
///
/// Besides quality and lossless it takes the whole numbers `speed` (0…9), `threads` and
/// `alpha-quality`, and the texts `chroma` (420, 422, 444) and `tune` (ssim, psnr).
void ph_aom_register(void);

extern const char ph_aom_name[];
