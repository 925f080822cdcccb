// Roots without libm: an estimate from the bits of the float, refined by series and Newton steps.
//
// For w ≈ x^(−1/n) let h = 1 − x·wⁿ. Then x^(−1/n) = w·(1 − h)^(−1/n). The binomial series of the
// last factor converges fast, because the estimate gives |h| ≤ 0.11 for n = 3, 0.16 for n = 5, 0.35
// for n = 12.

/// Estimates x^(−1/n) for a normal x > 0, with `slope` = −1/n. The bits of a float, read as an
/// integer, are close to its scaled and shifted log2; `shift` is (1 + 1/n) × (127 − 0.052) × 2²³,
/// which minimizes the maximum of |h|.
PH_INLINE float ph_guess(float x, float slope, float shift) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = (int32_t)((float)bits * slope + shift);
  float guess;
  memcpy(&guess, &bits, sizeof guess);
  return guess;
}

/// Computes x^(−1/5) for a normal x > 0, with a relative error below 2e-7.
PH_INLINE float ph_reciprocal_fifth_root(float x) {
  float w = ph_guess(x, -1.0f / 5.0f, 1277905443.0f);
  float w2 = w * w;
  float h = 1.0f - (w2 * w2) * (w * x);
  float series = (0.2f + h * 0.12f) + (h * h) * (0.088f + h * 0.0704f);
  w += (w * h) * series;
  w2 = w * w;
  h = 1.0f - (w2 * w2) * (w * x);
  return w + (w * 0.2f) * h;
}

/// Computes x^(−1/12) for a normal x > 0, with a relative error below 2e-7.
PH_INLINE float ph_reciprocal_twelfth_root(float x) {
  float w = ph_guess(x, -1.0f / 12.0f, 1153651005.0f);
  float w2 = w * w;
  float w4 = w2 * w2;
  float h = 1.0f - (w4 * w4) * (w4 * x);
  float series = (0.0833333333f + h * 0.0451388889f) +
                 (h * h) * (0.0313464506f + h * 0.0241628890f);
  w += (w * h) * series;
  w2 = w * w;
  w4 = w2 * w2;
  h = 1.0f - (w4 * w4) * (w4 * x);
  return w + (w * h) * (0.0833333333f + h * 0.0451388889f);
}

/// Computes the cube root, odd-symmetric, with a relative error below 2e-7 for normal floats.
PH_INLINE float ph_odd_cube_root(float x) {
  float size = __builtin_fabsf(x);
  float w = ph_guess(size, -1.0f / 3.0f, 1419900529.0f);
  float h = 1.0f - (w * w) * (w * size);
  w += (w * h) * ((0.333333333f + h * 0.222222222f) + (h * h) * 0.172839506f);
  float w2 = w * w;
  float root = size * w2;
  root += (size - root * root * root) * (w2 * 0.333333333f);
  return __builtin_copysignf(root, x);
}

static void ph_cube_root(PhBlock *restrict block, const float *payload) {
  (void)payload;
  for (int c = 0; c < 3; c++) {
    PH_OVERLAPPED
    for (int i = 0; i < block->count; i++)
      block->plane[c][i] = ph_odd_cube_root(block->plane[c][i]);
  }
}

static void ph_cube(PhBlock *restrict block, const float *payload) {
  (void)payload;
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < block->count; i++) {
      float x = block->plane[c][i];
      block->plane[c][i] = x * x * x;
    }
}
