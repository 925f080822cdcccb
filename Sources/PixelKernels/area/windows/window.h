#pragma once
#include "base/kernel.h"

/// A block of the output with the pixels around it, as planes of float.
///
/// The edge of the image is repeated outwards.
typedef struct {
  /// The block's position and size in the image; at most PH_BLOCK wide.
  int left, top, width, height;
  /// For each band, the address of the pixel at (`left`, `top`); `margin` pixels around the block
  /// are valid too.
  const float *in[4];
  /// The number of floats from one row of `in` to the next.
  int pitch;
  /// The result, in rows of `width` pixels, initialized with the input.
  float *out[4];
  /// The number of bands: 3, or 4 with alpha last.
  int bands;
  /// Memory for `scratch` floats, aligned to 64 bytes.
  float *scratch;
} PhWindow;

/// The description of a kernel that computes its output block by block.
typedef struct {
  /// The number of pixels needed on every side of a block.
  int margin;
  /// The number of rows computed at a time and cached; 0 to compute only the requested rows,
  /// without a cache. With large margins, computing many rows at a time avoids most of the work
  /// that neighbouring blocks would repeat.
  int rows;
  /// The number of columns of a block, at most PH_BLOCK.
  int columns;
  /// Returns the floats of scratch memory for a block of `width` × `height` pixels; NULL if the
  /// kernel needs no scratch memory.
  size_t (*scratch)(const PhKernel *kernel, int width, int height);
  /// Computes a block. The result must depend only on the pixels and their coordinates.
  void (*filter)(const PhKernel *kernel, const PhWindow *window);
} PhWindowPlan;

/// Creates the kernel's output, an RGB image with or without alpha.
///
/// `plan` must live as long as the kernel. Returns 0, or −1 with libvips's error text set.
int ph_window_output(PhKernel *kernel, const PhWindowPlan *plan);
