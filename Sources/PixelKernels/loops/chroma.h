// Instructions on the chroma and the hue of OKLab colours, which stay in sRGB where they were in it.

/// A colour's purity: how far it is from the grey of its lightness on the way to the edge of sRGB, as
/// the part `way` of `whole`, which is above 0; 0 of greys, 1 at the edge, never negative. See VIBRANCE.
///
/// As a part, since divisions take long: what is made of purities gets by with one.
typedef struct {
  float way, whole;
} PhPurity;

/// Source of the matrices: B. Ottosson, "A perceptual color space for image processing", 2020.
PH_INLINE PhPurity ph_purity(float lightness, float a, float b) {
  float l = lightness + 0.3963377774f * a + 0.2158037573f * b;
  float m = lightness - 0.1055613458f * a - 0.0638541728f * b;
  float s = lightness - 0.0894841775f * a - 1.2914855480f * b;
  l = l * l * l;
  m = m * m * m;
  s = s * s * s;
  float red = 4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s;
  float green = -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s;
  float blue = -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s;
  float high = red > green ? red : green;
  float low = red > green ? green : red;
  high = high > blue ? high : blue;
  low = low < blue ? low : blue;
  float grey = lightness * lightness * lightness;
  float above = 1.0f - grey > 1e-4f ? 1.0f - grey : 1e-4f;
  float below = grey > 1e-4f ? grey : 1e-4f;
  float up = (high - grey) * below;
  float down = (grey - low) * above;
  float way = up > down ? up : down;
  return (PhPurity){way > 0.0f ? way : 0.0f, above * below};
}

/// What the chroma of a colour grows by, less 1: `growth`, but less the purer the colour is, so that
/// none leaves sRGB that was in it. With `q = purity²` it is `growth (1 − q) ÷ (1 + growth q)`.
PH_INLINE float ph_held_growth(float growth, PhPurity purity) {
  float whole = purity.whole;
  float inside = purity.way < whole ? purity.way : whole;
  return growth * ((whole - inside) * (whole + inside)) /
         (whole * whole + growth * (inside * inside));
}

PH_INLINE void ph_vibrance_block(PhBlock *restrict block, float strength, int held) {
  for (int i = 0; i < block->count; i++) {
    float a = block->plane[1][i];
    float b = block->plane[2][i];
    float chroma = 4.0f * __builtin_elementwise_sqrt(a * a + b * b);
    float growth = strength * (1.0f - (chroma < 1.0f ? chroma : 1.0f));
    if (held) growth = ph_held_growth(growth, ph_purity(block->plane[0][i], a, b));
    block->plane[1][i] = a * (1.0f + growth);
    block->plane[2][i] = b * (1.0f + growth);
  }
}

static void ph_vibrance(PhBlock *restrict block, const float *payload) {
  if (payload[0] > 0.0f)
    ph_vibrance_block(block, payload[0], 1);
  else
    ph_vibrance_block(block, payload[0], 0);
}

static void ph_saturate(PhBlock *restrict block, const float *payload) {
  float strength = payload[0];
  for (int i = 0; i < block->count; i++) {
    float a = block->plane[1][i];
    float b = block->plane[2][i];
    float growth = ph_held_growth(strength, ph_purity(block->plane[0][i], a, b));
    block->plane[1][i] = a * (1.0f + growth);
    block->plane[2][i] = b * (1.0f + growth);
  }
}

/// The place of (a, b) on the way around the diamond |a| + |b| = 1, 0…4; 0 for (0, 0).
PH_INLINE float ph_diamond_angle(float a, float b) {
  float sum = __builtin_fabsf(a) + __builtin_fabsf(b);
  float part = sum > 0.0f ? b / sum : 0.0f;
  float right = part < 0.0f ? 4.0f + part : part;
  return a < 0.0f ? 2.0f - part : right;
}

/// The factor, `wanted` or less, of the chroma of a colour that had one purity and got another.
///
/// With the purities p before and P after, the growth `G = wanted (P + 0.001) ÷ (p + 0.001) − 1` and
/// q = min(1, p), it is the lesser of `wanted ÷ (1 + G q²)` and `max(1, p) ÷ P`; `wanted` where G is
/// not above 0.
PH_INLINE float ph_held_factor(float wanted, PhPurity before, PhPurity after) {
  float whole = before.whole;
  float inside = before.way < whole ? before.way : whole;
  float outside = before.way < whole ? whole : before.way;
  float old = before.way + 0.001f * whole;
  float more = wanted * (after.way + 0.001f * after.whole) * whole - old * after.whole;
  // Both quotients but for the factor `after.whole`; the lesser one is divided.
  float gentle = wanted * (old * (whole * whole));
  float rest = old * (whole * whole) * after.whole + more * (inside * inside);
  float edge = whole * after.way;
  int is_gentle = gentle * edge < outside * rest;
  float factor = (is_gentle ? gentle : outside) * after.whole / (is_gentle ? rest : edge);
  return more > 0.0f ? factor : wanted;
}

/// Pixels whose colours are changed together: neighbours are mostly of like hue. The block has room
/// for whole runs; what lies after its pixels is computed for nothing.
enum { PH_LIKE_HUES = 128 };

/// What the hues of a run of pixels make of its colours: whether any is turned, whether any is lit,
/// and whether the chroma of any grows.
typedef struct {
  int turns, lights, grows;
} PhHueChange;

PH_INLINE PhHueChange ph_hue_change(const PhRows change) {
  int32_t turns = 0;
  int32_t lights = 0;
  int32_t grows = 0;
  for (int i = 0; i < PH_LIKE_HUES; i++) {
    turns |= (change[0][i] != 1.0f) | (change[1][i] != 0.0f);
    lights |= change[3][i] != 0.0f;
    grows |= change[2][i] > 0.0f;
  }
  return (PhHueChange){turns, lights, grows};
}

/// The lightness that goes a step towards white or black, and does not get there.
PH_INLINE float ph_lit(float lightness, float step) {
  float room = step > 0.0f ? 1.0f - lightness : lightness;
  room = room > 0.0f ? room : 0.0f;
  return lightness + step * room / (__builtin_fabsf(step) + room + 1e-9f);
}

/// A run of OKLab colours.
typedef struct {
  float *restrict lightness, *restrict a, *restrict b;
} PhLabRun;

/// The purities of a run of colours.
typedef struct {
  _Alignas(64) float way[PH_LIKE_HUES];
  _Alignas(64) float whole[PH_LIKE_HUES];
} PhPurities;

PH_INLINE void ph_purities(PhLabRun run, PhPurities *restrict to) {
  for (int i = 0; i < PH_LIKE_HUES; i++) {
    PhPurity purity = ph_purity(run.lightness[i], run.a[i], run.b[i]);
    to->way[i] = purity.way;
    to->whole[i] = purity.whole;
  }
}

/// Without `lights` the same to the bit for colours that are not lit.
///
/// In short loops: a CPU has not the room for enough pixels at once of one that is as long.
PH_INLINE void ph_turn_hues(PhLabRun run, const PhRows change, int lights) {
  PhPurities before, after;
  ph_purities(run, &before);
  for (int i = 0; i < PH_LIKE_HUES; i++) {
    float a = run.a[i];
    float b = run.b[i];
    if (lights)
      run.lightness[i] =
          ph_lit(run.lightness[i], change[3][i] * __builtin_elementwise_sqrt(a * a + b * b));
    run.a[i] = change[0][i] * a - change[1][i] * b;
    run.b[i] = change[1][i] * a + change[0][i] * b;
  }
  ph_purities(run, &after);
  for (int i = 0; i < PH_LIKE_HUES; i++) {
    PhPurity old = {before.way[i], before.whole[i]};
    PhPurity new = {after.way[i], after.whole[i]};
    float factor = ph_held_factor(1.0f + change[2][i], old, new);
    run.a[i] *= factor;
    run.b[i] *= factor;
  }
}

/// The same to the bit for colours that are neither turned nor lit, and so have one purity.
PH_INLINE void ph_grow_hues(PhLabRun run, const PhRows change) {
  for (int i = 0; i < PH_LIKE_HUES; i++) {
    float a = run.a[i];
    float b = run.b[i];
    PhPurity purity = ph_purity(run.lightness[i], a, b);
    float factor = ph_held_factor(1.0f + change[2][i], purity, purity);
    run.a[i] = factor * a;
    run.b[i] = factor * b;
  }
}

/// The same to the bit for colours that none of it makes purer.
PH_INLINE void ph_fade_hues(PhLabRun run, const PhRows change) {
  for (int i = 0; i < PH_LIKE_HUES; i++) {
    float factor = 1.0f + change[2][i];
    run.a[i] = factor * run.a[i];
    run.b[i] = factor * run.b[i];
  }
}

static void ph_hues(PhBlock *restrict block, const float *payload) {
  int n = (int)payload[0];
  float scale = (float)n * 0.25f;
  for (int first = 0; first < block->count; first += PH_LIKE_HUES) {
    PhLabRun run = {block->plane[0] + first, block->plane[1] + first, block->plane[2] + first};
    PhPlaces places;
    // The turn as cosine and sine, the growth, and the lightness.
    _Alignas(64) PhRows change;
    for (int i = 0; i < PH_LIKE_HUES; i++)
      ph_place(&places, i, ph_diamond_angle(run.a[i], run.b[i]) * scale, n, 4);
    ph_rows_between(payload + 1, 4, &places, PH_LIKE_HUES, change);
    PhHueChange like = ph_hue_change(change);
    if (like.lights)
      ph_turn_hues(run, change, 1);
    else if (like.turns)
      ph_turn_hues(run, change, 0);
    else if (like.grows)
      ph_grow_hues(run, change);
    else
      ph_fade_hues(run, change);
  }
}
