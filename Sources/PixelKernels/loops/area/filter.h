// Symmetric filters across lines: the lines are rows for a vertical pass, and shifted copies of one
// row's address for a horizontal one.

/// Samples whose sums are kept in registers together.
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
