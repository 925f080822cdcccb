// The tone instruction: a curve for the greatest and the least plane of each pixel. The third plane
// keeps its relative place between them, which keeps the hue.

PH_INLINE float ph_lesser(float a, float b) { return a < b ? a : b; }

PH_INLINE float ph_greater(float a, float b) { return a > b ? a : b; }

static void ph_tone(PhBlock *restrict block, const float *payload) {
  float *restrict red = block->plane[0], *restrict green = block->plane[1];
  float *restrict blue = block->plane[2];
  _Alignas(64) float high[PH_PLANE], low[PH_PLANE];
  int count = block->count;
  for (int i = 0; i < count; i++) {
    high[i] = ph_greater(ph_greater(red[i], green[i]), blue[i]);
    low[i] = ph_lesser(ph_lesser(red[i], green[i]), blue[i]);
    float range = high[i] - low[i];
    float scale = range > 0.0f ? 1.0f / range : 0.0f;
    red[i] = (red[i] - low[i]) * scale;
    green[i] = (green[i] - low[i]) * scale;
    blue[i] = (blue[i] - low[i]) * scale;
  }
  // Curves process whole runs.
  for (int i = count; i < PH_PLANE; i++) high[i] = low[i] = 0.0f;
  if (payload[1] != 0.0f) {
    ph_curve_plane(high, count, payload, 1);
    ph_curve_plane(low, count, payload, 1);
  } else {
    ph_curve_plane(high, count, payload, 0);
    ph_curve_plane(low, count, payload, 0);
  }
  for (int i = 0; i < count; i++) {
    float range = high[i] - low[i];
    red[i] = low[i] + range * red[i];
    green[i] = low[i] + range * green[i];
    blue[i] = low[i] + range * blue[i];
  }
}
