#pragma STDC FP_CONTRACT OFF

#include "squares.h"

PhArea ph_area_inset(PhArea area, int margin) {
  return (PhArea){area.samples + margin * area.pitch + margin, area.pitch,
                  area.width - 2 * margin, area.height - 2 * margin};
}

/// Lists the addresses of the lines from −`radius` to `radius`, which are `apart` floats apart;
/// returns the address of the middle one's.
static const float *const *lines_around(const float *centre, ptrdiff_t apart, int radius,
                                        const float **lines) {
  for (int k = -radius; k <= radius; k++) lines[radius + k] = centre + k * apart;
  return lines + radius;
}

void ph_area_filter(const PhLoops *loops, const PhGaussian *filter, const float *from, int pitch,
                    float *row, PhArea to) {
  const float *lines[2 * PH_SQUARE + 1];
  int radius = filter->radius;
  for (int y = 0; y < to.height; y++) {
    loops->filter(lines_around(from + y * pitch - radius, pitch, radius, lines), filter->weights,
                  radius, row, to.width + 2 * radius);
    loops->filter(lines_around(row + radius, 1, radius, lines), filter->weights, radius,
                  to.samples + y * to.pitch, to.width);
  }
}

void ph_area_extreme(PhExtreme extreme, int radius, const float *from, int pitch, float *row,
                     PhArea to) {
  const float *lines[2 * PH_SQUARE + 1];
  for (int y = 0; y < to.height; y++) {
    extreme(lines_around(from + y * pitch - radius, pitch, radius, lines), radius, row,
            to.width + 2 * radius);
    extreme(lines_around(row + radius, 1, radius, lines), radius, to.samples + y * to.pitch,
            to.width);
  }
}
