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

/// The maximum number of floats of a map's rows that are interpolated vertically for a block.
enum { PH_CURVE_RUN = 8192 };

/// Computes the value at `y`, 0…1, of a map's curves at each pixel of a block.
///
/// The bands of a map pixel are its curve's values at even steps of y. The values are interpolated
/// vertically and along the curve, then horizontally.
static void ph_map_curves(const PhMap *map, const float *m, const PhBlock *block,
                          const float *restrict y, float *restrict to) {
  PhMapWay way = ph_map_way(block, m);
  int bands = map->bands;
  int n = bands - 1;
  int last = map->width - 1;
  float start = way.u + way.u_across * (float)block->left;
  float end = way.u + way.u_across * (float)(block->left + block->count - 1);
  int32_t from = (int32_t)ph_map_place(start < end ? start : end, map->width);
  int32_t until = (int32_t)ph_map_place(start < end ? end : start, map->width) + 2;
  int run = until - from;
  if (way.v_across == 0.0f && run <= PH_CURVE_RUN / bands) {
    // All pixels of the block are between the same two rows of the map, so these rows are
    // interpolated vertically only once.
    float row[PH_CURVE_RUN + 4];
    PhMapRows rows = ph_map_rows(map, way.v);
    for (int k = 0; k < run; k++) {
      int at = (from + k < last ? from + k : last) * bands;
      for (int band = 0; band < bands; band++)
        row[k * bands + band] =
            ph_between(rows.upper[at + band], rows.lower[at + band], rows.part);
    }
    // The lookup reads four floats at each position and uses two.
    for (int k = 0; k < 4; k++) row[run * bands + k] = 0.0f;
    PhPlaces left, right;
    _Alignas(64) PhRows before, after;
    for (int i = 0; i < block->count; i++) {
      float x = ph_map_place(way.u + way.u_across * (float)(block->left + i), map->width);
      int32_t column = (int32_t)x;
      int32_t knot = ph_knot(y[i] * (float)n, n, &left.part[i]);
      left.start[i] = (column - from) * bands + knot;
      right.start[i] = left.start[i] + bands;
      right.part[i] = x - (float)column;
    }
    ph_end_places(&left, block->count);
    ph_end_places(&right, block->count);
    ph_pairs_at(row, &left, block->count, before);
    ph_pairs_at(row, &right, block->count, after);
    for (int i = 0; i < block->count; i++)
      to[i] = ph_between(ph_between(before[0][i], before[1][i], left.part[i]),
                         ph_between(after[0][i], after[1][i], left.part[i]), right.part[i]);
    return;
  }
  for (int i = 0; i < block->count; i++) {
    float column = (float)(block->left + i);
    float step;
    int32_t knot = ph_knot(y[i] * (float)n, n, &step);
    PhMapRows rows = ph_map_rows(map, way.v + way.v_across * column);
    float x = ph_map_place(way.u + way.u_across * column, map->width);
    int32_t left = (int32_t)x;
    int at = left * bands + knot;
    int next = (left < last ? left + 1 : last) * bands + knot;
    float before = ph_between(ph_between(rows.upper[at], rows.lower[at], rows.part),
                              ph_between(rows.upper[at + 1], rows.lower[at + 1], rows.part), step);
    float after =
        ph_between(ph_between(rows.upper[next], rows.lower[next], rows.part),
                   ph_between(rows.upper[next + 1], rows.lower[next + 1], rows.part), step);
    to[i] = ph_between(before, after, x - (float)left);
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

/// Stores the luma of each pixel of a block, 0…1.
static void ph_lumas(const PhBlock *block, float *restrict y) {
  for (int i = 0; i < block->count; i++)
    y[i] = ph_unit(ph_luma_of(block->plane[0][i], block->plane[1][i], block->plane[2][i]));
}

static void ph_local(PhBlock *restrict block, const float *payload) {
  int n = (int)payload[7];
  float y[PH_BLOCK], base[PH_BLOCK];
  PhPlaces places;
  // The four values of each pixel: the tone of the base, the gain of darker detail, the gain of
  // brighter detail, and an unused value.
  _Alignas(64) PhRows sample;
  ph_lumas(block, y);
  ph_map_curves(&block->maps[(int)payload[0]], payload + 1, block, y, base);
  for (int i = 0; i < block->count; i++) {
    base[i] = ph_unit(base[i]);
    ph_place(&places, i, base[i] * (float)n, n);
  }
  ph_end_places(&places, block->count);
  ph_rows_between(payload + 8, &places, block->count, sample);
  for (int i = 0; i < block->count; i++) {
    float luma = ph_luma_of(block->plane[0][i], block->plane[1][i], block->plane[2][i]);
    float tone = sample[0][i];
    // `rest` is the distance of y from the end of the range on its side of the base: black if y
    // is below the base, white if it is above. The addend 1e-6 avoids 0 / 0 if the base is at that
    // end.
    int below = y[i] < base[i];
    float rest = (below ? y[i] : 1.0f - y[i]) + 1e-6f;
    float reach = below ? tone : 1.0f - tone;
    float gain = below ? sample[1][i] : sample[2][i];
    float way = reach * rest / (rest + gain * __builtin_fabsf(y[i] - base[i]));
    ph_relight(block, i, luma, y[i], below ? way : 1.0f - way);
  }
}

/// Mixes each colour with the air's light: the gain is at most 1.
PH_INLINE void ph_add_haze(PhBlock *restrict block, int i, const float *air, float gain) {
  for (int band = 0; band < 3; band++)
    block->plane[band][i] = air[band] + gain * (block->plane[band][i] - air[band]);
}

/// The luma `y`, 0…1, after its distance from `light`, the luma of the air, is multiplied by
/// `gain`, at least 1.
///
/// Above `light` the curve bends so that it ends at white. A luma that would be less than half as
/// bright as before approaches a quarter of its brightness.
PH_INLINE float ph_clear_luma(float y, float light, float gain) {
  float line = light + gain * (y - light);
  float half = 0.5f * y + 1e-6f;
  float part = ph_unit(line / half);
  float toe = 0.5f * half * (1.0f + part * part);
  float room = 1.0f - light + 1e-6f;
  float way = (y - light) / room;
  float shoulder = light + room * gain * way / (1.0f + (gain - 1.0f) * (way > 0.0f ? way : 0.0f));
  float below = line < half ? toe : line;
  return y < light ? below : shoulder;
}

/// Stores the guide of each pixel of a block, 0…1: the luma less 0.6 × the excess of red over blue.
static void ph_haze_guides(const PhBlock *block, float *restrict guides) {
  for (int i = 0; i < block->count; i++) {
    float red = block->plane[0][i];
    float blue = block->plane[2][i];
    float warmth = red > blue ? red - blue : 0.0f;
    guides[i] = ph_unit(ph_luma_of(red, block->plane[1][i], blue) - 0.6f * warmth);
  }
}

static void ph_dehaze(PhBlock *restrict block, const float *payload) {
  const float *air = payload + 7;
  float light = ph_unit(ph_luma_of(air[0], air[1], air[2]));
  float strength = payload[10];
  float floor = payload[11];
  float richness = payload[12];
  float y[PH_BLOCK], guides[PH_BLOCK], gains[PH_BLOCK];
  ph_lumas(block, y);
  ph_haze_guides(block, guides);
  ph_map_curves(&block->maps[(int)payload[0]], payload + 1, block, guides, gains);
  for (int i = 0; i < block->count; i++) {
    float through = 1.0f - strength * ph_unit(gains[i]);
    gains[i] = 1.0f / (through > floor ? through : floor);
  }
  if (strength < 0.0f) {
    for (int i = 0; i < block->count; i++) ph_add_haze(block, i, air, gains[i]);
    return;
  }
  for (int i = 0; i < block->count; i++) {
    float red = block->plane[0][i];
    float green = block->plane[1][i];
    float blue = block->plane[2][i];
    float most = red > green ? red : green;
    most = most > blue ? most : blue;
    float least = red < green ? red : green;
    least = least < blue ? least : blue;
    float luma = ph_luma_of(red, green, blue);
    float target = ph_clear_luma(y[i], light, gains[i]);
    // The saturation s, 0…1, becomes r s ÷ (1 + (r − 1) s), which stays below 1.
    float richer = richness * (gains[i] - 1.0f);
    float saturation = ph_unit((y[i] - least) / (y[i] + 1e-6f));
    float scale = (target + 0.001f) / (y[i] + 0.001f) * (1.0f + richer) / (1.0f + richer * saturation);
    // The greatest channel's position between luma (0) and white (1) is limited in the same way.
    float part = ph_unit((most - y[i]) / (1.0f - y[i] + 1e-6f));
    float growth = scale * (1.0f - y[i] + 1e-6f) / (1.0f - target + 1e-6f) - 1.0f;
    scale /= 1.0f + (growth > 0.0f ? growth : 0.0f) * part;
    float lit = luma + target - y[i];
    block->plane[0][i] = lit + scale * (red - luma);
    block->plane[1][i] = lit + scale * (green - luma);
    block->plane[2][i] = lit + scale * (blue - luma);
  }
}

static void ph_tiles(PhBlock *restrict block, const float *payload) {
  float y[PH_BLOCK], target[PH_BLOCK];
  ph_lumas(block, y);
  ph_map_curves(&block->maps[(int)payload[0]], payload + 1, block, y, target);
  for (int i = 0; i < block->count; i++) {
    float luma = ph_luma_of(block->plane[0][i], block->plane[1][i], block->plane[2][i]);
    ph_relight(block, i, luma, y[i], target[i]);
  }
}
