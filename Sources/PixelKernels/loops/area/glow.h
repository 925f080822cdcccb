// Mixes an image with blurred versions of the image.

static void ph_approach(float *restrict base, const float *top, float part, int count) {
  for (int i = 0; i < count; i++) base[i] += part * (top[i] - base[i]);
}

/// Blends a value in 0…1 with itself in screen mode.
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

static void ph_crossfade(PhBlock *restrict block, const PhBlock *layer, const float *part) {
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < block->count; i++) {
      float x = block->plane[c][i];
      float y = layer->plane[c][i];
      float between = part[i] > 0.0f ? x + part[i] * (y - x) : x;
      block->plane[c][i] = part[i] < 1.0f ? between : y;
    }
}
