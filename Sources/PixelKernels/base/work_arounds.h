#pragma once
#include <vips/vips.h>

// Work-arounds for libvips that kernels and codecs share. Work-arounds only for codecs are in
// Codecs/work_arounds.h, those in Swift in Vips/WorkArounds.swift. Each names the version from
// which it can be deleted, and the test that fails without it.

/// Copies an image's header, so that a cache of the copy shares no buffer with other readers of the
/// image.
///
/// If a thread has just computed an image for another reader, for instance a mix, a cache of the
/// same image takes over the thread's buffer. libvips aborts when another thread releases this
/// buffer. A copy has no other reader.
///
/// - Delete from: no version fixes it (8.18.4).
/// - Test: PixelKernelsTests/InvarianceTests, run many times; the abort is rare.
static inline int ph_unshared_copy(VipsImage *image, VipsImage **copy) {
  return vips_copy(image, copy, NULL);
}

/// Computes all rows of an image and passes them to `write`, like `vips_sink_disc`. Fails if
/// `has_failed` is true at the end.
///
/// `vips_sink_disc` ignores the result of the last call of `write`; therefore `write` must set
/// `has_failed` when it fails. Returns 0, or −1 with libvips's error text set.
///
/// - Delete from: libvips 8.16.1, which checks the last call (libvips, pull request 4344).
/// - Test: PhotoRenderTests/Execution/TeeTests.anOutputThatCannotBeWrittenFailsThePhoto.
static inline int ph_sink_rows(VipsImage *image, VipsRegionWrite write, void *writer,
                               const gboolean *has_failed) {
  return vips_sink_disc(image, write, writer) || *has_failed ? -1 : 0;
}
