#pragma once
#include "squares.h"
#include "window.h"

/// Planes of the pixels of a window and of `margin` pixels around it, not premultiplied: the
/// display-encoded luma, the differences R − luma and B − luma, and alpha. A transparent pixel has
/// 0 in all of them.
typedef struct {
  PhArea luma, red, blue, alpha;
} PhChromaPlanes;

/// The number of floats of the planes for a block of this size.
size_t ph_chroma_room(int width, int height, int margin);

/// Reads the planes into `memory`.
PhChromaPlanes ph_chroma_read(const PhWindow *window, int margin, float *memory);

/// Replaces the chroma of row `y` of a window's output by the differences R − luma in `red` and B −
/// luma in `blue`. The luminance, in linear light, stays. Pixels whose differences equal the
/// differences in `planes` do not change.
void ph_chroma_write(const PhKernel *kernel, const PhWindow *window, const PhChromaPlanes *planes,
                     int margin, int y, const float *red, const float *blue);
