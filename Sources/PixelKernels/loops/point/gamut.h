// Moves colours outside a colour space into the space, at constant OKLab lightness and hue; near blue,
// at nearly constant ones.

/// The search for the edge of the space: even steps from grey to the colour, then halvings of the
/// first step that leaves the space.
enum { PH_GAMUT_STEPS = 8, PH_GAMUT_HALVINGS = 14 };

/// The distance outside the space up to which a colour does not change, because rounding puts a
/// primary that two spaces share outside one of them.
#define PH_GAMUT_EDGE 1e-5f

/// The distance outside the space from which a colour counts as outside for the softer search of the
/// hues of blue, and the cosines of 25° and 8°, the distances from blue's hue at which this search
/// begins and is complete. It is complete up to the lightness 0.6 and ends at 0.8, because lighter
/// parts of the space are convex.
#define PH_GAMUT_SOFT 0.1f
#define PH_GAMUT_FAR 0.9063077870f
#define PH_GAMUT_NEAR 0.9902680687f
#define PH_GAMUT_DIM 0.6f
#define PH_GAMUT_LIGHT 0.8f

/// Returns 1 if a colour is outside the space by more than `edge`, else 0.
PH_INLINE int32_t ph_leaves_gamut(float red, float green, float blue, float edge) {
  const float low = -edge, high = 1 + edge;
  return !(red >= low) | !(green >= low) | !(blue >= low) | !(red <= high) | !(green <= high) |
         !(blue <= high);
}

/// One row of a matrix, applied to three values.
PH_INLINE float ph_row(const float *row, float x, float y, float z) {
  return row[0] * x + row[1] * y + row[2] * z;
}

PH_INLINE float ph_cubed(float x) { return x * x * x; }

/// The colours of a block that are moved: for each, `grey` is the cube root of each cone response for
/// the grey of the same lightness, and `l`, `n` and `s` are the differences of the colour's cube roots
/// from `grey` at full chroma.
typedef struct {
  _Alignas(64) float grey[PH_BLOCK], l[PH_BLOCK], n[PH_BLOCK], s[PH_BLOCK];
} PhFading;

typedef struct {
  float red, green, blue;
} PhLight;

/// The colour i with `part` of its chroma; `m` is the matrix from cone responses to the space.
PH_INLINE PhLight ph_faded(const PhFading *restrict from, int i, float part, const float *m) {
  float x = ph_cubed(from->grey[i] + part * from->l[i]);
  float y = ph_cubed(from->grey[i] + part * from->n[i]);
  float z = ph_cubed(from->grey[i] + part * from->s[i]);
  return (PhLight){ph_row(m, x, y, z), ph_row(m + 3, x, y, z), ph_row(m + 6, x, y, z)};
}

/// How far inside the space a colour is, 0…1: 1 inside, 0 if a channel is `1 ÷ per_soft` above 1, or
/// below 0 by that times the light of the grey of the same lightness.
PH_INLINE float ph_inside_softly(PhLight c, float per_grey, float per_soft) {
  float low = c.red < c.green ? c.red : c.green;
  float high = c.red > c.green ? c.red : c.green;
  low = low < c.blue ? low : c.blue;
  high = (high > c.blue ? high : c.blue) - 1.0f;
  float below = -low * per_grey;
  return 1.0f - ph_unit((below > high ? below : high) * per_soft);
}

/// Increases the parts of chroma for hues near blue, where the space is concave; see GAMUT.
static void ph_gamut_near_blue(const PhBlock *restrict block, const PhFading *restrict from,
                               const float *m, const float *restrict weight, float *restrict part) {
  for (int i = 0; i < block->count; i++) {
    float cubed = ph_cubed(from->grey[i]);
    float per_grey = 1.0f / (cubed > 1e-6f ? cubed : 1e-6f);
    float soft = PH_GAMUT_SOFT * weight[i];
    float per_soft = 1.0f / (soft > 1e-9f ? soft : 1e-9f);
    float rest = 1.0f - part[i];
    float sum = 0.0f;
    for (int k = 0; k < PH_GAMUT_STEPS; k++) {
      float at = part[i] + rest * (((float)k + 0.5f) / PH_GAMUT_STEPS);
      sum += ph_inside_softly(ph_faded(from, i, at, m), per_grey, per_soft);
    }
    float most = part[i] + rest * sum / PH_GAMUT_STEPS;
    PhLight own = {block->plane[0][i], block->plane[1][i], block->plane[2][i]};
    most += (1.0f - most) * ph_inside_softly(own, per_grey, per_soft);
    part[i] = weight[i] > 0.0f ? most : part[i];
  }
}

static void ph_gamut(PhBlock *restrict block, const float *payload) {
  float m[20];
  memcpy(m, payload, sizeof m);
  float *restrict red = block->plane[0], *restrict green = block->plane[1];
  float *restrict blue = block->plane[2];
  int32_t any = 0;
  for (int i = 0; i < block->count; i++)
    any |= ph_leaves_gamut(red[i], green[i], blue[i], PH_GAMUT_EDGE);
  if (!any) return;
  PhFading from;
  _Alignas(64) float low[PH_BLOCK], high[PH_BLOCK], weight[PH_BLOCK];
  float most = 0.0f;
  for (int i = 0; i < block->count; i++) {
    float long_root = ph_odd_cube_root(ph_row(m, red[i], green[i], blue[i]));
    float middle_root = ph_odd_cube_root(ph_row(m + 3, red[i], green[i], blue[i]));
    float short_root = ph_odd_cube_root(ph_row(m + 6, red[i], green[i], blue[i]));
    float lightness =
        0.2104542553f * long_root + 0.7936177850f * middle_root - 0.0040720468f * short_root;
    float a = 1.9779984951f * long_root - 2.4285922050f * middle_root + 0.4505937099f * short_root;
    float b = 0.0259040371f * long_root + 0.7827717662f * middle_root - 0.8086757660f * short_root;
    from.grey[i] = ph_unit(lightness);
    from.l[i] = long_root - lightness;
    from.n[i] = middle_root - lightness;
    from.s[i] = short_root - lightness;
    low[i] = 1.0f;
    high[i] = 1.0f;
    float chroma = __builtin_elementwise_sqrt(a * a + b * b);
    float along = (a * m[18] + b * m[19]) / (chroma > 1e-6f ? chroma : 1e-6f);
    int32_t moved = ph_leaves_gamut(red[i], green[i], blue[i], PH_GAMUT_EDGE);
    float near = ph_smoothstep((along - PH_GAMUT_FAR) / (PH_GAMUT_NEAR - PH_GAMUT_FAR));
    float light = ph_smoothstep((from.grey[i] - PH_GAMUT_DIM) / (PH_GAMUT_LIGHT - PH_GAMUT_DIM));
    weight[i] = moved ? near * (1.0f - light) : 0.0f;
    most = weight[i] > most ? weight[i] : most;
  }
  // From the colour towards grey, so that the step nearest to grey that leaves the space is kept.
  for (int k = PH_GAMUT_STEPS; k > 0; k--)
    for (int i = 0; i < block->count; i++) {
      float part = (float)k / PH_GAMUT_STEPS;
      PhLight c = ph_faded(&from, i, part, m + 9);
      int32_t outside = ph_leaves_gamut(c.red, c.green, c.blue, 0);
      low[i] = outside ? part - 1.0f / PH_GAMUT_STEPS : low[i];
      high[i] = outside ? part : high[i];
    }
  for (int k = 0; k < PH_GAMUT_HALVINGS; k++)
    for (int i = 0; i < block->count; i++) {
      float part = (low[i] + high[i]) * 0.5f;
      PhLight c = ph_faded(&from, i, part, m + 9);
      int32_t outside = ph_leaves_gamut(c.red, c.green, c.blue, 0);
      low[i] = outside ? low[i] : part;
      high[i] = outside ? part : high[i];
    }
  if (most > 0.0f) ph_gamut_near_blue(block, &from, m + 9, weight, low);
  for (int i = 0; i < block->count; i++) {
    PhLight c = ph_faded(&from, i, low[i], m + 9);
    int32_t outside = ph_leaves_gamut(red[i], green[i], blue[i], PH_GAMUT_EDGE);
    red[i] = outside ? ph_unit(c.red) : red[i];
    green[i] = outside ? ph_unit(c.green) : green[i];
    blue[i] = outside ? ph_unit(c.blue) : blue[i];
  }
}
