#pragma once
#include <jxl/version.h>
#include <vips/vips.h>

// Work-arounds for versions of libvips, libheif, libjxl and x265. Each names the version from which
// it can be deleted, and the test that tells. See also PixelKernels/base/work_arounds.h.
//
// Operations that replace those of a library:
//
// `phbatch_heifsave` replaces `heifsave` of libvips, which
// - leaves the number of threads to the encoders before 8.15,
// - is not lossless before 8.15.3,
// - writes no code points before 8.19,
// - shifts samples to more bits, so that white becomes 4080 of 4095 (8.18.4).
//   Delete from: the version that rounds instead, if above 8.19.
//   Test: PhotoRenderTests/Encoding/ModernFormatTests.
//
// `ph_aom_register` replaces libheif's encoder of AV1, which
// - writes files of 10 bits as profile 2 before 1.16, upon which libaom ends the process,
// - codes rows in parallel, so that the file depends on the number of threads (1.20).
//   Delete from: the version that lets callers turn row-based multithreading off.
//   Test: PhotoRenderTests/Encoding/ModernFormatTests.threadsChangeNoByte and deepPhotosStayDeep.
//
// `phbatch_jxlload` replaces `jxlload` of libvips for files of more than four channels, for which
// that asks libjxl for all channels at once, and fails (8.18.4).
//   Delete from: the version that reads the other channels one by one.
//   Test: PhotoRenderTests/Decoding/ManyChannelTests.
//
// `encode_in_turn` of heifsave.c encodes the first image of a bit depth alone, because x265 3.5
// fills tables shared by all its encoders without a lock.
//   Delete from: the version of x265 that locks them.
//   Test: PhotoRenderTests/Encoding/ModernFormatTests, which render in parallel.

/// libvips 8.16 as Debian builds it defines `error_exit` for programs of libvips 7, which renames the
/// member of that name of libjpeg's error manager.
///
/// - Delete from: no version removes the macro (8.18.4).
/// - Test: the compiler.
#undef error_exit

/// Updates the image's EXIF block from its `exif-` fields.
///
/// libvips does so only in its own savers; the function is exported, but not declared in a header.
/// NULL if this libvips does not export it: then files get no EXIF.
///
/// - Delete from: no version has a public function (8.18.4).
/// - Test: PhotoRenderTests/Encoding/PNGTests.metadataIsThere.
extern int vips__exif_update(VipsImage *image) __attribute__((weak));

/// The unused pixel format that functions for profiles take before libjxl 0.9, with its comma.
///
/// - Delete from: libjxl 0.9, when no supported system has an older one.
/// - Test: the compiler.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define PH_JXL_UNUSED_FORMAT NULL,
#else
#define PH_JXL_UNUSED_FORMAT
#endif
