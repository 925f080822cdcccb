// Moves colours outside a colour space into the space, at constant OKLab lightness and hue; near blue,
// at nearly constant ones.

/// The search for the edge of the space: even steps from grey to the colour, then halvings of the
/// first step that leaves the space, then two secants.
enum { PH_GAMUT_STEPS = 8, PH_GAMUT_HALVINGS = 8 };

/// The number of colours that are searched side by side; divides PH_BLOCK.
enum { PH_GAMUT_GROUP = 16 };

/// The distance outside the space up to which a colour does not change, because rounding puts a
/// primary that two spaces share outside one of them.
#define PH_GAMUT_EDGE 1e-5f
/// The same distance for sRGB-encoded samples, below 0 and above 1.
#define PH_GAMUT_LOW_EDGE (12.92f * PH_GAMUT_EDGE)
#define PH_GAMUT_HIGH_EDGE (1.055f / 2.4f * PH_GAMUT_EDGE)

/// The distance outside the space from which a colour counts as outside for the softer search of the
/// hues of blue, and the cosines of 25° and 8°, the distances from blue's hue at which this search
/// begins and is complete. It is complete up to the lightness 0.6 and ends at 0.8, because lighter
/// parts of the space are convex.
#define PH_GAMUT_SOFT 0.1f
#define PH_GAMUT_FAR 0.9063077870f
#define PH_GAMUT_NEAR 0.9902680687f
#define PH_GAMUT_DIM 0.6f
#define PH_GAMUT_LIGHT 0.8f

/// Returns 1 if a colour is outside the space by more than the edge, else 0.
PH_INLINE int32_t ph_leaves_gamut(float red, float green, float blue, int encoded) {
  const float low = encoded ? -PH_GAMUT_LOW_EDGE : -PH_GAMUT_EDGE;
  const float high = 1 + (encoded ? PH_GAMUT_HIGH_EDGE : PH_GAMUT_EDGE);
  return !(red >= low) | !(green >= low) | !(blue >= low) | !(red <= high) | !(green <= high) |
         !(blue <= high);
}

/// One row of a matrix, applied to three values.
PH_INLINE float ph_row(const float *row, float x, float y, float z) {
  return row[0] * x + row[1] * y + row[2] * z;
}

PH_INLINE float ph_cubed(float x) { return x * x * x; }

/// The colours of a block that are outside the space, one after the other. Their number is rounded up
/// to a multiple of PH_GAMUT_GROUP with copies of the last one.
typedef struct {
  _Alignas(64) float light[3][PH_BLOCK];
  /// The cube root of each cone response for the grey of the same lightness.
  _Alignas(64) float grey[PH_BLOCK];
  /// The differences of the colour's cube roots from `grey` at full chroma.
  _Alignas(64) float root[3][PH_BLOCK];
  /// The part of chroma that stays, and the weight of the softer search near blue.
  _Alignas(64) float part[PH_BLOCK], weight[PH_BLOCK];
  /// The positions in the block.
  int32_t place[PH_BLOCK];
  int count;
} PhOutside;

typedef struct {
  float red, green, blue;
} PhLight;

/// The colour i with `part` of its chroma; `m` is the matrix from cone responses to the space.
PH_INLINE PhLight ph_faded(const PhOutside *restrict from, int i, float part, const float *m) {
  float x = ph_cubed(from->grey[i] + part * from->root[0][i]);
  float y = ph_cubed(from->grey[i] + part * from->root[1][i]);
  float z = ph_cubed(from->grey[i] + part * from->root[2][i]);
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
static void ph_gamut_near_blue(PhOutside *restrict from, int start, const float *m) {
  _Alignas(64) float per_grey[PH_GAMUT_GROUP], per_soft[PH_GAMUT_GROUP], sum[PH_GAMUT_GROUP];
  for (int i = 0; i < PH_GAMUT_GROUP; i++) {
    float cubed = ph_cubed(from->grey[start + i]);
    float soft = PH_GAMUT_SOFT * from->weight[start + i];
    per_grey[i] = 1.0f / (cubed > 1e-6f ? cubed : 1e-6f);
    per_soft[i] = 1.0f / (soft > 1e-9f ? soft : 1e-9f);
    sum[i] = 0.0f;
  }
  // The colours of the group side by side, so that the compiler uses whole registers.
  for (int k = 0; k < PH_GAMUT_STEPS; k++)
    for (int i = 0; i < PH_GAMUT_GROUP; i++) {
      float part = from->part[start + i];
      float at = part + (1.0f - part) * (((float)k + 0.5f) / PH_GAMUT_STEPS);
      sum[i] += ph_inside_softly(ph_faded(from, start + i, at, m), per_grey[i], per_soft[i]);
    }
  for (int i = 0; i < PH_GAMUT_GROUP; i++) {
    int place = start + i;
    float part = from->part[place];
    float most = part + (1.0f - part) * sum[i] / PH_GAMUT_STEPS;
    PhLight own = {from->light[0][place], from->light[1][place], from->light[2][place]};
    most += (1.0f - most) * ph_inside_softly(own, per_grey[i], per_soft[i]);
    from->part[place] = from->weight[place] > 0.0f ? most : part;
  }
}

/// Collects the linear light of a block's colours that are outside the space.
PH_INLINE void ph_gamut_collect(const PhBlock *restrict block, PhOutside *restrict outside,
                                int encoded) {
  int count = 0;
  for (int start = 0; start < block->count; start += PH_GAMUT_GROUP) {
    const float *red = block->plane[0] + start, *green = block->plane[1] + start;
    const float *blue = block->plane[2] + start;
    int32_t leaves[PH_GAMUT_GROUP], any = 0;
    for (int i = 0; i < PH_GAMUT_GROUP; i++) {
      leaves[i] = ph_leaves_gamut(red[i], green[i], blue[i], encoded);
      any |= leaves[i];
    }
    if (!any) continue;
    for (int i = 0; i < PH_GAMUT_GROUP && start + i < block->count; i++) {
      outside->place[count] = start + i;
      count += leaves[i];
    }
  }
  outside->count = (count + PH_GAMUT_GROUP - 1) / PH_GAMUT_GROUP * PH_GAMUT_GROUP;
  for (int i = count; i < outside->count; i++) outside->place[i] = outside->place[count - 1];
  for (int c = 0; c < 3; c++) {
    for (int i = 0; i < outside->count; i++)
      outside->light[c][i] = block->plane[c][outside->place[i]];
    if (!encoded) continue;
    for (int i = 0; i < outside->count; i++)
      outside->light[c][i] = ph_linear_light(outside->light[c][i]);
  }
}

/// Computes cube roots and weights from linear light.
static void ph_gamut_roots(PhOutside *restrict from, const float *m) {
  for (int i = 0; i < from->count; i++) {
    float red = from->light[0][i], green = from->light[1][i], blue = from->light[2][i];
    float long_root = ph_odd_cube_root(ph_row(m, red, green, blue));
    float middle_root = ph_odd_cube_root(ph_row(m + 3, red, green, blue));
    float short_root = ph_odd_cube_root(ph_row(m + 6, red, green, blue));
    float lightness =
        0.2104542553f * long_root + 0.7936177850f * middle_root - 0.0040720468f * short_root;
    float a = 1.9779984951f * long_root - 2.4285922050f * middle_root + 0.4505937099f * short_root;
    float b = 0.0259040371f * long_root + 0.7827717662f * middle_root - 0.8086757660f * short_root;
    float grey = ph_unit(lightness);
    from->grey[i] = grey;
    from->root[0][i] = long_root - lightness;
    from->root[1][i] = middle_root - lightness;
    from->root[2][i] = short_root - lightness;
    float chroma = __builtin_elementwise_sqrt(a * a + b * b);
    float along = (a * m[18] + b * m[19]) / (chroma > 1e-6f ? chroma : 1e-6f);
    float near = ph_smoothstep((along - PH_GAMUT_FAR) / (PH_GAMUT_NEAR - PH_GAMUT_FAR));
    float light = ph_smoothstep((grey - PH_GAMUT_DIM) / (PH_GAMUT_LIGHT - PH_GAMUT_DIM));
    from->weight[i] = near * (1.0f - light);
  }
}

/// The light of colours between grey and full chroma, less 0.5: for each channel, a cubic polynomial
/// of the part of chroma.
typedef struct {
  _Alignas(64) float zeroth[3][PH_GAMUT_GROUP], first[3][PH_GAMUT_GROUP];
  _Alignas(64) float second[3][PH_GAMUT_GROUP], third[3][PH_GAMUT_GROUP];
} PhFading;

/// How far inside the space the colour i of a group is with `part` of its chroma: the least distance
/// of a channel from 0 and 1; negative outside.
PH_INLINE float ph_fading_inside(const PhFading *restrict of, int i, float part) {
  float farthest = 0.0f;
  for (int c = 0; c < 3; c++) {
    float light = ((of->third[c][i] * part + of->second[c][i]) * part + of->first[c][i]) * part +
                  of->zeroth[c][i];
    float distance = __builtin_fabsf(light);
    farthest = distance > farthest ? distance : farthest;
  }
  return 0.5f - farthest;
}

/// Returns where the straight line through `inner` ≥ 0 at `low` and `outer` ≤ 0 at `high` is 0.
PH_INLINE float ph_gamut_secant(float low, float high, float inner, float outer) {
  float fall = inner - outer;
  return low + (high - low) * ph_unit(inner / (fall > 1e-12f ? fall : 1e-12f));
}

/// The ends of a group's searches: the greatest part of chroma known to be inside the space, the
/// least known to be outside, and how far they are inside.
typedef struct {
  _Alignas(64) float low[PH_GAMUT_GROUP], high[PH_GAMUT_GROUP];
  _Alignas(64) float inner[PH_GAMUT_GROUP], outer[PH_GAMUT_GROUP];
} PhBracket;

/// Makes a part between the ends one of them.
PH_INLINE void ph_gamut_narrow(PhBracket *restrict of, const PhFading *restrict fading, int i,
                               float part) {
  float inside = ph_fading_inside(fading, i, part);
  int32_t leaves = inside < 0.0f;
  of->low[i] = leaves ? of->low[i] : part;
  of->inner[i] = leaves ? of->inner[i] : inside;
  of->high[i] = leaves ? part : of->high[i];
  of->outer[i] = leaves ? inside : of->outer[i];
}

/// Finds the parts of chroma up to which colours are inside the space; `m` is the matrix from cone
/// responses.
static void ph_gamut_search(PhOutside *restrict from, const float *m) {
  PhFading fading;
  PhBracket at;
  for (int start = 0; start < from->count; start += PH_GAMUT_GROUP) {
    for (int i = 0; i < PH_GAMUT_GROUP; i++) {
      float grey = from->grey[start + i], square = grey * grey;
      float l = from->root[0][start + i], n = from->root[1][start + i];
      float s = from->root[2][start + i];
      for (int c = 0; c < 3; c++) {
        const float *row = m + 3 * c;
        fading.zeroth[c][i] = ph_row(row, 1, 1, 1) * square * grey - 0.5f;
        fading.first[c][i] = 3.0f * square * ph_row(row, l, n, s);
        fading.second[c][i] = 3.0f * grey * ph_row(row, l * l, n * n, s * s);
        fading.third[c][i] = ph_row(row, ph_cubed(l), ph_cubed(n), ph_cubed(s));
      }
      at.low[i] = at.high[i] = 1.0f;
      at.inner[i] = at.outer[i] = 0.0f;
    }
    // From the colour towards grey, so that the step nearest to grey that leaves the space is kept.
    for (int k = PH_GAMUT_STEPS; k >= 0; k--)
      for (int i = 0; i < PH_GAMUT_GROUP; i++) {
        float part = (float)k / PH_GAMUT_STEPS;
        float inside = ph_fading_inside(&fading, i, part);
        int32_t leaves = inside < 0.0f && k > 0;
        int32_t follows = at.low[i] == part;
        at.inner[i] = follows && !leaves ? inside : at.inner[i];
        at.low[i] = leaves ? part - 1.0f / PH_GAMUT_STEPS : at.low[i];
        at.high[i] = leaves ? part : at.high[i];
        at.outer[i] = leaves ? inside : at.outer[i];
      }
    for (int k = 0; k < PH_GAMUT_HALVINGS; k++)
      for (int i = 0; i < PH_GAMUT_GROUP; i++)
        ph_gamut_narrow(&at, &fading, i, (at.low[i] + at.high[i]) * 0.5f);
    for (int i = 0; i < PH_GAMUT_GROUP; i++) {
      ph_gamut_narrow(&at, &fading, i,
                      ph_gamut_secant(at.low[i], at.high[i], at.inner[i], at.outer[i]));
      from->part[start + i] = ph_gamut_secant(at.low[i], at.high[i], at.inner[i], at.outer[i]);
    }
  }
}

PH_INLINE void ph_gamut_block(PhBlock *restrict block, const float *payload, int encoded) {
  float m[20];
  memcpy(m, payload, sizeof m);
  int32_t any = 0;
  for (int i = 0; i < block->count; i++)
    any |= ph_leaves_gamut(block->plane[0][i], block->plane[1][i], block->plane[2][i], encoded);
  if (!any) return;
  PhOutside outside;
  ph_gamut_collect(block, &outside, encoded);
  ph_gamut_roots(&outside, m);
  ph_gamut_search(&outside, m + 9);
  for (int start = 0; start < outside.count; start += PH_GAMUT_GROUP) {
    float most = 0.0f;
    for (int i = start; i < start + PH_GAMUT_GROUP; i++)
      most = outside.weight[i] > most ? outside.weight[i] : most;
    if (most > 0.0f) ph_gamut_near_blue(&outside, start, m + 9);
  }
  for (int i = 0; i < outside.count; i++) {
    PhLight c = ph_faded(&outside, i, outside.part[i], m + 9);
    outside.light[0][i] = ph_unit(c.red);
    outside.light[1][i] = ph_unit(c.green);
    outside.light[2][i] = ph_unit(c.blue);
  }
  for (int c = 0; c < 3; c++) {
    if (encoded)
      for (int i = 0; i < outside.count; i++)
        outside.light[c][i] = ph_encoded(outside.light[c][i]);
    for (int i = 0; i < outside.count; i++)
      block->plane[c][outside.place[i]] = outside.light[c][i];
  }
}

static void ph_gamut(PhBlock *restrict block, const float *payload) {
  if (payload[0] == 1.0f)
    ph_gamut_block(block, payload + 1, 1);
  else
    ph_gamut_block(block, payload + 1, 0);
}
