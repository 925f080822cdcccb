// Reduces the resolution, and interpolates back to the full resolution.

static void ph_halve(const float *upper, const float *lower, float *restrict to, int count) {
  for (int i = 0; i < count; i++)
    to[i] = 0.25f * ((upper[2 * i] + upper[2 * i + 1]) + (lower[2 * i] + lower[2 * i + 1]));
}

static void ph_double(const float *near, const float *far, float *restrict to, int count) {
  for (int i = 0; i < count; i++) {
    float left = 0.75f * near[i - 1] + 0.25f * far[i - 1];
    float middle = 0.75f * near[i] + 0.25f * far[i];
    float right = 0.75f * near[i + 1] + 0.25f * far[i + 1];
    to[2 * i] = 0.75f * middle + 0.25f * left;
    to[2 * i + 1] = 0.75f * middle + 0.25f * right;
  }
}

static void ph_gather(const float *row, const float *weight, int step, int bands,
                      float *restrict to, int count) {
  for (int i = 0; i < count; i++)
    for (int band = 0; band < bands; band++) {
      const float *centre = row + (i * step + step - 1) * bands + band;
      float sum = weight[0] * centre[0];
      for (int k = 1; k < step; k++)
        sum += weight[k] * (centre[-k * bands] + centre[k * bands]);
      to[i * bands + band] = sum;
    }
}

static void ph_stretch(const float *knots, int step, int phase, int bands, float *restrict to,
                       int count) {
  float scale = 1.0f / (float)step;
  for (int i = 0; i < count; i++) {
    float part = (float)phase * scale;
    for (int band = 0; band < bands; band++)
      to[i * bands + band] = knots[band] + part * (knots[bands + band] - knots[band]);
    if (++phase == step) {
      phase = 0;
      knots += bands;
    }
  }
}
