// The two passes of a resampler: down the columns, then along the rows, eight rows at a time.

typedef float PhLanes __attribute__((ext_vector_type(PH_LANES)));

/// The same anywhere in memory.
typedef float PhUnaligned __attribute__((ext_vector_type(PH_LANES), aligned(4), may_alias));

/// Not functions: without AVX, a vector of eight floats is no type to pass to one.
#define PH_AT(address) (*(PhUnaligned *)(address))
#define PH_FROM(address) (*(const PhUnaligned *)(address))

/// Adds rows to a run of `vectors` × 8 sums.
PH_INLINE void ph_accumulate_run(const float *rows, const float *weight, int count,
                                 const float *sum, float *to, int vectors) {
  PhLanes total[8];
  for (int i = 0; i < vectors; i++) total[i] = PH_FROM(sum + i * PH_LANES);
  for (int k = 0; k < count; k++) {
    const float *row = rows + (size_t)k * PH_STRIPE;
    for (int i = 0; i < vectors; i++) total[i] += weight[k] * PH_FROM(row + i * PH_LANES);
  }
  for (int i = 0; i < vectors; i++) PH_AT(to + i * PH_LANES) = total[i];
}

static void ph_accumulate(const float *rows, const float *weight, int count, const float *sum,
                          float *to, int samples) {
  int i = 0;
  for (; i + 8 * PH_LANES <= samples; i += 8 * PH_LANES)
    ph_accumulate_run(rows + i, weight, count, sum + i, to + i, 8);
  for (; i < samples; i += PH_LANES) ph_accumulate_run(rows + i, weight, count, sum + i, to + i, 1);
}

/// Turns eight rows of eight into eight columns.
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

/// All bands of the outputs from `left` on; `from` starts at the first input of `left`.
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

PH_ACROSS(1)
PH_ACROSS(2)
PH_ACROSS(3)
PH_ACROSS(4)
#undef PH_ACROSS
#undef PH_AT
#undef PH_FROM
