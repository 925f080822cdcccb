// Luma and its unsharp mask. The weights of luma are applied to encoded values. Source of the
// weights: ITU-R BT.709.

PH_INLINE float ph_luma_of(float r, float g, float b) {
  return 0.2126f * r + 0.7152f * g + 0.0722f * b;
}

static void ph_luma(const PhBlock *block, float *restrict to) {
  for (int i = 0; i < block->count; i++)
    to[i] = ph_luma_of(block->plane[0][i], block->plane[1][i], block->plane[2][i]);
}

static void ph_luma_squares(const PhBlock *block, float *restrict to) {
  for (int i = 0; i < block->count; i++) {
    float luma = ph_luma_of(block->plane[0][i], block->plane[1][i], block->plane[2][i]);
    to[2 * i] = luma;
    to[2 * i + 1] = luma * luma;
  }
}

static void ph_detail(const float *luma, const float *blurred, float amount, float threshold,
                      float *restrict change, int count) {
  for (int i = 0; i < count; i++) {
    float difference = luma[i] - blurred[i];
    float size = __builtin_fabsf(difference) - threshold;
    change[i] = amount * __builtin_copysignf(size > 0.0f ? size : 0.0f, difference);
  }
}

/// The variance is the weighted mean of the squares minus the square of the weighted mean.
static void ph_contrast(const float *pairs, float *restrict mean, float *restrict deviation,
                        int count) {
  for (int i = 0; i < count; i++) {
    float middle = pairs[2 * i];
    float variance = pairs[2 * i + 1] - middle * middle;
    mean[i] = middle;
    deviation[i] = __builtin_elementwise_sqrt(variance > 0.0f ? variance : 0.0f);
  }
}

static void ph_protect(float *restrict change, const float *deviation, float foot, float slope,
                       int count) {
  for (int i = 0; i < count; i++) {
    float s = ph_unit((deviation[i] - foot) * slope);
    change[i] *= s * s * (3.0f - 2.0f * s);
  }
}

static void ph_restrain(const float *luma, const float *low, const float *high, float strength,
                        float *restrict change, int count) {
  for (int i = 0; i < count; i++) {
    float sharp = luma[i] + change[i];
    float inside = sharp > low[i] ? sharp : low[i];
    inside = inside < high[i] ? inside : high[i];
    change[i] += strength * (inside - sharp);
  }
}

static void ph_lighten(PhBlock *restrict block, const float *change) {
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < block->count; i++) block->plane[c][i] += change[i];
}
