// Resampling through a projective map, and the map of a lens, by cubic convolution.
// Source: R. Keys, "Cubic convolution interpolation for digital image processing", IEEE Trans.
// ASSP 29 (1981), with a = −1/2.

/// The weights of the samples at −1, 0, 1 and 2 for a position `t` in 0…1.
PH_INLINE void ph_cubic_weights(float t, float weight[4]) {
  weight[0] = ((1.0f - 0.5f * t) * t - 0.5f) * t;
  weight[1] = (1.5f * t - 2.5f) * t * t + 1.0f;
  weight[2] = ((2.0f - 1.5f * t) * t + 0.5f) * t;
  weight[3] = (0.5f * t - 0.5f) * t * t;
}

PH_INLINE int ph_within(int index, int first, int last) {
  return index < first ? first : index < last ? index : last;
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

/// The fraction of the pixel at (`u`, `v`) that is within the frame of a lens.
PH_INLINE float ph_lens_cover(const PhBend *lens, double u, double v) {
  const double *frame = lens->frame;
  return ph_edge_cover(u - frame[0], frame[2] - frame[0]) *
         ph_edge_cover(v - frame[1], frame[3] - frame[1]);
}

/// The positions in the image of the pixels of a row, for red, green and blue, and the fraction of
/// each pixel that is within the frame of the lens.
typedef struct {
  double u[3][PH_BLOCK], v[3][PH_BLOCK];
  float cover[PH_BLOCK];
} PhBent;

static void ph_bend(const PhProjection *from, int left, int top, int count,
                    PhBent *restrict places) {
  const PhBend lens = *from->lens;
  const double *m = from->matrix;
  double x0 = lens.centre[0], y0 = lens.centre[1], y = top + 0.5;
  double a = m[0], b = m[1] * y + m[2], c = m[3], d = m[4] * y + m[5], e = m[6], f = m[7] * y + m[8];
  for (int i = 0; i < count; i++) {
    double x = left + i + 0.5;
    double w = e * x + f;
    double dx = (w > 0 ? (a * x + b) / w : -2) - x0;
    double dy = (w > 0 ? (c * x + d) / w : -2) - y0;
    double red, green, blue;
    ph_lens_factors(&lens, dx, dy, &red, &green, &blue);
    places->u[0][i] = x0 + red * dx;
    places->v[0][i] = y0 + red * dy;
    places->u[1][i] = x0 + green * dx;
    places->v[1][i] = y0 + green * dy;
    places->u[2][i] = x0 + blue * dx;
    places->v[2][i] = y0 + blue * dy;
  }
  if (!from->has_background) return;
  for (int i = 0; i < count; i++) {
    double x = left + i + 0.5;
    double w = e * x + f;
    places->cover[i] = w > 0 ? ph_lens_cover(&lens, (a * x + b) / w, (c * x + d) / w) : 0;
  }
}

typedef float PhFour __attribute__((ext_vector_type(4)));

/// The weights of the samples at −1, 0, 1 and 2 for a position `t` in 0…1.
PH_INLINE PhFour ph_four_weights(float t) {
  const PhFour cubic = {-0.5f, 1.5f, -1.5f, 0.5f}, square = {1.0f, -2.5f, 2.0f, -0.5f};
  const PhFour line = {-0.5f, 0.0f, 0.5f, 0.0f}, start = {0.0f, 1.0f, 0.0f, 0.0f};
  return ((cubic * t + square) * t + line) * t + start;
}

#define PH_WARP(name, type)                                                                       \
  typedef type PhFour_##name __attribute__((ext_vector_type(4)));                                 \
  /* Samples `count` of the image's bands at (u, v), the first of them at `band`. */              \
  PH_INLINE void ph_sample_##name(const PhProjection *from, double u, double v, int band,         \
                                  int count, int bands, float *restrict to) {                     \
    u = ph_clamped(u, -2, from->width + 2.0);                                                     \
    v = ph_clamped(v, -2, from->height + 2.0);                                                    \
    int column = (int)(u + 1.5) - 2, row = (int)(v + 1.5) - 2;                                    \
    float across[4], down[4], sum[4] = {0, 0, 0, 0};                                              \
    ph_cubic_weights((float)(u - 0.5 - column), across);                                          \
    ph_cubic_weights((float)(v - 0.5 - row), down);                                               \
    int offset[4];                                                                                \
    for (int k = 0; k < 4; k++)                                                                   \
      offset[k] =                                                                                 \
          (ph_within(column - 1 + k, from->left, from->right) - from->left) * bands + band;       \
    for (int j = 0; j < 4; j++) {                                                                 \
      int line = ph_within(row - 1 + j, from->top, from->bottom) - from->top;                     \
      const type *sample = (const type *)(from->origin + (size_t)line * from->pitch);             \
      for (int c = 0; c < count; c++) {                                                           \
        float part = 0;                                                                           \
        for (int k = 0; k < 4; k++) part += across[k] * ph_from_##name(sample[offset[k] + c]);    \
        sum[c] += down[j] * part;                                                                 \
      }                                                                                           \
    }                                                                                             \
    for (int c = 0; c < count; c++) to[c] = sum[c];                                               \
  }                                                                                               \
  /* As ph_sample, for all bands of an image with 3 or 4. */                                       \
  PH_INLINE void ph_sample_all_##name(const PhProjection *from, double u, double v, int bands,     \
                                      float *restrict to) {                                       \
    u = ph_clamped(u, -2, from->width + 2.0);                                                     \
    v = ph_clamped(v, -2, from->height + 2.0);                                                    \
    int column = (int)(u + 1.5) - 2, row = (int)(v + 1.5) - 2;                                    \
    if (bands < 3 || column - 1 < from->left || column + 2 > from->right ||                       \
        row - 1 < from->top || row + 2 > from->bottom) {                                          \
      ph_sample_##name(from, u, v, 0, bands, bands, to);                                          \
      return;                                                                                     \
    }                                                                                             \
    PhFour across = ph_four_weights((float)(u - 0.5 - column)) * ph_from_##name(1);               \
    PhFour down = ph_four_weights((float)(v - 0.5 - row));                                        \
    PhFour sum[4] = {0, 0, 0, 0};                                                                 \
    const uint8_t *corner = from->origin + (size_t)(row - 1 - from->top) * from->pitch +          \
                            (size_t)(column - 1 - from->left) * (size_t)bands * sizeof(type);     \
    for (int j = 0; j < 4; j++, corner += from->pitch)                                            \
      for (int k = 0; k < bands; k++) {                                                           \
        PhFour_##name four;                                                                       \
        memcpy(&four, corner + 4 * (size_t)k * sizeof(type), sizeof four);                        \
        sum[k] += down[j] * __builtin_convertvector(four, PhFour);                                \
      }                                                                                           \
    if (bands == 4) {                                                                             \
      PhFour all = across[0] * sum[0] + across[1] * sum[1] + across[2] * sum[2] +                 \
                   across[3] * sum[3];                                                            \
      for (int c = 0; c < 4; c++) to[c] = all[c];                                                 \
    } else {                                                                                      \
      PhFour a = sum[0] * across.xxxy, b = sum[1] * across.yyzz, d = sum[2] * across.zwww;        \
      to[0] = a[0] + a[3] + b[2] + d[1];                                                          \
      to[1] = a[1] + b[0] + b[3] + d[2];                                                          \
      to[2] = a[2] + b[1] + d[0] + d[3];                                                          \
    }                                                                                             \
  }                                                                                               \
  /* As ph_sample, for one band. */                                                               \
  PH_INLINE float ph_sample_one_##name(const PhProjection *from, double u, double v, int band,    \
                                       int bands) {                                               \
    u = ph_clamped(u, -2, from->width + 2.0);                                                     \
    v = ph_clamped(v, -2, from->height + 2.0);                                                    \
    int column = (int)(u + 1.5) - 2, row = (int)(v + 1.5) - 2;                                    \
    if (column - 1 < from->left || column + 2 > from->right || row - 1 < from->top ||             \
        row + 2 > from->bottom) {                                                                 \
      float sample;                                                                               \
      ph_sample_##name(from, u, v, band, 1, bands, &sample);                                      \
      return sample;                                                                              \
    }                                                                                             \
    PhFour across = ph_four_weights((float)(u - 0.5 - column)) * ph_from_##name(1);               \
    PhFour down = ph_four_weights((float)(v - 0.5 - row));                                        \
    PhFour sum = 0;                                                                               \
    const uint8_t *corner = from->origin + (size_t)(row - 1 - from->top) * from->pitch;           \
    size_t start = (size_t)(column - 1 - from->left) * (size_t)bands + (size_t)band;              \
    for (int j = 0; j < 4; j++, corner += from->pitch) {                                          \
      const type *sample = (const type *)corner + start;                                          \
      PhFour_##name four = {sample[0], sample[bands], sample[2 * bands], sample[3 * bands]};      \
      sum += down[j] * __builtin_convertvector(four, PhFour);                                     \
    }                                                                                             \
    sum *= across;                                                                                \
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);                                                 \
  }                                                                                               \
  PH_INLINE void ph_bent_bands_##name(const PhProjection *from, int left, int top,                \
                                      float *restrict to, int count, int bands) {                 \
    PhBent places;                                                                                \
    ph_bend(from, left, top, count, &places);                                                     \
    int splits = from->lens->splits && bands > 2;                                                 \
    for (int i = 0; i < count; i++, to += bands) {                                                \
      double u = places.u[1][i], v = places.v[1][i];                                              \
      if (splits) {                                                                               \
        for (int c = 0; c < 3; c++)                                                               \
          to[c] = ph_sample_one_##name(from, places.u[c][i], places.v[c][i], c, bands);           \
        if (bands > 3) to[3] = ph_sample_one_##name(from, u, v, 3, bands);                        \
      } else {                                                                                    \
        ph_sample_all_##name(from, u, v, bands, to);                                              \
      }                                                                                           \
      if (from->has_background) {                                                                 \
        u = ph_clamped(u, -2, from->width + 2.0);                                                 \
        v = ph_clamped(v, -2, from->height + 2.0);                                                \
        float cover = places.cover[i] * ph_edge_cover(u, from->width) *                           \
                      ph_edge_cover(v, from->height);                                             \
        for (int c = 0; c < bands; c++)                                                           \
          to[c] = from->background[c] + cover * (to[c] - from->background[c]);                    \
      }                                                                                           \
    }                                                                                             \
  }                                                                                               \
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
      ph_sample_##name(from, u, v, 0, bands, bands, to);                                          \
      if (from->has_background) {                                                                 \
        u = ph_clamped(u, -2, from->width + 2.0);                                                 \
        v = ph_clamped(v, -2, from->height + 2.0);                                                \
        float cover = ph_edge_cover(u, from->width) * ph_edge_cover(v, from->height);             \
        for (int c = 0; c < bands; c++)                                                           \
          to[c] = from->background[c] + cover * (to[c] - from->background[c]);                    \
      }                                                                                           \
    }                                                                                             \
  }                                                                                               \
  static void ph_warp_##name(const PhProjection *from, int left, int top, float *restrict to,     \
                             int count) {                                                         \
    switch (from->lens ? -from->bands : from->bands) {                                            \
      case -3: ph_bent_bands_##name(from, left, top, to, count, 3); break;                        \
      case -4: ph_bent_bands_##name(from, left, top, to, count, 4); break;                        \
      case -2:                                                                                    \
      case -1: ph_bent_bands_##name(from, left, top, to, count, from->bands); break;              \
      case 3: ph_warp_bands_##name(from, left, top, to, count, 3); break;                         \
      case 4: ph_warp_bands_##name(from, left, top, to, count, 4); break;                         \
      default: ph_warp_bands_##name(from, left, top, to, count, from->bands);                     \
    }                                                                                             \
  }

PH_WARP(uchar, uint8_t)
PH_WARP(ushort, uint16_t)
PH_WARP(float, float)
#undef PH_WARP
