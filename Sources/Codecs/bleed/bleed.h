#pragma once
#include <stdint.h>

#include <vips/vips.h>

/// One plane or band of 8-bit or 16-bit samples.
typedef struct {
  uint8_t *data;
  /// The number of bytes from one row to the next.
  int stride;
  /// The number of samples from one pixel to the next.
  int step;
  int width;
  int height;
  gboolean is_wide;
} PhSamples;

/// Replaces the samples of transparent pixels by a smooth continuation of the visible ones.
///
/// A lossy encoder then spends no bytes on an edge that is invisible, and its errors at that edge
/// do not reach visible pixels.
///
/// The mean of the visible samples in each square of 2 × 2 samples becomes a sample of a plane of
/// half the size; such planes are made down to a plane of one sample. Then each plane fills the
/// gaps of the next larger one by bilinear interpolation.
///
/// `alpha` is the photo's alpha, one sample per pixel. A sample of `plane` covers `across` × `down`
/// pixels, and is visible if the alpha of one of these pixels is not 0.
///
/// Source: S. Gortler et al., "The Lumigraph", SIGGRAPH 1996, 3.4 (pull and push).
///
/// Returns 0, or −1 with libvips's error text set.
int ph_bleed_plane(PhSamples plane, PhSamples alpha, int across, int down);
