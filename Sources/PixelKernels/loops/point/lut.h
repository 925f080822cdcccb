// Lookup of colours in a cube by tetrahedral interpolation.
// Source: J. M. Kasson, W. Plouffe, S. I. Nin, "A tetrahedral interpolation technique for color
// space conversion", Proc. SPIE 1909, 1993.

PH_INLINE float ph_smaller(float a, float b) { return a < b ? a : b; }

PH_INLINE float ph_larger(float a, float b) { return a > b ? a : b; }

/// Looks up each colour in the cube. The corners of the tetrahedron that contains a colour are on a
/// path between opposite corners of a cell. The path starts at the lowest corner and first follows
/// the axis with the largest fraction, then the middle one, then the smallest.
static void ph_lut(PhBlock *restrict block, const float *payload) {
  int n = (int)payload[0];
  const float *gain = payload + 1;
  const float *offset = payload + 4;
  const float *table = payload + 7;
  float end = (float)(n - 1);
  int32_t last = n - 2;
  int32_t step_r = 3;
  int32_t step_g = 3 * n;
  int32_t step_b = 3 * n * n;
  int32_t across = step_r + step_g + step_b;
  int32_t corner[3][PH_PLANE];
  float weight[4][PH_PLANE];
  for (int i = 0; i < block->count; i++) {
    float r = ph_unit(block->plane[0][i] * gain[0] + offset[0]) * end;
    float g = ph_unit(block->plane[1][i] * gain[1] + offset[1]) * end;
    float b = ph_unit(block->plane[2][i] * gain[2] + offset[2]) * end;
    int32_t red = (int32_t)r;
    int32_t green = (int32_t)g;
    int32_t blue = (int32_t)b;
    red = red < last ? red : last;
    green = green < last ? green : last;
    blue = blue < last ? blue : last;
    r -= (float)red;
    g -= (float)green;
    b -= (float)blue;
    float most = ph_larger(ph_larger(r, g), b);
    float least = ph_smaller(ph_smaller(r, g), b);
    float middle = ph_larger(ph_smaller(r, g), ph_smaller(ph_larger(r, g), b));
    int32_t first_step = r >= g ? (r >= b ? step_r : step_b) : (g >= b ? step_g : step_b);
    int32_t last_step = r >= g ? (g >= b ? step_b : step_g) : (r >= b ? step_b : step_r);
    int32_t start = red * step_r + green * step_g + blue * step_b;
    corner[0][i] = start;
    corner[1][i] = start + first_step;
    corner[2][i] = start + across - last_step;
    weight[0][i] = 1.0f - most;
    weight[1][i] = most - middle;
    weight[2][i] = middle - least;
    weight[3][i] = least;
  }
  for (int i = 0; i < block->count; i++) {
    // Each load reads one point of the table and the first float of the next point.
    PhQuad sum = weight[0][i] * *(const PhQuad *)(table + corner[0][i]);
    sum += weight[1][i] * *(const PhQuad *)(table + corner[1][i]);
    sum += weight[2][i] * *(const PhQuad *)(table + corner[2][i]);
    sum += weight[3][i] * *(const PhQuad *)(table + corner[0][i] + across);
    block->plane[0][i] = sum[0];
    block->plane[1][i] = sum[1];
    block->plane[2][i] = sum[2];
  }
}
