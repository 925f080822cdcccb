// The curve instruction: linear interpolation over √x, so that the shadows get most of the knots.

/// One channel. `knots` are n + 1 values; from tMax² on, and below 0 unless the curve is odd, it
/// goes on straight.
PH_INLINE void ph_curve_plane(float *restrict plane, int count, const float *channel, float t_max,
                              int n, int odd) {
  float slope_below = channel[0];
  float slope_above = channel[1];
  const float *knots = channel + 2;
  float first = knots[0];
  float last = knots[n];
  float steps = (float)n;
  float scale = steps / t_max;
  float x_max = t_max * t_max;
  for (int i = 0; i < count; i++) {
    float x = odd ? __builtin_fabsf(plane[i]) : plane[i];
    float t = __builtin_elementwise_sqrt(x > 0.0f ? x : 0.0f);
    float position = t * scale;
    position = position < steps ? position : steps;
    int32_t knot = (int32_t)position;
    knot = knot < n ? knot : n - 1;
    float low = knots[knot];
    float inside = low + (knots[knot + 1] - low) * (position - (float)knot);
    float above = last + slope_above * (x - x_max);
    float below = first + slope_below * x;
    float upper = t < t_max ? inside : above;
    float value = x < 0.0f ? below : upper;
    plane[i] = odd && plane[i] < 0.0f ? -value : value;
  }
}

static void ph_curve(PhBlock *restrict block, const float *payload) {
  float t_max = payload[0];
  int channels = (int)payload[1];
  int n = (int)payload[2];
  for (int c = 0; c < 3; c++) {
    const float *channel = payload + 4 + (channels == 3 ? c * (n + 3) : 0);
    if (payload[3] != 0.0f)
      ph_curve_plane(block->plane[c], block->count, channel, t_max, n, 1);
    else
      ph_curve_plane(block->plane[c], block->count, channel, t_max, n, 0);
  }
}
