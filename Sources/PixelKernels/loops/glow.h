// Blurs of an image over it.

static void ph_approach(float *restrict base, const float *top, float part, int count) {
  for (int i = 0; i < count; i++) base[i] += part * (top[i] - base[i]);
}

/// A screen of a value in 0…1 with itself.
PH_INLINE float ph_overexposed(float x) {
  float dark = 1.0f - ph_unit(x);
  return 1.0f - dark * dark;
}

static void ph_glow(float *restrict base, const float *blurred, float amount, int count) {
  for (int i = 0; i < count; i++)
    base[i] += amount * (ph_overexposed(base[i]) * ph_overexposed(blurred[i]) - base[i]);
}

static void ph_shine(float *restrict light, const float *glow, float amount, int count) {
  for (int i = 0; i < count; i++) {
    float added = amount * glow[i];
    float room = 1.0f - light[i];
    light[i] += (room > 0.0f ? room : 0.0f) * (added / (1.0f + added));
  }
}

static void ph_tilt(PhBlock *restrict block, const PhBlock *soft, const PhBlock *softest,
                    const float *distance, float sharp, float slope) {
  for (int i = 0; i < block->count; i++) {
    float s = ph_unit((distance[i] - sharp) * slope);
    float part = 2.0f * (s * s * (3.0f - 2.0f * s));
    float first = part < 1.0f ? part : 1.0f;
    float second = part - first;
    for (int c = 0; c < 3; c++) {
      float x = block->plane[c][i];
      float middle = soft->plane[c][i];
      x += first * (middle - x);
      block->plane[c][i] = x + second * (softest->plane[c][i] - middle);
    }
  }
}
