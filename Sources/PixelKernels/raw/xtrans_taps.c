#pragma STDC FP_CONTRACT OFF

#include <math.h>

#include "raw/xtrans.h"

/// The standard deviations of the kernel along the direction and across it, in pixels; and the
/// smallest value of the kernel at a sample that is used.
static const double length = 2.15, breadth = 0.6, least = 1e-3;

/// The number that is added to the second moments of the kernel. It limits the weights where the
/// samples are nearly on a line.
static const double ridge = 1e-3;

/// The edge of the window of samples, in both directions from its middle.
enum { PH_XTRANS_WINDOW = 3 };

/// A sample in the window: its place relative to the middle, and the kernel there.
typedef struct {
  int x, y;
  double kernel;
} PhPlace;

/// Solves the three symmetric equations with the matrix `m` and the right-hand side (1, 0, 0).
static void solve(const double m[3][3], double found[3]) {
  double a = m[1][1] * m[2][2] - m[1][2] * m[1][2];
  double b = m[0][2] * m[1][2] - m[0][1] * m[2][2];
  double c = m[0][1] * m[1][2] - m[0][2] * m[1][1];
  double scale = 1 / (m[0][0] * a + m[0][1] * b + m[0][2] * c);
  found[0] = a * scale, found[1] = b * scale, found[2] = c * scale;
}

/// Returns the distance in memory from a pixel of a run to another pixel; see loops/raw/xtrans.h.
static int distance(int pitch, int phase, int down, int right) {
  int to = phase + right + 6;
  return (6 * down + to % 6 - phase) * pitch + to / 6 - 1;
}

/// Computes the weights with which the samples of a colour give the value in the middle: that of the
/// plane which fits them best, weighted by the kernel.
static void regress(const PhPlace *places, int count, int pitch, int phase, PhXTransTaps *taps) {
  double m[3][3] = {{0}}, plane[3];
  for (int i = 0; i < count; i++) {
    double terms[3] = {1, places[i].x, places[i].y};
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) m[j][k] += places[i].kernel * terms[j] * terms[k];
  }
  m[1][1] += ridge, m[2][2] += ridge;
  solve(m, plane);
  double sum = 0, weights[PH_XTRANS_TAPS] = {0};
  for (int i = 0; i < count; i++) {
    weights[i] =
        places[i].kernel * (plane[0] + plane[1] * places[i].x + plane[2] * places[i].y);
    sum += weights[i];
  }
  for (int i = 0; i < PH_XTRANS_TAPS; i++) {
    taps->offset[i] = i < count ? distance(pitch, phase, places[i].y, places[i].x) : 0;
    taps->weight[i] = (float)(weights[i] / sum);
  }
}

void ph_xtrans_fill_taps(PhXTransTaps (*taps)[PH_XTRANS_DIRECTIONS][2], int pitch) {
  static const double across[PH_XTRANS_DIRECTIONS] = {1, 0, M_SQRT1_2, -M_SQRT1_2};
  static const double down[PH_XTRANS_DIRECTIONS] = {0, 1, M_SQRT1_2, M_SQRT1_2};
  for (int cell = 0; cell < 36; cell++)
    for (int k = 0; k < PH_XTRANS_DIRECTIONS; k++)
      for (int colour = 0; colour < 2; colour++) {
        PhPlace places[PH_XTRANS_TAPS];
        int count = 0;
        for (int y = -PH_XTRANS_WINDOW; y <= PH_XTRANS_WINDOW; y++)
          for (int x = -PH_XTRANS_WINDOW; x <= PH_XTRANS_WINDOW; x++) {
            if (ph_xtrans_colour((cell / 6 + y + 6) % 6, (cell % 6 + x + 6) % 6) != 2 * colour)
              continue;
            double along = x * across[k] + y * down[k], beside = y * across[k] - x * down[k];
            double kernel = exp(-0.5 * (along * along / (length * length) +
                                        beside * beside / (breadth * breadth)));
            if (kernel > least && count < PH_XTRANS_TAPS) places[count++] = (PhPlace){x, y, kernel};
          }
        regress(places, count, pitch, cell % 6, &taps[cell][k][colour]);
      }
}
