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

PhGaussian ph_gaussian_box(double radius) {
  PhGaussian box = {.radius = (int)ceil(radius)};
  double sum = 2 * radius + 1;
  box.weights = g_new(float, box.radius + 1);
  for (int k = 0; k <= box.radius; k++)
    box.weights[k] = (float)((k <= radius ? 1 : radius - floor(radius)) / sum);
  return box;
}

void ph_gaussian_clear(PhGaussian *gaussian) { g_clear_pointer(&gaussian->weights, g_free); }
