// Planes of half the resolution, and back.

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
