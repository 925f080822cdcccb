// Resampling through a projective map by cubic convolution.
// Source: R. Keys, "Cubic convolution interpolation for digital image processing", IEEE Trans.
// ASSP 29 (1981), with a = −1/2.

/// The weights of the samples at −1, 0, 1 and 2 for a position `t` in 0…1.
PH_INLINE void ph_cubic_weights(float t, float weight[4]) {
  weight[0] = ((1.0f - 0.5f * t) * t - 0.5f) * t;
  weight[1] = (1.5f * t - 2.5f) * t * t + 1.0f;
  weight[2] = ((2.0f - 1.5f * t) * t + 0.5f) * t;
  weight[3] = (0.5f * t - 0.5f) * t * t;
}

PH_INLINE int ph_clipped(int index, int count) {
  return index < 0 ? 0 : index < count ? index : count - 1;
}

PH_INLINE double ph_clamped(double value, double low, double high) {
  double least = value > low ? value : low;
  return least < high ? least : high;
}

/// The fraction of the pixel at `place` that is within 0…`length`.
PH_INLINE float ph_edge_cover(double place, double length) {
  double inside = ph_clamped(place + 0.5, 0, 1) * ph_clamped(length - place + 0.5, 0, 1);
  return (float)inside;
}

#define PH_WARP(name, type)                                                                       \
  PH_INLINE void ph_warp_bands_##name(const PhProjection *from, int left, int top,                \
                                      float *restrict to, int count, int bands) {                 \
    const double *m = from->matrix;                                                               \
    double y = top + 0.5;                                                                         \
    for (int i = 0; i < count; i++, to += bands) {                                                \
      double x = left + i + 0.5;                                                                  \
      double w = m[6] * x + m[7] * y + m[8];                                                      \
      int seen = w > 0;                                                                           \
      double u = seen ? (m[0] * x + m[1] * y + m[2]) / w : -2;                                    \
      double v = seen ? (m[3] * x + m[4] * y + m[5]) / w : -2;                                    \
      u = ph_clamped(u, -2, from->width + 2.0);                                                   \
      v = ph_clamped(v, -2, from->height + 2.0);                                                  \
      int column = (int)(u + 1.5) - 2, row = (int)(v + 1.5) - 2;                                  \
      float across[4], down[4], sum[4] = {0, 0, 0, 0};                                            \
      ph_cubic_weights((float)(u - 0.5 - column), across);                                        \
      ph_cubic_weights((float)(v - 0.5 - row), down);                                             \
      int offset[4];                                                                              \
      for (int k = 0; k < 4; k++)                                                                 \
        offset[k] = (ph_clipped(column - 1 + k, from->width) - from->left) * bands;               \
      for (int j = 0; j < 4; j++) {                                                               \
        int line = ph_clipped(row - 1 + j, from->height) - from->top;                             \
        const type *sample = (const type *)(from->origin + (size_t)line * from->pitch);           \
        for (int c = 0; c < bands; c++) {                                                         \
          float part = 0;                                                                         \
          for (int k = 0; k < 4; k++) part += across[k] * ph_from_##name(sample[offset[k] + c]);  \
          sum[c] += down[j] * part;                                                               \
        }                                                                                         \
      }                                                                                           \
      if (from->has_background) {                                                                 \
        float cover = ph_edge_cover(u, from->width) * ph_edge_cover(v, from->height);             \
        for (int c = 0; c < bands; c++)                                                           \
          sum[c] = from->background[c] + cover * (sum[c] - from->background[c]);                  \
      }                                                                                           \
      for (int c = 0; c < bands; c++) to[c] = sum[c];                                             \
    }                                                                                             \
  }                                                                                               \
  static void ph_warp_##name(const PhProjection *from, int left, int top, float *restrict to,     \
                             int count) {                                                         \
    switch (from->bands) {                                                                        \
      case 3: ph_warp_bands_##name(from, left, top, to, count, 3); break;                         \
      case 4: ph_warp_bands_##name(from, left, top, to, count, 4); break;                         \
      default: ph_warp_bands_##name(from, left, top, to, count, from->bands);                     \
    }                                                                                             \
  }

PH_WARP(uchar, uint8_t)
PH_WARP(ushort, uint16_t)
PH_WARP(float, float)
#undef PH_WARP
