// The curve instruction: linear interpolation over √x, so that most of the knots are near black.

/// Samples that are looked up together.
enum { PH_LOOKED_UP = 64 };

/// A knot and the next one, as they lie in a table.
typedef struct {
  float low, high;
} PhKnots;

/// Plain loads: on many CPUs gathering them into vectors takes twice as long.
PH_INLINE void ph_pick_knots(const float *knots, const int32_t *index, PhKnots *restrict to,
                             int count) {
#pragma clang loop vectorize(disable) unroll_count(8)
  for (int i = 0; i < count; i++) memcpy(&to[i], knots + index[i], sizeof *to);
}

/// One channel. `knots` are n + 1 values; below −tMin² and from tMax² on it goes on straight.
PH_INLINE void ph_curve_plane(float *restrict plane, int count, const float *channel, float t_min,
                              float t_max, int n) {
  float slope_below = channel[0];
  float slope_above = channel[1];
  const float *knots = channel + 2;
  float first = knots[0];
  float last = knots[n];
  float steps = (float)n;
  float scale = steps / (t_max - t_min);
  float x_min = -t_min * t_min;
  float x_max = t_max * t_max;
  for (int done = 0; done < count; done += PH_LOOKED_UP) {
    // The block has room for whole runs; what lies after its pixels is computed for nothing.
    float *restrict run = plane + done;
    float part[PH_LOOKED_UP];
    int32_t index[PH_LOOKED_UP];
    PhKnots pair[PH_LOOKED_UP];
    for (int i = 0; i < PH_LOOKED_UP; i++) {
      float size = __builtin_elementwise_sqrt(__builtin_fabsf(run[i]));
      float position = (__builtin_copysignf(size, run[i]) - t_min) * scale;
      position = position > 0.0f ? position : 0.0f;
      position = position < steps ? position : steps;
      int32_t knot = (int32_t)position;
      index[i] = knot < n ? knot : n - 1;
      part[i] = position - (float)index[i];
    }
    ph_pick_knots(knots, index, pair, PH_LOOKED_UP);
    for (int i = 0; i < PH_LOOKED_UP; i++) {
      float x = run[i];
      float inside = pair[i].low + (pair[i].high - pair[i].low) * part[i];
      float above = last + slope_above * (x - x_max);
      float below = first + slope_below * (x - x_min);
      float upper = x < x_max ? inside : above;
      run[i] = x < x_min ? below : upper;
    }
  }
}

static void ph_curve(PhBlock *restrict block, const float *payload) {
  int channels = (int)payload[2];
  int n = (int)payload[3];
  for (int c = 0; c < 3; c++)
    ph_curve_plane(block->plane[c], block->count,
                   payload + 4 + (channels == 3 ? c * (n + 3) : 0), payload[0], payload[1], n);
}
