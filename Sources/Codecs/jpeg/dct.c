#include "jpeg/dct.h"

#pragma STDC FP_CONTRACT OFF

enum { PH_HALF = PH_DCT_EDGE / 2 };

/// The even and the odd rows of the 8-point DCT; the even rows apply to the sums of opposite
/// samples, the odd rows to their differences.
static const float even[PH_HALF][PH_HALF] = {
    {0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f},
    {0.46193977f, 0.19134172f, -0.19134172f, -0.46193977f},
    {0.35355339f, -0.35355339f, -0.35355339f, 0.35355339f},
    {0.19134172f, -0.46193977f, 0.46193977f, -0.19134172f}};
static const float odd[PH_HALF][PH_HALF] = {
    {0.49039264f, 0.41573481f, 0.27778512f, 0.09754516f},
    {0.41573481f, -0.09754516f, -0.49039264f, -0.27778512f},
    {0.27778512f, -0.49039264f, 0.09754516f, 0.41573481f},
    {0.09754516f, -0.27778512f, 0.41573481f, -0.49039264f}};

/// Transforms the columns of a block and transposes the result.
static void transform(float (*from)[PH_DCT_EDGE], float (*to)[PH_DCT_EDGE]) {
  float sum[PH_HALF][PH_DCT_EDGE], difference[PH_HALF][PH_DCT_EDGE];
  for (int y = 0; y < PH_HALF; y++)
    for (int x = 0; x < PH_DCT_EDGE; x++) {
      sum[y][x] = from[y][x] + from[PH_DCT_EDGE - 1 - y][x];
      difference[y][x] = from[y][x] - from[PH_DCT_EDGE - 1 - y][x];
    }
  for (int k = 0; k < PH_HALF; k++) {
    float evens[PH_DCT_EDGE] = {0}, odds[PH_DCT_EDGE] = {0};
    for (int y = 0; y < PH_HALF; y++)
      for (int x = 0; x < PH_DCT_EDGE; x++) {
        evens[x] += even[k][y] * sum[y][x];
        odds[x] += odd[k][y] * difference[y][x];
      }
    for (int x = 0; x < PH_DCT_EDGE; x++) {
      to[x][2 * k] = evens[x];
      to[x][2 * k + 1] = odds[x];
    }
  }
}

void ph_dct(float (*from)[PH_DCT_EDGE], float (*to)[PH_DCT_EDGE]) {
  PhDctBlock half;
  transform(from, half);
  transform(half, to);
}
