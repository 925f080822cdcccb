// The edge-aware guided filter; see surface.h.

static void ph_squares(const float *from, float *restrict to, int count) {
  for (int i = 0; i < count; i++) to[i] = from[i] * from[i];
}

static void ph_spread(const float *mean_square, const float *mean, int adding,
                      float *variance, int count) {
  for (int i = 0; i < count; i++) {
    float spread = mean_square[i] - mean[i] * mean[i];
    float more = spread > 0.0f ? spread : 0.0f;
    variance[i] = adding ? variance[i] + more : more;
  }
}

static void ph_slope(float *restrict variance, float tolerance, int count) {
  for (int i = 0; i < count; i++) {
    float square = variance[i] * variance[i];
    variance[i] = square / (square + tolerance * tolerance);
  }
}

static void ph_rest(float *restrict mean, const float *slope, int count) {
  for (int i = 0; i < count; i++) mean[i] *= 1.0f - slope[i];
}

static void ph_apply_model(const float *from, const float *slope, const float *offset,
                           float *restrict to, int count) {
  for (int i = 0; i < count; i++) to[i] = slope[i] * from[i] + offset[i];
}
