// Pictures at half their size.

/// Means of 2 × 2 pixels from two rows, rounded up from a half; the last column counts twice where
/// `width` is odd.
#define PH_HALVE(bands)                                                                         \
  static void ph_halve##bands(const uint8_t *upper, const uint8_t *lower, uint8_t *restrict to, \
                              int width) {                                                      \
    for (int x = 0; x < width / 2; x++)                                                         \
      for (int band = 0; band < bands; band++) {                                                \
        const int i = 2 * x * bands + band;                                                     \
        to[x * bands + band] =                                                                  \
            (uint8_t)((upper[i] + upper[i + bands] + lower[i] + lower[i + bands] + 2) >> 2);    \
      }                                                                                         \
    if (width % 2)                                                                              \
      for (int band = 0; band < bands; band++) {                                                \
        const int i = (width - 1) * bands + band;                                               \
        to[width / 2 * bands + band] = (uint8_t)((upper[i] + lower[i] + 1) >> 1);               \
      }                                                                                         \
  }

PH_HALVE(1)
PH_HALVE(3)
#undef PH_HALVE
