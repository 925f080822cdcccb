#pragma once
#include <jxl/version.h>
#include <vips/vips.h>

// Work-arounds for versions of libvips, libheif, libjxl and x265. Each names the version from which
// it can be deleted, and the test that fails without it. See also PixelKernels/base/work_arounds.h.
//
// Operations that replace operations of a library:
//
// `phbatch_heifsave` replaces `heifsave` of libvips, which
// - leaves the number of threads to the encoders before 8.15,
// - is not lossless before 8.15.3,
// - writes no code points before 8.19,
// - converts samples to more bits by a shift, so that white becomes 4080 of 4095 (8.18.4).
//   Delete from: the version that rounds instead, if above 8.19.
//   Test: PhotoRenderTests/Encoding/ModernFormatTests.
//
// `ph_aom_register` replaces libheif's encoder of AV1, which
// - writes 10-bit files as profile 2 before 1.16, which makes libaom end the process,
// - codes rows in parallel, so that the file depends on the number of threads (1.20).
//   Delete from: the version that lets callers turn row-based multithreading off.
//   Test: PhotoRenderTests/Encoding/ModernFormatTests.theNumberOfThreadsDoesNotChangeTheFile
//   and sixteenBitPhotosKeepMoreThanEightBits.
//
// `phbatch_jxlload` replaces `jxlload` of libvips for three kinds of files:
// - with more than four channels: `jxlload` requests all channels from libjxl at the same time, and
//   fails (8.18.4),
// - with floats: `jxlload` describes their samples as linear light, whatever their profile is
//   (8.14),
// - with stray bytes after the last box: `jxlload` reads boxes up to the end, and fails (8.16).
//   Delete from: the version that reads the other channels one by one, floats by their profile, and
//   files with such bytes.
//   Test: PhotoRenderTests/Decoding/ManyChannelTests, FloatJXLTests and JXLTailTests.
//
// `phbatch_jxlsave` replaces `jxlsave` of libvips
// - for pictures for HDR displays: `jxlsave` writes no code points before 8.19, so that libjxl takes
//   PQ and HLG for sRGB or for an unknown profile,
// - for 10 and 12 bits: `jxlsave` writes 8 or 16 (8.18.4).
//   Delete from: the version that writes code points and other bit depths.
//   Test: PhotoRenderTests/Encoding/HDRRenditionTests and JXLDepthTests.
//
// `phbatch_jp2kload` replaces `jp2kload` of libvips, which (8.14)
// - ends the process for files with a palette,
// - reads inks as sRGB with alpha, and does not convert sYCC that is not subsampled,
// - enlarges only the colour differences of subsampled sYCC.
//   Delete from: the version that reads all files of the test.
//   Test: PhotoRenderTests/Decoding/JP2Tests.
//
// `encode_in_turn` of heifsave.c encodes the first image of each bit depth alone, because x265 3.5
// fills tables that all its encoders share, without a lock.
//   Delete from: the version of x265 that locks them.
//   Test: PhotoRenderTests/Encoding/ModernFormatTests, which render in parallel.

/// libvips 8.16 as built by Debian defines the macro `error_exit` for programs of libvips 7. It is
/// undefined, because it would rename the member `error_exit` of libjpeg's error manager.
///
/// - Delete from: no version removes the macro (8.18.4).
/// - Test: the compiler.
#undef error_exit

/// The pixel format argument, with its comma, of the functions of libjxl that return colour
/// profiles. libjxl before 0.9 requires the argument but does not use it.
///
/// - Delete from: libjxl 0.9, when no supported system has an older version.
/// - Test: the compiler.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define PH_JXL_UNUSED_FORMAT NULL,
#else
#define PH_JXL_UNUSED_FORMAT
#endif
