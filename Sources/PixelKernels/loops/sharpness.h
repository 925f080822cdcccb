// Luma and its unsharp mask. Source of the weights: ITU-R BT.709, on encoded values.

PH_INLINE float ph_luma_of(float r, float g, float b) {
  return 0.2126f * r + 0.7152f * g + 0.0722f * b;
}

static void ph_luma(const PhBlock *block, float *restrict to) {
  for (int i = 0; i < block->count; i++)
    to[i] = ph_luma_of(block->plane[0][i], block->plane[1][i], block->plane[2][i]);
}

static void ph_sharpen(PhBlock *restrict block, const float *blurred, float amount,
                       float threshold) {
  for (int i = 0; i < block->count; i++) {
    float r = block->plane[0][i];
    float g = block->plane[1][i];
    float b = block->plane[2][i];
    float difference = ph_luma_of(r, g, b) - blurred[i];
    float size = __builtin_fabsf(difference) - threshold;
    float change = amount * __builtin_copysignf(size > 0.0f ? size : 0.0f, difference);
    block->plane[0][i] = r + change;
    block->plane[1][i] = g + change;
    block->plane[2][i] = b + change;
  }
}
