// Coverages, the components of masks: 0…1 for each pixel.

PH_INLINE float ph_smoothstep(float x) {
  float s = ph_unit(x);
  return s * s * (3.0f - 2.0f * s);
}

static void ph_cover_linear(PhBlock *restrict block, const float *payload) {
  float *cover = block->cover[(int)payload[0]];
  float start = payload[1] + payload[3] * (float)block->top;
  float slope = payload[2];
  for (int i = 0; i < block->count; i++)
    cover[i] = ph_smoothstep(start + slope * (float)(block->left + i));
}

static void ph_cover_radial(PhBlock *restrict block, const float *payload) {
  float *cover = block->cover[(int)payload[0]];
  const float *m = payload + 1;
  float u0 = m[0] + m[2] * (float)block->top;
  float v0 = m[3] + m[5] * (float)block->top;
  float u1 = m[1];
  float v1 = m[4];
  float slope = 1.0f / (1.0f - payload[7]);
  for (int i = 0; i < block->count; i++) {
    float x = (float)(block->left + i);
    float u = u0 + u1 * x;
    float v = v0 + v1 * x;
    cover[i] = ph_smoothstep((1.0f - __builtin_elementwise_sqrt(u * u + v * v)) * slope);
  }
}

/// Computes the coverage from the squared distance of a pixel to the polygon's outline; `inside` is
/// 1 for a pixel inside the polygon.
PH_INLINE float ph_polygon_cover(float square, int inside, float scale) {
  float distance = __builtin_elementwise_sqrt(square) * scale;
  return ph_smoothstep(0.5f + (inside ? distance : -distance));
}

static void ph_cover_polygon(PhBlock *restrict block, const float *payload) {
  float *cover = block->cover[(int)payload[0]];
  const float *m = payload + 1;
  int corners = (int)payload[8];
  const float *corner = payload + 9;
  float u0 = m[0] + m[2] * (float)block->top;
  float v0 = m[3] + m[5] * (float)block->top;
  float square[PH_BLOCK];
  int32_t inside[PH_BLOCK];
  for (int i = 0; i < block->count; i++) {
    square[i] = 1e30f;
    inside[i] = 0;
  }
  for (int k = 0; k < corners; k++) {
    const float *a = corner + 2 * k;
    const float *b = corner + 2 * (k + 1 < corners ? k + 1 : 0);
    float du = b[0] - a[0];
    float dv = b[1] - a[1];
    float length = du * du + dv * dv;
    float per_length = length > 0.0f ? 1.0f / length : 0.0f;
    float per_rise = dv != 0.0f ? 1.0f / dv : 0.0f;
    for (int i = 0; i < block->count; i++) {
      float x = (float)(block->left + i);
      float y = v0 + m[4] * x;
      float u = u0 + m[1] * x - a[0];
      float v = y - a[1];
      float part = ph_unit((u * du + v * dv) * per_length);
      float eu = u - part * du;
      float ev = v - part * dv;
      float found = eu * eu + ev * ev;
      square[i] = found < square[i] ? found : square[i];
      // A ray from the pixel to the right can cross only edges that have exactly one end above the
      // ray. The corners' heights are compared without rounding, so that the two edges that meet at
      // a corner agree on the corner's side of the ray.
      int32_t between = (y < a[1]) != (y < b[1]);
      inside[i] ^= between & (u < v * per_rise * du);
    }
  }
  float scale = 0.5f / payload[7];
  for (int i = 0; i < block->count; i++)
    cover[i] = ph_polygon_cover(square[i], inside[i], scale);
}

static void ph_cover_range(PhBlock *restrict block, const float *payload) {
  float *cover = block->cover[(int)payload[0]];
  float low = payload[1];
  float high = payload[2];
  float slope = 1.0f / payload[3];
  for (int i = 0; i < block->count; i++) {
    float x = ph_unit(block->plane[0][i]);
    float below = low - x;
    float above = x - high;
    float beyond = below > above ? below : above;
    cover[i] = ph_smoothstep(1.0f - beyond * slope);
  }
}

static void ph_cover_disc(PhBlock *restrict block, const float *payload) {
  float *cover = block->cover[(int)payload[0]];
  float radius = payload[3];
  float slope = 1.0f / payload[4];
  for (int i = 0; i < block->count; i++) {
    float a = block->plane[1][i] - payload[1];
    float b = block->plane[2][i] - payload[2];
    float beyond = __builtin_elementwise_sqrt(a * a + b * b) - radius;
    cover[i] = ph_smoothstep(1.0f - beyond * slope);
  }
}

/// Returns one band of a map at the position (u, v), interpolated. u and v are 0…1 along the edges
/// of the map; beyond 0…1, the map's edge is repeated.
PH_INLINE float ph_map_sample(const PhMap *map, int band, float u, float v) {
  float x = ph_unit(u) * (float)map->width - 0.5f;
  float y = ph_unit(v) * (float)map->height - 0.5f;
  x = x > 0.0f ? x : 0.0f;
  y = y > 0.0f ? y : 0.0f;
  int32_t left = (int32_t)x;
  int32_t top = (int32_t)y;
  float right_part = x - (float)left;
  float low_part = y - (float)top;
  int32_t right = left + 1 < map->width ? left + 1 : left;
  int32_t low = top + 1 < map->height ? top + 1 : top;
  const float *upper_row = map->samples + (size_t)top * map->width * map->bands + band;
  const float *lower_row = map->samples + (size_t)low * map->width * map->bands + band;
  float a = upper_row[left * map->bands];
  float b = upper_row[right * map->bands];
  float c = lower_row[left * map->bands];
  float d = lower_row[right * map->bands];
  float upper = a + right_part * (b - a);
  float lower = c + right_part * (d - c);
  return upper + low_part * (lower - upper);
}

static void ph_cover_map(PhBlock *restrict block, const float *payload) {
  float *cover = block->cover[(int)payload[0]];
  const PhMap *map = &block->maps[(int)payload[1]];
  const float *m = payload + 2;
  float u0 = m[0] + m[2] * (float)block->top;
  float v0 = m[3] + m[5] * (float)block->top;
  for (int i = 0; i < block->count; i++) {
    float x = (float)(block->left + i);
    cover[i] = ph_unit(ph_map_sample(map, 0, u0 + m[1] * x, v0 + m[4] * x));
  }
}

static void ph_combine(PhBlock *restrict block, const float *payload) {
  float *a = block->cover[(int)payload[0]];
  const float *b = block->cover[(int)payload[1]];
  int how = (int)payload[2];
  for (int i = 0; i < block->count; i++) {
    float both = a[i] * b[i];
    a[i] = how == 0 ? a[i] + b[i] - both : how == 1 ? a[i] - both : both;
  }
}

static void ph_fade(PhBlock *restrict block, const float *payload) {
  float *cover = block->cover[(int)payload[0]];
  for (int i = 0; i < block->count; i++) cover[i] = ph_unit(cover[i] * payload[1] + payload[2]);
}
