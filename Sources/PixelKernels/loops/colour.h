// Instructions on the colour of each pixel.

static void ph_gain(PhBlock *restrict block, const float *payload) {
  for (int c = 0; c < 3; c++) {
    float gain = payload[c];
    float offset = payload[3 + c];
    for (int i = 0; i < block->count; i++)
      block->plane[c][i] = block->plane[c][i] * gain + offset;
  }
}

static void ph_matrix(PhBlock *restrict block, const float *payload) {
  float m[12];
  memcpy(m, payload, sizeof m);
  for (int i = 0; i < block->count; i++) {
    float r = block->plane[0][i];
    float g = block->plane[1][i];
    float b = block->plane[2][i];
    block->plane[0][i] = m[0] * r + m[1] * g + m[2] * b + m[3];
    block->plane[1][i] = m[4] * r + m[5] * g + m[6] * b + m[7];
    block->plane[2][i] = m[8] * r + m[9] * g + m[10] * b + m[11];
  }
}

static void ph_vibrance(PhBlock *restrict block, const float *payload) {
  float strength = payload[0];
  for (int i = 0; i < block->count; i++) {
    float a = block->plane[1][i];
    float b = block->plane[2][i];
    float chroma = 4.0f * __builtin_elementwise_sqrt(a * a + b * b);
    float grey = 1.0f - (chroma < 1.0f ? chroma : 1.0f);
    float gain = 1.0f + strength * grey;
    block->plane[1][i] = a * gain;
    block->plane[2][i] = b * gain;
  }
}
