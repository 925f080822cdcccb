// The point program's instructions that change the colour of each pixel.

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

static void ph_grade(PhBlock *restrict block, const float *payload) {
  float red = payload[0];
  float green = payload[1];
  float blue = payload[2];
  int n = (int)payload[3];
  const float *gains = payload + 4;
  const float *offsets = gains + 4 * (n + 1);
  PhPlaces places;
  _Alignas(64) PhRows gain;
  _Alignas(64) PhRows offset;
  for (int i = 0; i < block->count; i++) {
    float r = block->plane[0][i];
    float g = block->plane[1][i];
    float b = block->plane[2][i];
    ph_place(&places, i, ph_unit(red * r + green * g + blue * b) * (float)n, n);
  }
  ph_end_places(&places, block->count);
  ph_rows_between(gains, &places, block->count, gain);
  ph_rows_between(offsets, &places, block->count, offset);
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < block->count; i++)
      block->plane[c][i] = gain[c][i] * block->plane[c][i] + offset[c][i];
}

static void ph_steps(PhBlock *restrict block, const float *payload) {
  float n = payload[0];
  float last = n - 1.0f;
  float scale = 1.0f / last;
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < block->count; i++) {
      float step = (float)(int32_t)(ph_unit(block->plane[c][i]) * n);
      block->plane[c][i] = (step < last ? step : last) * scale;
    }
}
