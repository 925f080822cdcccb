// Converts samples of each format to float, and back.

PH_INLINE float ph_from_uchar(uint8_t sample) { return (float)sample * (1.0f / 255.0f); }

PH_INLINE float ph_from_ushort(uint16_t sample) { return (float)sample * (1.0f / 65535.0f); }

PH_INLINE float ph_from_float(float sample) { return sample; }

/// Clamps to 0…1; NaN gives 0.
PH_INLINE float ph_unit(float value) {
  float low = value > 0.0f ? value : 0.0f;
  return low < 1.0f ? low : 1.0f;
}

PH_INLINE uint8_t ph_to_uchar(float value) {
  return (uint8_t)(int32_t)(ph_unit(value) * 255.0f + 0.5f);
}

PH_INLINE uint16_t ph_to_ushort(float value) {
  return (uint16_t)(int32_t)(ph_unit(value) * 65535.0f + 0.5f);
}

PH_INLINE float ph_to_float(float value) { return value; }

#define PH_RUNS(name, type)                                                      \
  static void ph_read_##name(const void *from, float *restrict to, int count) {  \
    const type *sample = from;                                                   \
    for (int i = 0; i < count; i++) to[i] = ph_from_##name(sample[i]);           \
  }                                                                              \
  static void ph_write_##name(const float *from, void *restrict to, int count) { \
    type *sample = to;                                                           \
    for (int i = 0; i < count; i++) sample[i] = ph_to_##name(from[i]);           \
  }

PH_RUNS(uchar, uint8_t)
PH_RUNS(ushort, uint16_t)
PH_RUNS(float, float)
#undef PH_RUNS
