#pragma once
#include "area/gaussian.h"
#include "loops/loops.h"

/// Computes the minimum or the maximum of `line[−radius][i]` … `line[radius][i]`; see PhLoops.
typedef void (*PhExtreme)(const float *const *line, int radius, float *restrict to, int count);

/// The largest radius of a square or of a symmetric filter.
enum { PH_SQUARE = 64 };

/// An area of a plane: the address of its first sample, the number of floats from one row to the
/// next, and its size.
typedef struct {
  float *samples;
  int pitch, width, height;
} PhArea;

/// The area that is `margin` samples smaller on every side; larger, if `margin` is negative.
PhArea ph_area_inset(PhArea area, int margin);

/// Filters an area across rows and columns. `from` is the plane's sample at the position of the
/// first sample of `to`; the filter's radius around the area must be readable. `row` has room for a
/// row of the area with its margins.
void ph_area_filter(const PhLoops *loops, const PhGaussian *filter, const float *from, int pitch,
                    float *row, PhArea to);

/// Computes the minimum or the maximum over the square of `radius` around each sample of an area;
/// the other arguments have the same meaning as in `ph_area_filter`.
void ph_area_extreme(PhExtreme extreme, int radius, const float *from, int pitch, float *row,
                     PhArea to);
