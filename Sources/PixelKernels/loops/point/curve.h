// The curve instruction: linear interpolation between knots at equal steps of x, or of √x. Steps of
// √x put most knots near black.

/// The number of samples that are looked up at a time; enough to hide the latency of computing
/// their knots.
enum { PH_LOOKED_UP = 128 };

/// The values of the knots below and above each sample of a run.
typedef struct {
  _Alignas(64) float low[PH_LOOKED_UP];
  _Alignas(64) float high[PH_LOOKED_UP];
} PhKnots;

/// A knot and the next one, in the table.
typedef float PhPairOfKnots __attribute__((vector_size(8), aligned(4), may_alias));

/// The macros below are not functions, because functions cannot return such wide vectors without
/// AVX. This one returns the pairs of knots at two indices.
#define PH_TWO_PAIRS(knots, a, b)                                              \
  __builtin_shufflevector(*(const PhPairOfKnots *)((knots) + (a)),             \
                          *(const PhPairOfKnots *)((knots) + (b)), 0, 1, 2, 3)
#define PH_FOUR_PAIRS(knots, a, b, c, d)                                                         \
  __builtin_shufflevector(PH_TWO_PAIRS(knots, a, b), PH_TWO_PAIRS(knots, c, d), 0, 1, 2, 3, 4, 5, \
                          6, 7)
/// Returns, for sixteen samples, the pairs of knots of the first two samples of each group of four.
#define PH_EIGHT_PAIRS(knots, at)                                                            \
  __builtin_shufflevector(PH_FOUR_PAIRS(knots, (at)[0], (at)[1], (at)[4], (at)[5]),          \
                          PH_FOUR_PAIRS(knots, (at)[8], (at)[9], (at)[12], (at)[13]), 0, 1, 2, \
                          3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
/// Returns the first (k = 0) or the second (k = 1) knot of each pair, in the order of the samples.
#define PH_OF_PAIRS(a, b, k)                                                                   \
  __builtin_shufflevector(a, b, k, 2 + k, 16 + k, 18 + k, 4 + k, 6 + k, 20 + k, 22 + k, 8 + k, \
                          10 + k, 24 + k, 26 + k, 12 + k, 14 + k, 28 + k, 30 + k)

/// The payload of a curve.
typedef struct {
  const float *knots;
  /// The value of t (x, or √x if the knots are spaced by root) at the first knot, the number of
  /// steps for each unit of t, and the largest position among the knots.
  float t_min, scale, top;
  /// x at the first and the last knot, the values at these knots, and the slopes outside.
  float x_min, x_max, first, last, slope_below, slope_above;
} PhCurve;

PH_INLINE PhCurve ph_curve_read(const float *payload, int by_root) {
  float t_min = payload[2];
  float t_max = payload[3];
  float n = payload[4];
  const float *knots = payload + 7;
  return (PhCurve){.knots = knots,
                   .t_min = t_min,
                   .scale = n / (t_max - t_min),
                   .top = n - n * 0x1p-23f,
                   .x_min = by_root ? -t_min * t_min : t_min,
                   .x_max = by_root ? t_max * t_max : t_max,
                   .first = knots[0],
                   .last = knots[(int)n],
                   .slope_below = payload[5],
                   .slope_above = payload[6]};
}

/// Finds the knot below each sample of a run, and the fraction of the way to the next knot. Returns
/// 1 if a sample is outside the knots, or if a sample is negative although the knots are spaced by
/// root and `odd` is 0; otherwise 0.
PH_INLINE int32_t ph_find_knots(const float *restrict run, const PhCurve *curve, int by_root,
                                int odd, int32_t *restrict index, float *restrict part) {
  float x_min = by_root && !odd ? 0.0f : curve->x_min;
  float x_max = curve->x_max;
  float t_min = curve->t_min;
  float scale = curve->scale;
  float top = curve->top;
  int32_t outside = 0;
  for (int i = 0; i < PH_LOOKED_UP; i++) {
    float x = run[i];
    float size = odd ? __builtin_fabsf(x) : x;
    float t = by_root ? __builtin_elementwise_sqrt(size) : x;
    if (by_root && odd) t = __builtin_copysignf(t, x);
    float position = (t - t_min) * scale;
    position = position > 0.0f ? position : 0.0f;
    position = position < top ? position : top;
    index[i] = (int32_t)position;
    part[i] = position - (float)index[i];
    outside |= !(x >= x_min) | !(x < x_max);
  }
  return outside;
}

/// Loads pairs of knots and combines them in registers. On many CPUs, a gather takes twice as long,
/// and so does storing the pairs and reading them back as vectors.
PH_INLINE void ph_pick_knots(const float *knots, const int32_t *index, PhKnots *restrict to) {
  for (int i = 0; i < PH_LOOKED_UP; i += 16) {
    PhHex first = PH_EIGHT_PAIRS(knots, index + i);
    PhHex second = PH_EIGHT_PAIRS(knots, index + i + 2);
    *(PhHex *)(to->low + i) = PH_OF_PAIRS(first, second, 0);
    *(PhHex *)(to->high + i) = PH_OF_PAIRS(first, second, 1);
  }
}

#undef PH_OF_PAIRS
#undef PH_EIGHT_PAIRS
#undef PH_FOUR_PAIRS
#undef PH_TWO_PAIRS

/// Processes whole runs of samples; the last run may go beyond `count`, because the planes of a
/// block are long enough for it.
PH_INLINE void ph_curve_plane(float *restrict plane, int count, const float *payload,
                              int by_root) {
  PhCurve curve = ph_curve_read(payload, by_root);
  for (int done = 0; done < count; done += PH_LOOKED_UP) {
    float *restrict run = plane + done;
    _Alignas(64) int32_t index[PH_LOOKED_UP];
    _Alignas(64) float part[PH_LOOKED_UP];
    PhKnots pair;
    int32_t outside = ph_find_knots(run, &curve, by_root, 0, index, part);
    if (outside && by_root) ph_find_knots(run, &curve, by_root, 1, index, part);
    ph_pick_knots(curve.knots, index, &pair);
    if (!outside) {
      for (int i = 0; i < PH_LOOKED_UP; i++)
        run[i] = pair.low[i] + (pair.high[i] - pair.low[i]) * part[i];
      continue;
    }
    for (int i = 0; i < PH_LOOKED_UP; i++) {
      float x = run[i];
      float inside = pair.low[i] + (pair.high[i] - pair.low[i]) * part[i];
      float above = curve.last + curve.slope_above * (x - curve.x_max);
      float below = curve.first + curve.slope_below * (x - curve.x_min);
      float upper = x < curve.x_max ? inside : above;
      run[i] = x < curve.x_min ? below : upper;
    }
  }
}

static void ph_curve(PhBlock *restrict block, const float *payload) {
  int planes = (int)payload[0];
  for (int c = 0; c < 3; c++) {
    if (!(planes >> c & 1)) continue;
    if (payload[1] != 0.0f)
      ph_curve_plane(block->plane[c], block->count, payload, 1);
    else
      ph_curve_plane(block->plane[c], block->count, payload, 0);
  }
}
