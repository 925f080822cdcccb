// Instructions that depend on where the pixel lies.

static void ph_radial(PhBlock *restrict block, const float *payload) {
  float scale_x = payload[2];
  float edge = payload[4];
  float slope = 1.0f / (payload[5] - edge);
  float strength = payload[6];
  float left = 0.5f - payload[0];
  float dy = ((float)block->top + (0.5f - payload[1])) * payload[3];
  float dy2 = dy * dy;
  for (int i = 0; i < block->count; i++) {
    float dx = ((float)(block->left + i) + left) * scale_x;
    float s = ph_unit((__builtin_elementwise_sqrt(dx * dx + dy2) - edge) * slope);
    float gain = 1.0f + strength * (s * s * (3.0f - 2.0f * s));
    block->plane[0][i] *= gain;
    block->plane[1][i] *= gain;
    block->plane[2][i] *= gain;
  }
}
