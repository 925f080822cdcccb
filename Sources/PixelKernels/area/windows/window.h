#pragma once
#include "base/kernel.h"

/// A block of the output and the pixels around it, as planes of float.
///
/// Beyond the edge of the image its outermost pixels are repeated.
typedef struct {
  /// Image coordinates and size of the block; at most PH_BLOCK wide.
  int left, top, width, height;
  /// The pixel at `left`, `top` of each band; `margin` pixels around the block are there too.
  const float *in[4];
  /// From one row of `in` to the next.
  int pitch;
  /// Where the result goes; rows of `width` pixels. What is not written stays as the input is.
  float *out[4];
  /// 3, or 4 with alpha last.
  int bands;
  /// Room for `scratch` floats, aligned to 64 bytes.
  float *scratch;
} PhWindow;

/// How a kernel computes its output block by block.
typedef struct {
  /// Pixels needed on every side of a block.
  int margin;
  /// Rows computed at a time, 0 for as many as are asked for. A cache keeps them for the requests
  /// to come; many rows save most of what neighbouring blocks with large margins share.
  int rows;
  /// Columns of a block, at most PH_BLOCK.
  int columns;
  /// Floats of scratch for a block of `width` × `height` pixels; NULL for none.
  size_t (*scratch)(const PhKernel *kernel, int width, int height);
  /// Computes a block. The result may depend on nothing but the pixels and their coordinates.
  void (*filter)(const PhKernel *kernel, const PhWindow *window);
} PhWindowing;

/// Makes the kernel's output, an RGB image with or without alpha.
///
/// `windowing` must live as long as the kernel. Returns 0, or -1 with libvips's error text set.
int ph_window_output(PhKernel *kernel, const PhWindowing *windowing);
