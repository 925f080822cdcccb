#include "gaussian.h"

#include <math.h>

PhGaussian ph_gaussian_new(double sigma) {
  PhGaussian gaussian = {.radius = (int)ceil(3 * sigma)};
  double sum = 1;
  for (int k = 1; k <= gaussian.radius; k++) sum += 2 * exp(-0.5 * (k / sigma) * (k / sigma));
  gaussian.weights = g_new(float, gaussian.radius + 1);
  for (int k = 0; k <= gaussian.radius; k++)
    gaussian.weights[k] = (float)(exp(-0.5 * (k / sigma) * (k / sigma)) / sum);
  return gaussian;
}

void ph_gaussian_clear(PhGaussian *gaussian) { g_clear_pointer(&gaussian->weights, g_free); }
