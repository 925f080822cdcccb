// Loops over the bytes of files and pictures, for codecs.

// The row filters of PNG. Each also returns the sum of the absolute values of its results.
// Source: ISO/IEC 15948:2004, 9.2 (the filters) and 12.8 (least sum of absolute differences).

/// `PH_PNG_LANES` is the number of bytes filtered in parallel. `PH_PNG_TURNS` is the number of
/// iterations after which a 16-bit sum of values up to 128 could overflow.
enum { PH_PNG_LANES = 32, PH_PNG_TURNS = 256 };

PH_INLINE uint8_t ph_paeth(int16_t left, int16_t above, int16_t corner) {
  int16_t up = (int16_t)(above - corner), over = (int16_t)(left - corner);
  int16_t both = (int16_t)(up + over);
  int16_t to_left = up < 0 ? (int16_t)-up : up;
  int16_t to_above = over < 0 ? (int16_t)-over : over;
  int16_t to_corner = both < 0 ? (int16_t)-both : both;
  int16_t second = to_above <= to_corner ? above : corner;
  return (uint8_t)(to_left <= to_above && to_left <= to_corner ? left : second);
}

/// The absolute value of the byte, interpreted as a signed number.
PH_INLINE uint16_t ph_png_size(uint8_t rest) { return rest < 128 ? rest : (uint16_t)(256 - rest); }

#define PH_PNG_FILTER(name, prediction)                                                        \
  PH_INLINE uint8_t ph_png_rest_##name(const uint8_t *row, const uint8_t *above, int pixel,    \
                                       int i) {                                                \
    const int16_t left = row[i - pixel], up = above[i], corner = above[i - pixel];             \
    (void)left, (void)up, (void)corner;                                                        \
    return (uint8_t)(row[i] - (prediction));                                                   \
  }                                                                                            \
  static uint64_t ph_png_##name(const uint8_t *row, const uint8_t *above, int pixel,           \
                                uint8_t *restrict to, int count) {                             \
    uint64_t sum = 0;                                                                          \
    int done = 0;                                                                              \
    while (count - done >= PH_PNG_LANES) {                                                     \
      uint16_t sums[PH_PNG_LANES] = {0};                                                       \
      for (int turn = 0; turn < PH_PNG_TURNS && count - done >= PH_PNG_LANES;                  \
           turn++, done += PH_PNG_LANES)                                                       \
        for (int i = 0; i < PH_PNG_LANES; i++) {                                               \
          const uint8_t rest = ph_png_rest_##name(row + done, above + done, pixel, i);         \
          to[done + i] = rest;                                                                 \
          sums[i] = (uint16_t)(sums[i] + ph_png_size(rest));                                   \
        }                                                                                      \
      for (int i = 0; i < PH_PNG_LANES; i++) sum += sums[i];                                   \
    }                                                                                          \
    for (; done < count; done++) {                                                             \
      to[done] = ph_png_rest_##name(row, above, pixel, done);                                  \
      sum += ph_png_size(to[done]);                                                            \
    }                                                                                          \
    return sum;                                                                                \
  }

PH_PNG_FILTER(none, 0)
PH_PNG_FILTER(sub, left)
PH_PNG_FILTER(up, up)
PH_PNG_FILTER(average, (left + up) >> 1)
PH_PNG_FILTER(paeth, ph_paeth(left, up, corner))
#undef PH_PNG_FILTER

// Reduces pictures to half their size.

/// Computes the means of 2 × 2 pixels from two rows, rounded half up. If `width` is odd, the last
/// column is used twice.
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
