// The two passes of a resampler: first down the columns, then along the rows, eight rows in
// parallel.

typedef float PhLanes __attribute__((ext_vector_type(PH_LANES)));

/// A vector of eight floats that may be at any address, not only at a multiple of the vector's
/// size.
typedef float PhUnaligned __attribute__((ext_vector_type(PH_LANES), aligned(4), may_alias));

/// PH_AT and PH_FROM are macros, because a vector of eight floats cannot be passed to functions
/// without AVX. They access the vector at an address.
#define PH_AT(address) (*(PhUnaligned *)(address))
#define PH_FROM(address) (*(const PhUnaligned *)(address))

/// A vector of sums as wide as the CPU's registers.
typedef float PhSums
    __attribute__((ext_vector_type(PH_REGISTER_LANES), aligned(4), may_alias));

enum { PH_SUMS = 8 * PH_REGISTER_LANES };

/// Adds rows to eight registers of sums.
PH_INLINE void ph_accumulate_run(const float *rows, const float *weight, int count,
                                 const float *sum, float *to) {
  PhSums total[8];
  for (int i = 0; i < 8; i++) total[i] = *(const PhSums *)(sum + i * PH_REGISTER_LANES);
  for (int k = 0; k < count; k++) {
    const float *row = rows + (size_t)k * PH_STRIPE;
    for (int i = 0; i < 8; i++)
      total[i] += weight[k] * *(const PhSums *)(row + i * PH_REGISTER_LANES);
  }
  for (int i = 0; i < 8; i++) *(PhSums *)(to + i * PH_REGISTER_LANES) = total[i];
}

/// Adds rows to eight sums.
PH_INLINE void ph_accumulate_rest(const float *rows, const float *weight, int count,
                                  const float *sum, float *to) {
  PhLanes total = PH_FROM(sum);
  for (int k = 0; k < count; k++) total += weight[k] * PH_FROM(rows + (size_t)k * PH_STRIPE);
  PH_AT(to) = total;
}

static void ph_accumulate(const float *rows, const float *weight, int count, const float *sum,
                          float *to, int samples) {
  int i = 0;
  for (; i + PH_SUMS <= samples; i += PH_SUMS)
    ph_accumulate_run(rows + i, weight, count, sum + i, to + i);
  for (; i < samples; i += PH_LANES)
    ph_accumulate_rest(rows + i, weight, count, sum + i, to + i);
}

/// Transposes eight rows of eight samples.
PH_INLINE void ph_transpose(PhLanes row[PH_LANES]) {
  PhLanes pair[PH_LANES], quad[PH_LANES];
  for (int i = 0; i < PH_LANES; i += 2) {
    pair[i] = __builtin_shufflevector(row[i], row[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    pair[i + 1] = __builtin_shufflevector(row[i], row[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < PH_LANES; i += 4)
    for (int j = 0; j < 2; j++) {
      quad[i + 2 * j] =
          __builtin_shufflevector(pair[i + j], pair[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      quad[i + 2 * j + 1] =
          __builtin_shufflevector(pair[i + j], pair[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; i++) {
    row[i] = __builtin_shufflevector(quad[i], quad[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    row[i + 4] = __builtin_shufflevector(quad[i], quad[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

static void ph_interleave(const float *const rows[PH_LANES], float *restrict to, int samples) {
  for (int i = 0; i < samples; i += PH_LANES) {
    PhLanes lanes[PH_LANES];
    for (int k = 0; k < PH_LANES; k++) lanes[k] = PH_FROM(rows[k] + i);
    ph_transpose(lanes);
    for (int k = 0; k < PH_LANES; k++) PH_AT(to + (size_t)(i + k) * PH_LANES) = lanes[k];
  }
}

static void ph_deinterleave(const float *from, float *const rows[PH_LANES], int samples) {
  for (int i = 0; i < samples; i += PH_LANES) {
    PhLanes lanes[PH_LANES];
    for (int k = 0; k < PH_LANES; k++) lanes[k] = PH_FROM(from + (size_t)(i + k) * PH_LANES);
    ph_transpose(lanes);
    for (int k = 0; k < PH_LANES; k++) PH_AT(rows[k] + i) = lanes[k];
  }
}

/// Defines a loop that computes all bands of the outputs from `left` on; `from` points to the first
/// input of output `left`.
#define PH_ACROSS(bands)                                                                   \
  static void ph_across##bands(const PhAxis *axis, int left, int width, const float *from, \
                               float *restrict to) {                                       \
    for (int x = left; x < left + width; x++) {                                            \
      const float *weight = ph_axis_weights(axis, x);                                      \
      const float *sample =                                                                \
          from + (size_t)(axis->first[x] - axis->first[left]) * bands * PH_LANES;          \
      PhLanes total[bands] = {0};                                                          \
      for (int k = 0; k < axis->count[x]; k++)                                             \
        for (int band = 0; band < bands; band++, sample += PH_LANES)                       \
          total[band] += weight[k] * PH_FROM(sample);                                      \
      for (int band = 0; band < bands; band++, to += PH_LANES) PH_AT(to) = total[band];  \
    }                                                                                      \
  }

/// The number of outputs of one band that are summed in parallel. A single sum would be slow,
/// because each of its additions depends on the previous one.
enum { PH_BESIDE = 4 };

static void ph_across1(const PhAxis *axis, int left, int width, const float *from,
                       float *restrict to) {
  int x = left;
  for (; x + PH_BESIDE <= left + width; x += PH_BESIDE, to += PH_BESIDE * PH_LANES) {
    const float *weight[PH_BESIDE], *sample[PH_BESIDE];
    PhLanes total[PH_BESIDE] = {0};
    int least = axis->count[x];
    for (int i = 0; i < PH_BESIDE; i++) {
      weight[i] = ph_axis_weights(axis, x + i);
      sample[i] = from + (size_t)(axis->first[x + i] - axis->first[left]) * PH_LANES;
      least = axis->count[x + i] < least ? axis->count[x + i] : least;
    }
    for (int k = 0; k < least; k++)
      for (int i = 0; i < PH_BESIDE; i++)
        total[i] += weight[i][k] * PH_FROM(sample[i] + k * PH_LANES);
    for (int i = 0; i < PH_BESIDE; i++) {
      for (int k = least; k < axis->count[x + i]; k++)
        total[i] += weight[i][k] * PH_FROM(sample[i] + k * PH_LANES);
      PH_AT(to + i * PH_LANES) = total[i];
    }
  }
  for (; x < left + width; x++, to += PH_LANES) {
    const float *weight = ph_axis_weights(axis, x);
    const float *sample = from + (size_t)(axis->first[x] - axis->first[left]) * PH_LANES;
    PhLanes total = {0};
    for (int k = 0; k < axis->count[x]; k++)
      total += weight[k] * PH_FROM(sample + k * PH_LANES);
    PH_AT(to) = total;
  }
}

PH_ACROSS(2)
PH_ACROSS(3)
PH_ACROSS(4)
#undef PH_ACROSS
#undef PH_AT
#undef PH_FROM
