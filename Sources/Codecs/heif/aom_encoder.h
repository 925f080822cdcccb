#pragma once

/// Registers libaom with libheif as the encoder `ph_aom_name`, which libheif uses only if it is
/// requested by this name.
///
/// The encoder replaces libheif's own encoder; see work_arounds.h. It takes the planes without
/// conversion, and divides large pictures into tiles. The file does not depend on the number of
/// threads.
///
/// Besides quality and lossless, its parameters are the integers `speed` (0…9), `threads` and
/// `alpha-quality`, and the strings `chroma` (420, 422, 444) and `tune` (ssim, psnr).
void ph_aom_register(void);

extern const char ph_aom_name[];
