// Sums and levels of the samples of a mosaic.

static void ph_sum_rows(const float *const *rows, const float *weights, int number,
                        float *restrict to, int count) {
  const float *first = rows[0], *second = rows[number > 1];
  const float a = weights[0], b = number > 1 ? weights[1] : 0;
  if (number == 1) {
    for (int i = 0; i < count; i++) to[i] = a * first[2 * i];
    return;
  }
  for (int i = 0; i < count; i++) to[i] = a * first[2 * i] + b * second[2 * i];
  for (int row = 2; row < number; row++) {
    const float *from = rows[row], weight = weights[row];
    for (int i = 0; i < count; i++) to[i] += weight * from[2 * i];
  }
}

PH_INLINE void ph_sum_samples_by(const float *from, const int step, const float *weights,
                                 const int number, float scale, float gain, float *restrict to,
                                 int count) {
  for (int i = 0; i < count; i++) {
    float sum = weights[0] * from[step * i];
    for (int j = 1; j < number; j++) sum += weights[j] * from[step * i + j];
    sum = sum * scale * gain;
    to[i] = sum > 0 ? sum : 0;
  }
}

static void ph_sum_samples(const float *from, int step, const float *weights, int number,
                           float scale, float gain, float *restrict to, int count) {
  // The usual numbers of samples are constants, so that the sums of several outputs are computed
  // together.
  if (step == 1 && number == 2) ph_sum_samples_by(from, 1, weights, 2, scale, gain, to, count);
  else if (step == 2 && number == 3) ph_sum_samples_by(from, 2, weights, 3, scale, gain, to, count);
  else if (step == 4 && number == 5) ph_sum_samples_by(from, 4, weights, 5, scale, gain, to, count);
  else ph_sum_samples_by(from, step, weights, number, scale, gain, to, count);
}

PH_INLINE void ph_sum_pairs_by(const float *first, const float *second, const int step, float share,
                               float gain, float *restrict to, int count) {
  for (int i = 0; i < count; i++) {
    float sum = first[step * i] + second[step * i];
    for (int j = 1; j < step; j++) {
      sum += first[step * i + j];
      sum += second[step * i + j];
    }
    sum = sum / share * gain;
    to[i] = sum > 0 ? sum : 0;
  }
}

static void ph_sum_pairs(const float *first, const float *second, int step, float share, float gain,
                         float *restrict to, int count) {
  if (step == 1) ph_sum_pairs_by(first, second, 1, share, gain, to, count);
  else if (step == 2) ph_sum_pairs_by(first, second, 2, share, gain, to, count);
  else ph_sum_pairs_by(first, second, 4, share, gain, to, count);
}

static void ph_scale_pairs(const uint16_t *from, const float black[2], const float gain[2],
                           float *restrict to, int count) {
  enum { TOGETHER = 32 };
  float blacks[TOGETHER], gains[TOGETHER];
  for (int i = 0; i < TOGETHER; i++) blacks[i] = black[i % 2], gains[i] = gain[i % 2];
  int x = 0;
  for (; x + TOGETHER <= count; x += TOGETHER)
    for (int i = 0; i < TOGETHER; i++) to[x + i] = ((float)from[x + i] - blacks[i]) * gains[i];
  for (; x < count; x++) to[x] = ((float)from[x] - black[x % 2]) * gain[x % 2];
}

#define PH_LESSER __builtin_elementwise_min
#define PH_GREATER __builtin_elementwise_max

static uint16_t ph_neighbours(const uint16_t *samples, ptrdiff_t pitch, int count,
                              uint16_t *restrict least, uint16_t *restrict most) {
  const uint16_t *above = samples - 2 * pitch, *below = samples + 2 * pitch;
  uint16_t largest = 0;
  for (int i = 0; i < count; i++) {
    const uint16_t a = above[i - 2], b = above[i], c = above[i + 2], d = samples[i - 2];
    const uint16_t e = samples[i + 2], f = below[i - 2], g = below[i], h = below[i + 2];
    const uint16_t low = PH_LESSER(PH_LESSER(PH_LESSER(a, b), PH_LESSER(c, d)),
                                   PH_LESSER(PH_LESSER(e, f), PH_LESSER(g, h)));
    const uint16_t high = PH_GREATER(PH_GREATER(PH_GREATER(a, b), PH_GREATER(c, d)),
                                     PH_GREATER(PH_GREATER(e, f), PH_GREATER(g, h)));
    // Differences below 0 become 0.
    const uint16_t over = __builtin_elementwise_sub_sat(samples[i], high);
    const uint16_t under = __builtin_elementwise_sub_sat(low, samples[i]);
    least[i] = low;
    most[i] = high;
    largest = PH_GREATER(largest, PH_GREATER(over, under));
  }
  return largest;
}

#undef PH_LESSER
#undef PH_GREATER
