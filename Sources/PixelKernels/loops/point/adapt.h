// The adapt instruction: a matrix on linear light, by which clipped white stays white.

/// The certainty, 0…1, that a channel is clipped.
PH_INLINE float ph_clipped_part(float light, float from, float scale) {
  float part = (light - from) * scale;
  part = part > 0.0f ? part : 0.0f;
  return part < 1.0f ? part : 1.0f;
}

/// A channel that does not fall below `least` as far as it is clipped.
PH_INLINE float ph_lifted(float light, float clipped, float least) {
  float lack = least - light;
  return light + clipped * (lack > 0.0f ? lack : 0.0f);
}

static void ph_adapt(PhBlock *restrict block, const float *payload) {
  float m[9];
  memcpy(m, payload, sizeof m);
  float from = payload[9], scale = 1.0f / (payload[10] - payload[9]);
  float *restrict red = block->plane[0], *restrict green = block->plane[1];
  float *restrict blue = block->plane[2];
  for (int i = 0; i < block->count; i++) {
    float r = ph_clipped_part(red[i], from, scale);
    float g = ph_clipped_part(green[i], from, scale);
    float b = ph_clipped_part(blue[i], from, scale);
    float x = m[0] * red[i] + m[1] * green[i] + m[2] * blue[i];
    float y = m[3] * red[i] + m[4] * green[i] + m[5] * blue[i];
    float z = m[6] * red[i] + m[7] * green[i] + m[8] * blue[i];
    float greatest = x > y ? x : y;
    greatest = greatest > z ? greatest : z;
    float open = (1.0f - r) + (1.0f - g) + (1.0f - b);
    float sum = (1.0f - r) * x + (1.0f - g) * y + (1.0f - b) * z;
    float mean = open > 0.0f ? sum / open : greatest;
    float least_clipped = r < g ? r : g;
    least_clipped = least_clipped < b ? least_clipped : b;
    float least = mean + least_clipped * (greatest - mean);
    red[i] = ph_lifted(x, r, least);
    green[i] = ph_lifted(y, g, least);
    blue[i] = ph_lifted(z, b, least);
  }
}
