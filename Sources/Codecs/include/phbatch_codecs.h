#pragma once

/// Loads libvips. Call before any function of libvips; returns NULL, or the reason why libvips cannot
/// be loaded.
const char *phbatch_load_vips(void);

/// Loads libaom, libheif and libjxl, and registers phbatch's encoder of AV1 with libheif.
///
/// These operations, which read, write and prepare files, need the libraries: `phbatch_jpegload`,
/// `phbatch_jpegsave`, `phbatch_pngsave`, `phbatch_heifsave`, `phbatch_heifaux`,
/// `phbatch_jp2kload`, `phbatch_jxlload`, `phbatch_jxlsave`, `phbatch_rawload`, `phbatch_dzsave`, and
/// `phbatch_bleed`, which prepares pictures for a lossy encoder.
///
/// Call once; libvips need not be started. Returns NULL, or the reason why one of the libraries
/// cannot be loaded.
const char *phbatch_codecs_prepare(void);

/// Returns 1 if libheif has an encoder for HEVC, else 0; some distributions have the encoder in a
/// separate package. Call after `phbatch_codecs_prepare`.
int phbatch_can_encode_hevc(void);

/// Returns a `VipsTarget` that writes to a duplicate of this descriptor, or NULL with libvips's error
/// text set.
///
/// If a write fails, its error is kept for `phbatch_take_write_error`.
void *phbatch_file_target(int descriptor);

/// Loads a module of libvips, for instance `heif`, from the folder of modules beside libvips.
///
/// Has no effect if there is no such module, for instance if libvips itself contains the codec.
/// Call after `vips_init`.
void phbatch_load_module(const char *name);
