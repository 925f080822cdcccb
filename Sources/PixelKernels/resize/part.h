#pragma once
#include <vips/vips.h>

/// The part of an image that a resize reads, in fractions of its edges. It can exceed the image,
/// whose outermost pixels are repeated there.
typedef struct {
  double left, top, across, down;
} PhPart;

/// Declares the arguments `left`, `top`, `across` and `down` of an operation; without them, the part
/// is the whole image. `offset` is the position of a `PhPart` in the operation.
void ph_part_arguments(VipsObjectClass *class, size_t offset);
