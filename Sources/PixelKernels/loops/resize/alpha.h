// Premultiplication and transfer functions for interleaved pixels; alpha is the last of two or four
// bands.

/// Half a 16-bit step; pixels with a lower alpha get no colour.
#define PH_CLEAR (0.5f / 65535.0f)

#define PH_ALPHA(bands)                                                                \
  static void ph_premultiply##bands(float *restrict sample, int count) {               \
    for (int i = 0; i < count / bands; i++)                                            \
      for (int band = 0; band < bands - 1; band++)                                     \
        sample[bands * i + band] *= sample[bands * i + bands - 1];                     \
  }                                                                                    \
  static void ph_unpremultiply##bands(float *restrict sample, int count) {             \
    for (int i = 0; i < count / bands; i++) {                                          \
      float alpha = sample[bands * i + bands - 1];                                     \
      float factor = alpha < PH_CLEAR ? 0.0f : 1.0f / alpha;                           \
      for (int band = 0; band < bands - 1; band++) sample[bands * i + band] *= factor; \
    }                                                                                  \
  }

PH_ALPHA(2)
PH_ALPHA(4)
#undef PH_ALPHA
#undef PH_CLEAR

#define PH_IS_ALPHA(i, bands) (bands > 1 && i % bands == bands - 1)

/// Defines the loops that convert to linear light and back. `bands` is 1 for pixels without alpha,
/// independent of the actual number of bands.
#define PH_LIGHT(bands)                                                                       \
  static void ph_lookup_run##bands(const uint8_t *from, const float *table, float *restrict to, \
                                   int count) {                                               \
    for (int i = 0; i < count; i++)                                                           \
      to[i] = PH_IS_ALPHA(i, bands) ? ph_from_uchar(from[i]) : table[from[i]];                \
  }                                                                                           \
  static void ph_decode_run##bands(float *restrict sample, int count) {                       \
    PH_OVERLAPPED                                                                             \
    for (int i = 0; i < count; i++) {                                                         \
      float light = ph_linear_light(sample[i]);                                               \
      sample[i] = PH_IS_ALPHA(i, bands) ? sample[i] : light;                                  \
    }                                                                                         \
  }                                                                                           \
  static void ph_encode_run##bands(float *restrict sample, int count) {                       \
    PH_OVERLAPPED                                                                             \
    for (int i = 0; i < count; i++) {                                                         \
      float code = ph_encoded(sample[i]);                                                     \
      sample[i] = PH_IS_ALPHA(i, bands) ? sample[i] : code;                                   \
    }                                                                                         \
  }

PH_LIGHT(1)
PH_LIGHT(2)
PH_LIGHT(4)
#undef PH_LIGHT
#undef PH_IS_ALPHA
