// Moves colours outside a colour space into the space, at constant OKLab lightness and hue; near blue,
// at nearly constant ones.

/// The search for the edge of the space: even steps from grey to the colour, then halvings of the
/// first step that leaves the space.
enum { PH_GAMUT_STEPS = 8, PH_GAMUT_HALVINGS = 14 };

/// The number of colours that are searched side by side; divides PH_BLOCK.
enum { PH_GAMUT_GROUP = 16 };

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
static void ph_gamut_near_blue(PhOutside *restrict from, const float *m) {
  for (int i = 0; i < from->count; i++) {
    float cubed = ph_cubed(from->grey[i]);
    float per_grey = 1.0f / (cubed > 1e-6f ? cubed : 1e-6f);
    float soft = PH_GAMUT_SOFT * from->weight[i];
    float per_soft = 1.0f / (soft > 1e-9f ? soft : 1e-9f);
    float part = from->part[i];
    float rest = 1.0f - part;
    float sum = 0.0f;
    for (int k = 0; k < PH_GAMUT_STEPS; k++) {
      float at = part + rest * (((float)k + 0.5f) / PH_GAMUT_STEPS);
      sum += ph_inside_softly(ph_faded(from, i, at, m), per_grey, per_soft);
    }
    float most = part + rest * sum / PH_GAMUT_STEPS;
    PhLight own = {from->light[0][i], from->light[1][i], from->light[2][i]};
    most += (1.0f - most) * ph_inside_softly(own, per_grey, per_soft);
    from->part[i] = from->weight[i] > 0.0f ? most : part;
  }
}

/// Collects the colours of a block that are outside the space.
static void ph_gamut_collect(const PhBlock *restrict block, PhOutside *restrict outside) {
  int count = 0;
  for (int i = 0; i < block->count; i++) {
    outside->place[count] = i;
    count += ph_leaves_gamut(block->plane[0][i], block->plane[1][i], block->plane[2][i],
                             PH_GAMUT_EDGE);
  }
  outside->count = (count + PH_GAMUT_GROUP - 1) / PH_GAMUT_GROUP * PH_GAMUT_GROUP;
  for (int i = count; i < outside->count; i++) outside->place[i] = outside->place[count - 1];
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < outside->count; i++)
      outside->light[c][i] = block->plane[c][outside->place[i]];
}

/// Computes cube roots and weights from linear light; returns the greatest weight.
static float ph_gamut_roots(PhOutside *restrict from, const float *m) {
  float most = 0.0f;
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
    most = from->weight[i] > most ? from->weight[i] : most;
  }
  return most;
}

/// The light of colours between grey and full chroma: for each channel, a cubic polynomial of the part
/// of chroma.
typedef struct {
  _Alignas(64) float zeroth[3][PH_GAMUT_GROUP], first[3][PH_GAMUT_GROUP];
  _Alignas(64) float second[3][PH_GAMUT_GROUP], third[3][PH_GAMUT_GROUP];
} PhFading;

/// Returns 1 if the colour i of a group is outside the space with `part` of its chroma, else 0.
PH_INLINE int32_t ph_fading_leaves(const PhFading *restrict of, int i, float part) {
  float light[3];
  for (int c = 0; c < 3; c++)
    light[c] = ((of->third[c][i] * part + of->second[c][i]) * part + of->first[c][i]) * part +
               of->zeroth[c][i];
  return ph_leaves_gamut(light[0], light[1], light[2], 0);
}

/// Finds the parts of chroma up to which colours are inside the space; `m` is the matrix from cone
/// responses.
static void ph_gamut_search(PhOutside *restrict from, const float *m) {
  PhFading fading;
  _Alignas(64) float low[PH_GAMUT_GROUP], high[PH_GAMUT_GROUP];
  for (int start = 0; start < from->count; start += PH_GAMUT_GROUP) {
    for (int i = 0; i < PH_GAMUT_GROUP; i++) {
      float grey = from->grey[start + i], square = grey * grey;
      float l = from->root[0][start + i], n = from->root[1][start + i], s = from->root[2][start + i];
      for (int c = 0; c < 3; c++) {
        const float *row = m + 3 * c;
        fading.zeroth[c][i] = ph_row(row, 1, 1, 1) * square * grey;
        fading.first[c][i] = 3.0f * square * ph_row(row, l, n, s);
        fading.second[c][i] = 3.0f * grey * ph_row(row, l * l, n * n, s * s);
        fading.third[c][i] = ph_row(row, ph_cubed(l), ph_cubed(n), ph_cubed(s));
      }
      low[i] = 1.0f;
      high[i] = 1.0f;
    }
    // From the colour towards grey, so that the step nearest to grey that leaves the space is kept.
    for (int k = PH_GAMUT_STEPS; k > 0; k--)
      for (int i = 0; i < PH_GAMUT_GROUP; i++) {
        float part = (float)k / PH_GAMUT_STEPS;
        int32_t leaves = ph_fading_leaves(&fading, i, part);
        low[i] = leaves ? part - 1.0f / PH_GAMUT_STEPS : low[i];
        high[i] = leaves ? part : high[i];
      }
    for (int k = 0; k < PH_GAMUT_HALVINGS; k++)
      for (int i = 0; i < PH_GAMUT_GROUP; i++) {
        float part = (low[i] + high[i]) * 0.5f;
        int32_t leaves = ph_fading_leaves(&fading, i, part);
        low[i] = leaves ? low[i] : part;
        high[i] = leaves ? part : high[i];
      }
    memcpy(from->part + start, low, sizeof low);
  }
}

static void ph_gamut(PhBlock *restrict block, const float *payload) {
  float m[20];
  memcpy(m, payload, sizeof m);
  int32_t any = 0;
  for (int i = 0; i < block->count; i++)
    any |= ph_leaves_gamut(block->plane[0][i], block->plane[1][i], block->plane[2][i],
                           PH_GAMUT_EDGE);
  if (!any) return;
  PhOutside outside;
  ph_gamut_collect(block, &outside);
  float most = ph_gamut_roots(&outside, m);
  ph_gamut_search(&outside, m + 9);
  if (most > 0.0f) ph_gamut_near_blue(&outside, m + 9);
  for (int i = 0; i < outside.count; i++) {
    PhLight c = ph_faded(&outside, i, outside.part[i], m + 9);
    outside.light[0][i] = ph_unit(c.red);
    outside.light[1][i] = ph_unit(c.green);
    outside.light[2][i] = ph_unit(c.blue);
  }
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < outside.count; i++)
      block->plane[c][outside.place[i]] = outside.light[c][i];
}
