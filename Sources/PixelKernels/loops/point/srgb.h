// The sRGB transfer function, odd-symmetric and not clipped. Source: IEC 61966-2-1:1999. The error
// is at most 1e-6 in 0…1, and the relative error at most 2e-6 up to 64, compared with double
// precision.

/// Converts an sRGB-encoded sample to linear light. The power b^2.4 of b = (|x| + 0.055) ÷ 1.055 is
/// computed as (b × b^(−1/5))³.
PH_INLINE float ph_linear_light(float x) {
  float size = __builtin_fabsf(x);
  float base = (size + 0.055f) * (1.0f / 1.055f);
  float power = base * ph_reciprocal_fifth_root(base);
  float light = size > 0.04045f ? power * power * power : size * (1.0f / 12.92f);
  return __builtin_copysignf(light, x);
}

/// Encodes linear light by sRGB. The power |x|^(1/2.4) is computed as √|x| × |x|^(−1/12).
PH_INLINE float ph_encoded(float x) {
  float size = __builtin_fabsf(x);
  float base = size > 0.0031308f ? size : 0.0031308f;
  float power = __builtin_elementwise_sqrt(base) * ph_reciprocal_twelfth_root(base);
  float code = size > 0.0031308f ? 1.055f * power - 0.055f : 12.92f * size;
  return __builtin_copysignf(code, x);
}

static void ph_decode(PhBlock *restrict block, const float *payload) {
  (void)payload;
  for (int c = 0; c < 3; c++) {
    PH_OVERLAPPED
    for (int i = 0; i < block->count; i++)
      block->plane[c][i] = ph_linear_light(block->plane[c][i]);
  }
}

static void ph_encode(PhBlock *restrict block, const float *payload) {
  (void)payload;
  for (int c = 0; c < 3; c++) {
    PH_OVERLAPPED
    for (int i = 0; i < block->count; i++) block->plane[c][i] = ph_encoded(block->plane[c][i]);
  }
}
