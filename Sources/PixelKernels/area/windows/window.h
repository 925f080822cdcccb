#pragma once
#include "base/kernel.h"

/// A block of the output with the pixels around it, as planes of float.
///
/// The edge of the image is repeated outwards.
typedef struct {
  /// Image coordinates and size of the block; at most PH_BLOCK wide.
  int left, top, width, height;
  /// The pixel at (`left`, `top`) of each band; `margin` pixels around the block are valid too.
  const float *in[4];
  /// Floats from one row of `in` to the next.
  int pitch;
  /// The result, in rows of `width` pixels, initialized with the input.
  float *out[4];
  /// 3, or 4 with alpha last.
  int bands;
  /// Room for `scratch` floats, aligned to 64 bytes.
  float *scratch;
} PhWindow;

/// A kernel that computes its output block by block.
typedef struct {
  /// Pixels needed on every side of a block.
  int margin;
  /// Rows computed at a time and cached; 0 to compute just the requested rows, without a cache.
  /// With large margins, many rows avoid most of the work that neighbouring blocks share.
  int rows;
  /// Columns of a block, at most PH_BLOCK.
  int columns;
  /// Floats of scratch for a block of `width` × `height` pixels; NULL for none.
  size_t (*scratch)(const PhKernel *kernel, int width, int height);
  /// Computes a block. The result must depend only on the pixels and their coordinates.
  void (*filter)(const PhKernel *kernel, const PhWindow *window);
} PhWindowPlan;

/// Creates the kernel's output, an RGB image with or without alpha.
///
/// `plan` must live as long as the kernel. Returns 0, or −1 with libvips's error text set.
int ph_window_output(PhKernel *kernel, const PhWindowPlan *plan);
