#pragma once

/// The factors by which a lens moves a position at (`x`, `y`) from its centre, for red, green and
/// blue.
static inline __attribute__((always_inline)) void ph_lens_factors(const PhBend *lens, double x,
                                                                  double y, double *red,
                                                                  double *green, double *blue) {
  x *= lens->unit[0];
  y *= lens->unit[1];
  double r = __builtin_elementwise_sqrt(x * x + y * y);
  const double *d = lens->distortion, *f = lens->red, *g = lens->blue;
  double factor = d[0] + r * (d[1] + r * (d[2] + r * (d[3] + r * d[4])));
  double s = r * factor;
  *green = factor;
  *red = factor * (f[0] + s * (f[1] + s * f[2]));
  *blue = factor * (g[0] + s * (g[1] + s * g[2]));
}
