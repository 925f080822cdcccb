// Blend modes of the planes over the saved planes. Source: W3C, Compositing and Blending Level 1, 9
// and 10. b is the backdrop (a saved plane), s the source (a plane), both 0…1.

PH_INLINE float ph_blend_multiply(float b, float s) { return b * s; }

PH_INLINE float ph_blend_screen(float b, float s) { return b + s - b * s; }

PH_INLINE float ph_blend_hard_light(float b, float s) {
  return s <= 0.5f ? b * (2.0f * s) : ph_blend_screen(b, 2.0f * s - 1.0f);
}

PH_INLINE float ph_blend_overlay(float b, float s) { return ph_blend_hard_light(s, b); }

PH_INLINE float ph_blend_darken(float b, float s) { return b < s ? b : s; }

PH_INLINE float ph_blend_lighten(float b, float s) { return b > s ? b : s; }

PH_INLINE float ph_blend_colour_dodge(float b, float s) {
  float room = 1.0f - s;
  return b <= 0.0f ? 0.0f : b >= room ? 1.0f : b / room;
}

PH_INLINE float ph_blend_colour_burn(float b, float s) {
  float room = 1.0f - b;
  return room <= 0.0f ? 1.0f : room >= s ? 0.0f : 1.0f - room / s;
}

PH_INLINE float ph_blend_soft_light(float b, float s) {
  float dark = ((16.0f * b - 12.0f) * b + 4.0f) * b;
  float d = b <= 0.25f ? dark : __builtin_elementwise_sqrt(b);
  float twice = 2.0f * s - 1.0f;
  return s <= 0.5f ? b + twice * (b * (1.0f - b)) : b + twice * (d - b);
}

PH_INLINE float ph_blend_difference(float b, float s) { return __builtin_fabsf(b - s); }

PH_INLINE float ph_blend_exclusion(float b, float s) { return b + s - 2.0f * (b * s); }

PH_INLINE float ph_blend_add(float b, float s) { return b + s < 1.0f ? b + s : 1.0f; }

PH_INLINE float ph_blend_subtract(float b, float s) { return b > s ? b - s : 0.0f; }

/// Defines a separable blend mode.
#define PH_SEPARABLE(name)                                                    \
  static void ph_planes_##name(PhBlock *restrict block, int slot) {           \
    for (int c = 0; c < 3; c++)                                               \
      for (int i = 0; i < block->count; i++)                                  \
        block->plane[c][i] = ph_blend_##name(ph_unit(block->saved[slot][c][i]), \
                                             ph_unit(block->plane[c][i]));    \
  }

PH_SEPARABLE(multiply)
PH_SEPARABLE(screen)
PH_SEPARABLE(overlay)
PH_SEPARABLE(darken)
PH_SEPARABLE(lighten)
PH_SEPARABLE(colour_dodge)
PH_SEPARABLE(colour_burn)
PH_SEPARABLE(hard_light)
PH_SEPARABLE(soft_light)
PH_SEPARABLE(difference)
PH_SEPARABLE(exclusion)
PH_SEPARABLE(add)
PH_SEPARABLE(subtract)
#undef PH_SEPARABLE

typedef struct {
  float r, g, b;
} PhColour;

PH_INLINE float ph_least(PhColour c) { return ph_blend_darken(c.r, ph_blend_darken(c.g, c.b)); }

PH_INLINE float ph_most(PhColour c) { return ph_blend_lighten(c.r, ph_blend_lighten(c.g, c.b)); }

PH_INLINE float ph_luminosity(PhColour c) { return 0.3f * c.r + 0.59f * c.g + 0.11f * c.b; }

/// Returns the colour with another luminosity; channels outside 0…1 are moved back into 0…1.
PH_INLINE PhColour ph_with_luminosity(PhColour c, float luminosity) {
  float shift = luminosity - ph_luminosity(c);
  c.r += shift, c.g += shift, c.b += shift;
  float low = ph_least(c);
  float high = ph_most(c);
  float up = low < 0.0f ? luminosity / (luminosity - low) : 1.0f;
  float down = high > 1.0f ? (1.0f - luminosity) / (high - luminosity) : 1.0f;
  float part = up < down ? up : down;
  c.r = luminosity + (c.r - luminosity) * part;
  c.g = luminosity + (c.g - luminosity) * part;
  c.b = luminosity + (c.b - luminosity) * part;
  return c;
}

/// Returns the colour with its channels scaled to 0…`saturation`.
PH_INLINE PhColour ph_with_saturation(PhColour c, float saturation) {
  float low = ph_least(c);
  float range = ph_most(c) - low;
  float scale = range > 0.0f ? saturation / range : 0.0f;
  c.r = (c.r - low) * scale, c.g = (c.g - low) * scale, c.b = (c.b - low) * scale;
  return c;
}

PH_INLINE float ph_saturation(PhColour c) { return ph_most(c) - ph_least(c); }

PH_INLINE PhColour ph_blend_hue(PhColour b, PhColour s) {
  return ph_with_luminosity(ph_with_saturation(s, ph_saturation(b)), ph_luminosity(b));
}

PH_INLINE PhColour ph_blend_saturation(PhColour b, PhColour s) {
  return ph_with_luminosity(ph_with_saturation(b, ph_saturation(s)), ph_luminosity(b));
}

PH_INLINE PhColour ph_blend_colour(PhColour b, PhColour s) {
  return ph_with_luminosity(s, ph_luminosity(b));
}

PH_INLINE PhColour ph_blend_luminosity(PhColour b, PhColour s) {
  return ph_with_luminosity(b, ph_luminosity(s));
}

/// Defines a non-separable blend mode.
#define PH_TOGETHER(name)                                                                \
  static void ph_planes_##name(PhBlock *restrict block, int slot) {                      \
    for (int i = 0; i < block->count; i++) {                                             \
      PhColour b = {ph_unit(block->saved[slot][0][i]), ph_unit(block->saved[slot][1][i]), \
                    ph_unit(block->saved[slot][2][i])};                                  \
      PhColour s = {ph_unit(block->plane[0][i]), ph_unit(block->plane[1][i]),            \
                    ph_unit(block->plane[2][i])};                                        \
      PhColour result = ph_blend_##name(b, s);                                           \
      block->plane[0][i] = result.r;                                                     \
      block->plane[1][i] = result.g;                                                     \
      block->plane[2][i] = result.b;                                                     \
    }                                                                                    \
  }

PH_TOGETHER(hue)
PH_TOGETHER(saturation)
PH_TOGETHER(colour)
PH_TOGETHER(luminosity)
#undef PH_TOGETHER

/// Restores the planes in proportion to the transparency of the saved planes. `source` has the
/// planes before the blend.
static void ph_uncover(PhBlock *restrict block, int slot, const float (*source)[PH_PLANE]) {
  for (int i = 0; i < block->count; i++) {
    float below = block->saved[slot][3][i];
    float above = block->plane[3][i];
    float alone = below < above ? 1.0f - below / above : 0.0f;
    for (int c = 0; c < 3; c++)
      block->plane[c][i] += alone * (ph_unit(source[c][i]) - block->plane[c][i]);
  }
}

static void ph_blend(PhBlock *restrict block, const float *payload) {
  static void (*const modes[])(PhBlock *restrict, int) = {
      [PHBATCH_BLEND_MULTIPLY] = ph_planes_multiply,
      [PHBATCH_BLEND_SCREEN] = ph_planes_screen,
      [PHBATCH_BLEND_OVERLAY] = ph_planes_overlay,
      [PHBATCH_BLEND_DARKEN] = ph_planes_darken,
      [PHBATCH_BLEND_LIGHTEN] = ph_planes_lighten,
      [PHBATCH_BLEND_COLOUR_DODGE] = ph_planes_colour_dodge,
      [PHBATCH_BLEND_COLOUR_BURN] = ph_planes_colour_burn,
      [PHBATCH_BLEND_HARD_LIGHT] = ph_planes_hard_light,
      [PHBATCH_BLEND_SOFT_LIGHT] = ph_planes_soft_light,
      [PHBATCH_BLEND_DIFFERENCE] = ph_planes_difference,
      [PHBATCH_BLEND_EXCLUSION] = ph_planes_exclusion,
      [PHBATCH_BLEND_ADD] = ph_planes_add,
      [PHBATCH_BLEND_SUBTRACT] = ph_planes_subtract,
      [PHBATCH_BLEND_HUE] = ph_planes_hue,
      [PHBATCH_BLEND_SATURATION] = ph_planes_saturation,
      [PHBATCH_BLEND_COLOUR] = ph_planes_colour,
      [PHBATCH_BLEND_LUMINOSITY] = ph_planes_luminosity,
  };
  int slot = (int)payload[0];
  int mode = (int)payload[1];
  if (block->bands == 3) return modes[mode](block, slot);
  float source[3][PH_PLANE];
  memcpy(source, block->plane, sizeof source);
  modes[mode](block, slot);
  ph_uncover(block, slot, source);
}
