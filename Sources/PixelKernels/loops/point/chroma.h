// Instructions on the chroma and the hue of OKLab colours, which stay in sRGB where they were in it.

/// What the cones of an eye see of a colour: linear light.
typedef struct {
  float l, m, s;
} PhCones;

/// Source of the matrices here: B. Ottosson, "A perceptual color space for image processing", 2020.
PH_INLINE PhCones ph_cones(float lightness, float a, float b) {
  float l = lightness + 0.3963377774f * a + 0.2158037573f * b;
  float m = lightness - 0.1055613458f * a - 0.0638541728f * b;
  float s = lightness - 0.0894841775f * a - 1.2914855480f * b;
  return (PhCones){l * l * l, m * m * m, s * s * s};
}

/// A colour's purity: how far it is from the grey of its lightness on the way to the edge of sRGB, 0 of
/// greys, 1 at the edge, never negative. See VIBRANCE.
PH_INLINE float ph_purity(float lightness, float a, float b) {
  PhCones cones = ph_cones(lightness, a, b);
  float m = cones.m;
  float grey = lightness * lightness * lightness;
  // The rows of the matrix sum to 1: a channel is `m` and parts of how far the others are from it.
  float over = m - grey;
  float l = cones.l - m;
  float s = cones.s - m;
  float red = 4.0767416621f * l + 0.2309699292f * s;
  float green = -1.2684380046f * l - 0.3413193965f * s;
  float blue = 1.7076147010f * s - 0.0041960863f * l;
  float high = red > green ? red : green;
  float low = red > green ? green : red;
  high = high > blue ? high : blue;
  low = low < blue ? low : blue;
  float above = 1.0f - grey > 1e-4f ? 1.0f - grey : 1e-4f;
  float below = grey > 1e-4f ? grey : 1e-4f;
  float up = (over + high) * below;
  float down = -(over + low) * above;
  // One of them is not negative, since the highest channel is none below the lowest one.
  return (up > down ? up : down) / (above * below);
}

/// OKLab colours.
typedef struct {
  float *restrict lightness, *restrict a, *restrict b;
} PhLab;

/// Purities take a loop of their own: a CPU has not the room for enough pixels at once of a longer one.
PH_INLINE void ph_purities(PhLab colours, int count, float *restrict to) {
  for (int i = 0; i < count; i++)
    to[i] = ph_purity(colours.lightness[i], colours.a[i], colours.b[i]);
}

/// What the chroma of a colour grows by, less 1: `growth`, but less the purer the colour is, so that
/// none leaves sRGB that was in it. With q = min(1, purity)² it is `growth (1 − q) ÷ (1 + growth q)`.
PH_INLINE float ph_held_growth(float growth, float purity) {
  float inside = purity < 1.0f ? purity : 1.0f;
  float q = inside * inside;
  return growth * (1.0f - q) / (1.0f + growth * q);
}

PH_INLINE void ph_vibrance_block(PhBlock *restrict block, float strength, int held) {
  PhLab colours = {block->plane[0], block->plane[1], block->plane[2]};
  _Alignas(64) float purity[PH_BLOCK];
  if (held) ph_purities(colours, block->count, purity);
  for (int i = 0; i < block->count; i++) {
    float a = colours.a[i];
    float b = colours.b[i];
    float chroma = 4.0f * __builtin_elementwise_sqrt(a * a + b * b);
    float growth = strength * (1.0f - (chroma < 1.0f ? chroma : 1.0f));
    if (held) growth = ph_held_growth(growth, purity[i]);
    colours.a[i] = a * (1.0f + growth);
    colours.b[i] = b * (1.0f + growth);
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
  PhLab colours = {block->plane[0], block->plane[1], block->plane[2]};
  _Alignas(64) float purity[PH_BLOCK];
  ph_purities(colours, block->count, purity);
  for (int i = 0; i < block->count; i++) {
    float growth = ph_held_growth(strength, purity[i]);
    colours.a[i] *= 1.0f + growth;
    colours.b[i] *= 1.0f + growth;
  }
}

/// The factor, `wanted` or less, of the chroma of a colour that had one purity and got another.
///
/// With the growth `G = wanted (after + 0.001) ÷ (before + 0.001) − 1` and q = min(1, before), it is the
/// lesser of `wanted ÷ (1 + G q²)` and `max(1, before) ÷ after`; `wanted` where G is not above 0.
PH_INLINE float ph_held_factor(float wanted, float before, float after) {
  float inside = before < 1.0f ? before : 1.0f;
  float outside = before < 1.0f ? 1.0f : before;
  float old = before + 0.001f;
  float more = wanted * (after + 0.001f) - old;
  float gentle = wanted * old;
  float rest = old + more * (inside * inside);
  // The lesser one of two quotients is divided.
  int is_gentle = gentle * after < outside * rest;
  float factor = (is_gentle ? gentle : outside) / (is_gentle ? rest : after);
  return more > 0.0f ? factor : wanted;
}

/// The linear light of a colour's brightest channel, at least 0.
PH_INLINE float ph_brightest(float lightness, float a, float b) {
  PhCones cones = ph_cones(lightness, a, b);
  float l = cones.l;
  float m = cones.m;
  float s = cones.s;
  float red = 4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s;
  float green = -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s;
  float blue = -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s;
  float high = red > green ? red : green;
  high = high > blue ? high : blue;
  return high > 0.0f ? high : 0.0f;
}

/// The part of a change of lightness that a vivid colour makes; see HOLD.
PH_INLINE float ph_lit_part(float lightness, float before, float after) {
  float old = __builtin_elementwise_sqrt(before);
  float rise = __builtin_elementwise_sqrt(after) - old;
  float room = old < 1.0f ? 1.0f - old : 0.0f;
  float grey = ph_unit(lightness * lightness * lightness / (before > 1e-4f ? before : 1e-4f));
  float part = 1.0f - (1.0f - grey) * rise / (rise + room + 1e-6f);
  return rise > 0.0f ? part : 1.0f;
}

static void ph_hold(PhBlock *restrict block, const float *payload) {
  float(*saved)[PH_PLANE] = block->saved[(int)payload[0]];
  PhLab old = {saved[0], saved[1], saved[2]};
  PhLab colours = {block->plane[0], block->plane[1], block->plane[2]};
  _Alignas(64) float before[PH_BLOCK], after[PH_BLOCK];
  for (int i = 0; i < block->count; i++) {
    float from = ph_brightest(old.lightness[i], old.a[i], old.b[i]);
    float to = ph_brightest(colours.lightness[i], colours.a[i], colours.b[i]);
    float part = ph_lit_part(old.lightness[i], from, to);
    colours.lightness[i] = old.lightness[i] + part * (colours.lightness[i] - old.lightness[i]);
    colours.a[i] = old.a[i] + part * (colours.a[i] - old.a[i]);
    colours.b[i] = old.b[i] + part * (colours.b[i] - old.b[i]);
  }
  ph_purities(old, block->count, before);
  ph_purities(colours, block->count, after);
  for (int i = 0; i < block->count; i++) {
    float factor = ph_held_factor(1.0f, before[i], after[i]);
    colours.a[i] *= factor;
    colours.b[i] *= factor;
  }
}
