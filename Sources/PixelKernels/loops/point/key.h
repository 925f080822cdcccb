// Alpha by colour.

/// Makes what is near a colour see-through, and takes the colour's hue out of what it shines on.
static void ph_key(PhBlock *restrict block, const float *payload) {
  float per_softness = 1.0f / payload[5];
  int alpha = block->bands == 4;
  for (int i = 0; i < block->count; i++) {
    float a = block->plane[1][i];
    float b = block->plane[2][i];
    float lightness = payload[3] * (block->plane[0][i] - payload[0]);
    float da = a - payload[1];
    float db = b - payload[2];
    float distance = __builtin_elementwise_sqrt(lightness * lightness + da * da + db * db);
    float kept = ph_smoothstep((distance - payload[4]) * per_softness);
    float along = a * payload[6] + b * payload[7];
    float across = __builtin_fabsf(b * payload[6] - a * payload[7]);
    float beyond = along - 1.7320508f * across;
    float spill = beyond > 0.0f ? payload[8] * beyond : 0.0f;
    block->plane[1][i] = a - spill * payload[6];
    block->plane[2][i] = b - spill * payload[7];
    if (alpha) block->plane[3][i] *= kept;
  }
}
