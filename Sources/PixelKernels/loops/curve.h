// The curve instruction: straight lines between knots, which lie at even steps of x, or of √x, so
// that most of them are near black.

/// Samples that are looked up together.
enum { PH_LOOKED_UP = 64 };

/// A knot and the next one, as they lie in a table.
typedef struct {
  float low, high;
} PhKnots;

/// What the payload of a curve says.
typedef struct {
  const float *knots;
  /// t at the first knot, steps for each unit of t, and the last place among the knots.
  float t_min, scale, top;
  /// x at the first knot and at the last one, their values, and the slopes outside.
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

/// The knot below each sample of a run, and the part of the way to the next one. Returns whether one
/// of the samples lies outside the knots or, unless `odd`, below 0 where the root is taken.
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

/// Plain loads: on many CPUs gathering them into vectors takes twice as long.
PH_INLINE void ph_pick_knots(const float *knots, const int32_t *index, PhKnots *restrict to) {
#pragma clang loop vectorize(disable) unroll_count(8)
  for (int i = 0; i < PH_LOOKED_UP; i++) memcpy(&to[i], knots + index[i], sizeof *to);
}

/// The block has room for whole runs; what lies after its pixels is computed for nothing.
PH_INLINE void ph_curve_plane(float *restrict plane, int count, const float *payload,
                              int by_root) {
  PhCurve curve = ph_curve_read(payload, by_root);
  for (int done = 0; done < count; done += PH_LOOKED_UP) {
    float *restrict run = plane + done;
    int32_t index[PH_LOOKED_UP];
    float part[PH_LOOKED_UP];
    PhKnots pair[PH_LOOKED_UP];
    int32_t outside = ph_find_knots(run, &curve, by_root, 0, index, part);
    if (outside && by_root) ph_find_knots(run, &curve, by_root, 1, index, part);
    ph_pick_knots(curve.knots, index, pair);
    if (!outside) {
      for (int i = 0; i < PH_LOOKED_UP; i++)
        run[i] = pair[i].low + (pair[i].high - pair[i].low) * part[i];
      continue;
    }
    for (int i = 0; i < PH_LOOKED_UP; i++) {
      float x = run[i];
      float inside = pair[i].low + (pair[i].high - pair[i].low) * part[i];
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
