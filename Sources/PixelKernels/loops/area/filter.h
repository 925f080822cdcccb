// Filters across lines. For a vertical pass, the lines are rows; for a horizontal pass, they are
// the same row with shifted addresses.

/// The number of samples whose sums are kept in registers at a time.
enum { PH_CHUNK = 32 };

static void ph_filter(const float *const *line, const float *weight, int radius, float *restrict to,
                      int count) {
  int done = 0;
  for (; done + PH_CHUNK <= count; done += PH_CHUNK) {
    float sum[PH_CHUNK];
    const float *centre = line[0] + done;
    for (int i = 0; i < PH_CHUNK; i++) sum[i] = weight[0] * centre[i];
    for (int k = 1; k <= radius; k++) {
      const float *before = line[-k] + done;
      const float *after = line[k] + done;
      float factor = weight[k];
      for (int i = 0; i < PH_CHUNK; i++) sum[i] += factor * (before[i] + after[i]);
    }
    memcpy(to + done, sum, sizeof sum);
  }
  for (; done < count; done++) {
    float sum = weight[0] * line[0][done];
    for (int k = 1; k <= radius; k++) sum += weight[k] * (line[-k][done] + line[k][done]);
    to[done] = sum;
  }
}

static void ph_lowest(const float *const *line, int radius, float *restrict to, int count) {
  memcpy(to, line[0], (size_t)count * sizeof(float));
  for (int k = 1; k <= radius; k++) {
    const float *before = line[-k];
    const float *after = line[k];
    for (int i = 0; i < count; i++) {
      float low = before[i] < after[i] ? before[i] : after[i];
      to[i] = low < to[i] ? low : to[i];
    }
  }
}

static void ph_highest(const float *const *line, int radius, float *restrict to, int count) {
  memcpy(to, line[0], (size_t)count * sizeof(float));
  for (int k = 1; k <= radius; k++) {
    const float *before = line[-k];
    const float *after = line[k];
    for (int i = 0; i < count; i++) {
      float high = before[i] > after[i] ? before[i] : after[i];
      to[i] = high > to[i] ? high : to[i];
    }
  }
}

static void ph_gather_lines(const float *const *line, const float *weight, int lines,
                            float *restrict to, int count) {
  int done = 0;
  for (; done + PH_CHUNK <= count; done += PH_CHUNK) {
    float sum[PH_CHUNK] = {0};
    for (int k = 0; k < lines; k++) {
      const float *from = line[k] + done;
      float factor = weight[k];
      for (int i = 0; i < PH_CHUNK; i++) sum[i] += factor * from[i];
    }
    memcpy(to + done, sum, sizeof sum);
  }
  for (; done < count; done++) {
    float sum = 0;
    for (int k = 0; k < lines; k++) sum += weight[k] * line[k][done];
    to[done] = sum;
  }
}

// The edge-preserving guided filter; see surface.c.

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
