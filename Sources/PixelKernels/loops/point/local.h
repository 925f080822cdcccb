// Instructions that depend on a pixel's surroundings, which they read from maps.

/// Converts a fraction 0…1 of a map's edge of `length` pixels to a position relative to the centre
/// of the edge's first pixel, not below 0.
PH_INLINE float ph_map_place(float part, int length) {
  float place = ph_unit(part) * (float)length - 0.5f;
  return place > 0.0f ? place : 0.0f;
}

/// The position (u, v) on a map, 0…1 along both edges, for a row of the photo: the position of
/// column 0, and the step from one pixel to the next.
typedef struct {
  float u, v, u_across, v_across;
} PhMapWay;

PH_INLINE PhMapWay ph_map_way(const PhBlock *block, const float *m) {
  float top = (float)block->top;
  return (PhMapWay){m[0] + m[2] * top, m[3] + m[5] * top, m[1], m[4]};
}

/// Two rows of a map and the weight of the lower one.
typedef struct {
  const float *upper, *lower;
  float part;
} PhMapRows;

PH_INLINE PhMapRows ph_map_rows(const PhMap *map, float v) {
  float y = ph_map_place(v, map->height);
  int32_t top = (int32_t)y;
  int32_t low = top + 1 < map->height ? top + 1 : top;
  size_t row = (size_t)map->width * (size_t)map->bands;
  return (PhMapRows){map->samples + (size_t)top * row, map->samples + (size_t)low * row,
                     y - (float)top};
}

PH_INLINE float ph_between(float a, float b, float part) { return a + part * (b - a); }

/// The maximum number of map pixels that are copied for a block.
enum { PH_MAP_RUN = PH_BLOCK };

/// Computes the first two bands of a map at each pixel of a block, interpolated vertically, then
/// horizontally.
static void ph_map_pairs(const PhMap *map, const float *m, const PhBlock *block, float *restrict a,
                         float *restrict b) {
  PhMapWay way = ph_map_way(block, m);
  int bands = map->bands;
  int last = map->width - 1;
  float start = way.u + way.u_across * (float)block->left;
  float end = way.u + way.u_across * (float)(block->left + block->count - 1);
  int32_t from = (int32_t)ph_map_place(start < end ? start : end, map->width);
  int32_t to = (int32_t)ph_map_place(start < end ? end : start, map->width) + 1;
  int run = to - from + 1;
  if (way.v_across == 0.0f && run <= PH_MAP_RUN) {
    // All pixels of the block are between the same two rows of the map, so these rows are
    // interpolated vertically only once.
    float row[2 * PH_MAP_RUN];
    PhMapRows rows = ph_map_rows(map, way.v);
    for (int k = 0; k < run; k++) {
      int at = (from + k < last ? from + k : last) * bands;
      row[2 * k] = ph_between(rows.upper[at], rows.lower[at], rows.part);
      row[2 * k + 1] = ph_between(rows.upper[at + 1], rows.lower[at + 1], rows.part);
    }
    PhPlaces places;
    _Alignas(64) PhRows pairs;
    for (int i = 0; i < block->count; i++) {
      float x = ph_map_place(way.u + way.u_across * (float)(block->left + i), map->width);
      int32_t left = (int32_t)x;
      places.start[i] = 2 * (left - from);
      places.part[i] = x - (float)left;
    }
    ph_end_places(&places, block->count);
    ph_pairs_at(row, &places, block->count, pairs);
    for (int i = 0; i < block->count; i++) {
      a[i] = ph_between(pairs[0][i], pairs[2][i], places.part[i]);
      b[i] = ph_between(pairs[1][i], pairs[3][i], places.part[i]);
    }
    return;
  }
  for (int i = 0; i < block->count; i++) {
    float column = (float)(block->left + i);
    PhMapRows rows = ph_map_rows(map, way.v + way.v_across * column);
    float x = ph_map_place(way.u + way.u_across * column, map->width);
    int32_t left = (int32_t)x;
    float part = x - (float)left;
    int at = left * bands;
    int next = (left < last ? left + 1 : last) * bands;
    a[i] = ph_between(ph_between(rows.upper[at], rows.lower[at], rows.part),
                      ph_between(rows.upper[next], rows.lower[next], rows.part), part);
    b[i] = ph_between(ph_between(rows.upper[at + 1], rows.lower[at + 1], rows.part),
                      ph_between(rows.upper[next + 1], rows.lower[next + 1], rows.part), part);
  }
}

/// The factor that keeps a brightened colour in range. Before brightening, the colour's greatest
/// channel exceeds the luma by `colour`, and the luma is `room` below white. After brightening,
/// this channel exceeds the luma by `scale × colour`, and the luma is `rest` below white.
PH_INLINE float ph_lit_colour(float colour, float room, float scale, float rest, float rise) {
  float before = colour / (room > 1e-4f ? room : 1e-4f);
  float after = scale * colour / (rest > 1e-4f ? rest : 1e-4f);
  float inside = before < 1.0f ? before : 1.0f;
  float outside = before < 1.0f ? 1.0f : before;
  float square = inside * inside;
  float old = before + 0.001f;
  float more = after - before;
  float gentle = old / (old + more * (square * square));
  float most = outside / (after > 1e-6f ? after : 1e-6f);
  float factor = gentle < most ? gentle : most;
  return rise > 0.0f && more > 0.0f ? factor : 1.0f;
}

/// Moves the luma of a pixel from `y`, 0…1, to `target`, and scales its colour in proportion, so
/// that hue and saturation stay the same. When a pixel is brightened, its colour gets only 0.8 of
/// the gain and at most a factor of 4, to limit noise.
///
/// Vivid colours are brightened less, because they would be clipped to flat areas. With m the
/// greatest channel, d the amount by which m would rise, and `r = max(0, 1 − m)` its distance from
/// white, the change is multiplied by `1 − (1 − (luma ÷ m)³) d ÷ (d + r)`. Greys are not limited,
/// because their luma equals m.
///
/// A colour that would still leave the range keeps its hue and gets paler. p is the position of m
/// between the luma (0) and white (1) before the change, p′ its position after the change. The
/// growth is `G = (p′ + 0.001) ÷ (p + 0.001) − 1`. If G is above 0, the colour is multiplied by the
/// lesser of two factors: `1 ÷ (1 + G q⁴)` with `q = min(1, p)`, and `max(1, p) ÷ p′`.
PH_INLINE void ph_relight(PhBlock *restrict block, int i, float luma, float y, float target) {
  float ratio = (target + 0.001f) / (y + 0.001f);
  float lifted = 0.2f + 0.8f * ratio;
  float colour = ratio < 1.0f ? ratio : lifted;
  colour = colour < 4.0f ? colour : 4.0f;
  float step = target - y;
  float more = colour - 1.0f;
  float red = block->plane[0][i];
  float green = block->plane[1][i];
  float blue = block->plane[2][i];
  float most = red > green ? red : green;
  most = most > blue ? most : blue;
  float rise = step + more * (most - luma);
  float room = most < 1.0f ? 1.0f - most : 0.0f;
  float grey = 1.0f - ph_unit((most - luma) / (most > 0.001f ? most : 0.001f));
  float held = 1.0f - (1.0f - grey * grey * grey) * rise / (rise + room + 1e-6f);
  float part = rise > 0.0f ? held : 1.0f;
  float lit = luma + part * step;
  float scale = 1.0f + part * more;
  scale *= ph_lit_colour(most - luma, 1.0f - luma, scale, 1.0f - lit, rise);
  block->plane[0][i] = lit + scale * (red - luma);
  block->plane[1][i] = lit + scale * (green - luma);
  block->plane[2][i] = lit + scale * (blue - luma);
}

static void ph_local(PhBlock *restrict block, const float *payload) {
  int n = (int)payload[7];
  float a[PH_BLOCK], b[PH_BLOCK], base[PH_BLOCK];
  PhPlaces places;
  // The four values of each pixel: the tone of the base, the gain of darker detail, the gain of
  // brighter detail, and an unused value.
  _Alignas(64) PhRows sample;
  ph_map_pairs(&block->maps[(int)payload[0]], payload + 1, block, a, b);
  for (int i = 0; i < block->count; i++) {
    float luma = ph_luma_of(block->plane[0][i], block->plane[1][i], block->plane[2][i]);
    base[i] = ph_unit(a[i] * ph_unit(luma) + b[i]);
    ph_place(&places, i, base[i] * (float)n, n);
  }
  ph_end_places(&places, block->count);
  ph_rows_between(payload + 8, &places, block->count, sample);
  for (int i = 0; i < block->count; i++) {
    float luma = ph_luma_of(block->plane[0][i], block->plane[1][i], block->plane[2][i]);
    float y = ph_unit(luma);
    float tone = sample[0][i];
    // `rest` is the distance of `y` from the end of the range on its side of the base: black if `y`
    // is below the base, white if it is above. The addend 1e-6 avoids 0 / 0 if the base is at that
    // end.
    int below = y < base[i];
    float rest = (below ? y : 1.0f - y) + 1e-6f;
    float reach = below ? tone : 1.0f - tone;
    float gain = below ? sample[1][i] : sample[2][i];
    float way = reach * rest / (rest + gain * __builtin_fabsf(y - base[i]));
    ph_relight(block, i, luma, y, below ? way : 1.0f - way);
  }
}

static void ph_dehaze(PhBlock *restrict block, const float *payload) {
  float red = payload[7];
  float green = payload[8];
  float blue = payload[9];
  float strength = payload[10];
  float floor = payload[11];
  float a[PH_BLOCK], b[PH_BLOCK];
  ph_map_pairs(&block->maps[(int)payload[0]], payload + 1, block, a, b);
  for (int i = 0; i < block->count; i++) {
    float y = ph_unit(ph_luma_of(block->plane[0][i], block->plane[1][i], block->plane[2][i]));
    float through = 1.0f - strength * ph_unit(a[i] * y + b[i]);
    float gain = 1.0f / (through > floor ? through : floor);
    block->plane[0][i] = red + gain * (block->plane[0][i] - red);
    block->plane[1][i] = green + gain * (block->plane[1][i] - green);
    block->plane[2][i] = blue + gain * (block->plane[2][i] - blue);
  }
}

static void ph_tiles(PhBlock *restrict block, const float *payload) {
  const PhMap *map = &block->maps[(int)payload[0]];
  PhMapWay way = ph_map_way(block, payload + 1);
  int n = map->bands - 1;
  int last = map->width - 1;
  for (int i = 0; i < block->count; i++) {
    float column = (float)(block->left + i);
    float luma = ph_luma_of(block->plane[0][i], block->plane[1][i], block->plane[2][i]);
    float y = ph_unit(luma);
    float position = y * (float)n;
    int32_t knot = (int32_t)position;
    knot = knot < n ? knot : n - 1;
    float step = position - (float)knot;
    PhMapRows rows = ph_map_rows(map, way.v + way.v_across * column);
    float x = ph_map_place(way.u + way.u_across * column, map->width);
    int32_t left = (int32_t)x;
    int at = left * map->bands + knot;
    int next = (left < last ? left + 1 : last) * map->bands + knot;
    float before = ph_between(ph_between(rows.upper[at], rows.upper[at + 1], step),
                              ph_between(rows.lower[at], rows.lower[at + 1], step), rows.part);
    float after = ph_between(ph_between(rows.upper[next], rows.upper[next + 1], step),
                             ph_between(rows.lower[next], rows.lower[next + 1], step), rows.part);
    ph_relight(block, i, luma, y, ph_between(before, after, x - (float)left));
  }
}
