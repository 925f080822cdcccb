// Instructions on OKLab colours: chroma keying, and changes of chroma that keep the colours of a
// gamut within it.

/// Linear cone responses (LMS).
typedef struct {
  float l, m, s;
} PhCones;

/// Computes the cone responses of an OKLab colour. Source of the matrices in this file: B.
/// Ottosson, "A perceptual color space for image processing", 2020.
PH_INLINE PhCones ph_cones(float lightness, float a, float b) {
  float l = lightness + 0.3963377774f * a + 0.2158037573f * b;
  float m = lightness - 0.1055613458f * a - 0.0638541728f * b;
  float s = lightness - 0.0894841775f * a - 1.2914855480f * b;
  return (PhCones){l * l * l, m * m * m, s * s * s};
}

/// The matrix from cone responses to the channels of a gamut. Each of its rows sums to 1, so a
/// channel is the cone response `m` plus these multiples of `l − m` and `s − m`.
typedef struct {
  float red_l, red_s, green_l, green_s, blue_l, blue_s;
} PhGamut;

PH_INLINE PhGamut ph_gamut_read(const float *payload) {
  return (PhGamut){payload[0], payload[1], payload[2], payload[3], payload[4], payload[5]};
}

static const PhGamut ph_srgb_gamut = {4.0767416621f,  0.2309699292f,  -1.2684380046f,
                                      -0.3413193965f, -0.0041960863f, 1.7076147010f};

/// The purity of a colour: its distance from the grey of the same lightness, relative to the
/// distance of the edge of the gamut. The purity is 0 for greys, 1 at the edge, and never negative.
/// See VIBRANCE.
PH_INLINE float ph_purity(float lightness, float a, float b, PhGamut gamut) {
  PhCones cones = ph_cones(lightness, a, b);
  float m = cones.m;
  float grey = lightness * lightness * lightness;
  float over = m - grey;
  float l = cones.l - m;
  float s = cones.s - m;
  float red = gamut.red_l * l + gamut.red_s * s;
  float green = gamut.green_l * l + gamut.green_s * s;
  float blue = gamut.blue_s * s + gamut.blue_l * l;
  float high = red > green ? red : green;
  float low = red > green ? green : red;
  high = high > blue ? high : blue;
  low = low < blue ? low : blue;
  float above = 1.0f - grey > 1e-4f ? 1.0f - grey : 1e-4f;
  float below = grey > 1e-4f ? grey : 1e-4f;
  float up = (over + high) * below;
  float down = -(over + low) * above;
  // At least one of `up` and `down` is not negative, because the highest channel is not below the
  // lowest channel.
  return (up > down ? up : down) / (above * below);
}

/// OKLab colours.
typedef struct {
  float *restrict lightness, *restrict a, *restrict b;
} PhLab;

/// Computes purities in a separate loop, because a longer loop would need too many registers.
PH_INLINE void ph_purities(PhLab colours, int count, PhGamut gamut, float *restrict to) {
  for (int i = 0; i < count; i++)
    to[i] = ph_purity(colours.lightness[i], colours.a[i], colours.b[i], gamut);
}

/// The relative growth of a colour's chroma: `growth`, reduced with increasing purity, to 0 at the
/// edge of the gamut. With q = min(1, purity)², it is `growth (1 − q) ÷ (1 + growth q)`.
PH_INLINE float ph_held_growth(float growth, float purity) {
  float inside = purity < 1.0f ? purity : 1.0f;
  float q = inside * inside;
  return growth * (1.0f - q) / (1.0f + growth * q);
}

/// The factor by which a growth of chroma is multiplied to protect hues of skin: 0.3 within 10° of
/// the hue of skin, 1 beyond 28°. `chroma` is the length of (a, b).
PH_INLINE float ph_part_for_skin(float a, float b, float chroma) {
  // The constants are the cosine and the sine of 50°, the hue of skin; the cosine of 28°; and the
  // difference between the cosines of 10° and 28°.
  float along = 0.6427876097f * a + 0.7660444431f * b;
  float beyond = along - 0.8829475929f * chroma;
  float width = 0.1018601601f * (chroma > 1e-6f ? chroma : 1e-6f);
  return 1.0f - 0.7f * ph_smoothstep(beyond / width);
}

PH_INLINE void ph_vibrance_block(PhBlock *restrict block, const float *payload, int held) {
  float strength = payload[0];
  PhLab colours = {block->plane[0], block->plane[1], block->plane[2]};
  _Alignas(64) float purity[PH_BLOCK];
  if (held) ph_purities(colours, block->count, ph_gamut_read(payload + 1), purity);
  for (int i = 0; i < block->count; i++) {
    float a = colours.a[i];
    float b = colours.b[i];
    float length = __builtin_elementwise_sqrt(a * a + b * b);
    float chroma = 4.0f * length;
    float growth = strength * (1.0f - (chroma < 1.0f ? chroma : 1.0f));
    if (held) growth = ph_held_growth(growth * ph_part_for_skin(a, b, length), purity[i]);
    colours.a[i] = a * (1.0f + growth);
    colours.b[i] = b * (1.0f + growth);
  }
}

static void ph_vibrance(PhBlock *restrict block, const float *payload) {
  if (payload[0] > 0.0f)
    ph_vibrance_block(block, payload, 1);
  else
    ph_vibrance_block(block, payload, 0);
}

static void ph_saturate(PhBlock *restrict block, const float *payload) {
  float strength = payload[0];
  PhLab colours = {block->plane[0], block->plane[1], block->plane[2]};
  _Alignas(64) float purity[PH_BLOCK];
  ph_purities(colours, block->count, ph_gamut_read(payload + 1), purity);
  for (int i = 0; i < block->count; i++) {
    float growth = ph_held_growth(strength, purity[i]);
    colours.a[i] *= 1.0f + growth;
    colours.b[i] *= 1.0f + growth;
  }
}

/// The factor, at most `wanted`, for the chroma of a colour whose purity changed from `before` to
/// `after` before chroma is multiplied.
///
/// With the growth `G = wanted (after + 0.001) ÷ (before + 0.001) − 1` and q = min(1, before), the
/// factor is the lesser of `wanted ÷ (1 + G q²)` and `max(1, before) ÷ after`. The factor is
/// `wanted` if G is not above 0.
PH_INLINE float ph_held_factor(float wanted, float before, float after) {
  float inside = before < 1.0f ? before : 1.0f;
  float outside = before < 1.0f ? 1.0f : before;
  float old = before + 0.001f;
  float more = wanted * (after + 0.001f) - old;
  float gentle = wanted * old;
  float rest = old + more * (inside * inside);
  // To save a division, the two quotients are compared by cross-multiplication, and only the
  // smaller one is computed.
  int is_gentle = gentle * after < outside * rest;
  float factor = (is_gentle ? gentle : outside) / (is_gentle ? rest : after);
  return more > 0.0f ? factor : wanted;
}

/// The linear light of a colour's brightest channel, not below 0.
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

/// The fraction of a change of lightness that a vivid colour receives; see HOLD.
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
  ph_purities(old, block->count, ph_srgb_gamut, before);
  ph_purities(colours, block->count, ph_srgb_gamut, after);
  for (int i = 0; i < block->count; i++) {
    float factor = ph_held_factor(1.0f, before[i], after[i]);
    colours.a[i] *= factor;
    colours.b[i] *= factor;
  }
}

/// Makes pixels near the key colour transparent, and removes spill of the key colour from the other
/// pixels.
static void ph_key(PhBlock *restrict block, const float *payload) {
  float per_softness = 1.0f / payload[5];
  int alpha = block->bands == 4;
  for (int i = 0; i < block->count; i++) {
    float a = block->plane[1][i];
    float b = block->plane[2][i];
    float lightness = payload[3] * (block->plane[0][i] - payload[0]);
    float da = a - payload[1];
    float db = b - payload[2];
    float distance = __builtin_elementwise_sqrt(lightness * lightness + da * da + db * db);
    float kept = ph_smoothstep((distance - payload[4]) * per_softness);
    float along = a * payload[6] + b * payload[7];
    float across = __builtin_fabsf(b * payload[6] - a * payload[7]);
    float beyond = along - 1.7320508f * across;
    float spill = beyond > 0.0f ? payload[8] * beyond : 0.0f;
    block->plane[1][i] = a - spill * payload[6];
    block->plane[2][i] = b - spill * payload[7];
    if (alpha) block->plane[3][i] *= kept;
  }
}
