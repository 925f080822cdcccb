// Moves colours outside a colour space into the space, at constant OKLab lightness and hue.

enum { PH_HALVINGS = 18 };

/// The distance outside the space up to which a colour does not change: rounding puts a primary that
/// two spaces share outside one of them, and near blue the edge of a space is concave.
#define PH_GAMUT_EDGE 5e-5f

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

static void ph_gamut(PhBlock *restrict block, const float *payload) {
  float m[18];
  memcpy(m, payload, sizeof m);
  float *restrict red = block->plane[0], *restrict green = block->plane[1];
  float *restrict blue = block->plane[2];
  int32_t any = 0;
  for (int i = 0; i < block->count; i++)
    any |= ph_leaves_gamut(red[i], green[i], blue[i], PH_GAMUT_EDGE);
  if (!any) return;
  // `grey` is the cube root of each cone response for the grey of the same lightness. `l`, `n` and
  // `s` are the differences of the colour's cube roots from `grey` at full chroma.
  _Alignas(64) float grey[PH_BLOCK], l[PH_BLOCK], n[PH_BLOCK], s[PH_BLOCK];
  _Alignas(64) float low[PH_BLOCK], high[PH_BLOCK];
  for (int i = 0; i < block->count; i++) {
    float long_root = ph_odd_cube_root(ph_row(m, red[i], green[i], blue[i]));
    float middle_root = ph_odd_cube_root(ph_row(m + 3, red[i], green[i], blue[i]));
    float short_root = ph_odd_cube_root(ph_row(m + 6, red[i], green[i], blue[i]));
    float lightness =
        0.2104542553f * long_root + 0.7936177850f * middle_root - 0.0040720468f * short_root;
    grey[i] = ph_unit(lightness);
    l[i] = long_root - lightness;
    n[i] = middle_root - lightness;
    s[i] = short_root - lightness;
    low[i] = 0.0f;
    high[i] = 1.0f;
  }
  for (int k = 0; k < PH_HALVINGS; k++)
    for (int i = 0; i < block->count; i++) {
      float part = (low[i] + high[i]) * 0.5f;
      float x = ph_cubed(grey[i] + part * l[i]);
      float y = ph_cubed(grey[i] + part * n[i]);
      float z = ph_cubed(grey[i] + part * s[i]);
      int32_t outside =
          ph_leaves_gamut(ph_row(m + 9, x, y, z), ph_row(m + 12, x, y, z), ph_row(m + 15, x, y, z), 0);
      low[i] = outside ? low[i] : part;
      high[i] = outside ? part : high[i];
    }
  for (int i = 0; i < block->count; i++) {
    float x = ph_cubed(grey[i] + low[i] * l[i]);
    float y = ph_cubed(grey[i] + low[i] * n[i]);
    float z = ph_cubed(grey[i] + low[i] * s[i]);
    int32_t outside = ph_leaves_gamut(red[i], green[i], blue[i], PH_GAMUT_EDGE);
    red[i] = outside ? ph_row(m + 9, x, y, z) : red[i];
    green[i] = outside ? ph_row(m + 12, x, y, z) : green[i];
    blue[i] = outside ? ph_row(m + 15, x, y, z) : blue[i];
  }
}
