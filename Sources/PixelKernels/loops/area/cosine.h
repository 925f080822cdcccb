// Square patches of 8 × 8 samples under the discrete cosine transform (type II, orthonormal).

/// The values of ½ cos(kπ/16) for k = 0…7.
static const float ph_half_cosine[8] = {0.5f,         0.49039264f, 0.46193977f, 0.41573481f,
                                        0.35355339f, 0.27778512f, 0.19134172f, 0.09754516f};

/// Applies the 8-point transform to the eight samples at the same position of eight lines, for
/// `count` positions.
PH_INLINE void ph_cosine(const float *const *line, float *const *to, int count) {
  const float *c = ph_half_cosine;
  for (int i = 0; i < count; i++) {
    float s0 = line[0][i] + line[7][i], d0 = line[0][i] - line[7][i];
    float s1 = line[1][i] + line[6][i], d1 = line[1][i] - line[6][i];
    float s2 = line[2][i] + line[5][i], d2 = line[2][i] - line[5][i];
    float s3 = line[3][i] + line[4][i], d3 = line[3][i] - line[4][i];
    float outer = s0 + s3, inner = s1 + s2;
    float outward = s0 - s3, inward = s1 - s2;
    to[0][i] = c[4] * (outer + inner);
    to[4][i] = c[4] * (outer - inner);
    to[2][i] = c[2] * outward + c[6] * inward;
    to[6][i] = c[6] * outward - c[2] * inward;
    to[1][i] = (c[1] * d0 + c[3] * d1) + (c[5] * d2 + c[7] * d3);
    to[3][i] = (c[3] * d0 - c[7] * d1) - (c[1] * d2 + c[5] * d3);
    to[5][i] = (c[5] * d0 - c[1] * d1) + (c[7] * d2 + c[3] * d3);
    to[7][i] = (c[7] * d0 - c[5] * d1) + (c[3] * d2 - c[1] * d3);
  }
}

/// The inverse of `ph_cosine`: the transform with the transposed matrix.
PH_INLINE void ph_cosine_inverse(const float *const *line, float *const *to, int count) {
  const float *c = ph_half_cosine;
  for (int i = 0; i < count; i++) {
    float sum = c[4] * (line[0][i] + line[4][i]), difference = c[4] * (line[0][i] - line[4][i]);
    float outward = c[2] * line[2][i] + c[6] * line[6][i];
    float inward = c[6] * line[2][i] - c[2] * line[6][i];
    float s0 = sum + outward, s3 = sum - outward;
    float s1 = difference + inward, s2 = difference - inward;
    float x1 = line[1][i], x3 = line[3][i], x5 = line[5][i], x7 = line[7][i];
    float d0 = (c[1] * x1 + c[3] * x3) + (c[5] * x5 + c[7] * x7);
    float d1 = (c[3] * x1 - c[7] * x3) - (c[1] * x5 + c[5] * x7);
    float d2 = (c[5] * x1 - c[1] * x3) + (c[7] * x5 + c[3] * x7);
    float d3 = (c[7] * x1 - c[5] * x3) + (c[3] * x5 - c[1] * x7);
    to[0][i] = s0 + d0, to[7][i] = s0 - d0;
    to[1][i] = s1 + d1, to[6][i] = s1 - d1;
    to[2][i] = s2 + d2, to[5][i] = s2 - d2;
    to[3][i] = s3 + d3, to[4][i] = s3 - d3;
  }
}

static void ph_cosine_lines(const float *const *line, float *const *to, int count) {
  ph_cosine(line, to, count);
}

static void ph_cosine_inverse_added(const float *const *line, float *const *sum, int count) {
  float lines[8][PH_PATCHES];
  float *const to[8] = {lines[0], lines[1], lines[2], lines[3],
                        lines[4], lines[5], lines[6], lines[7]};
  for (int start = 0; start < count; start += PH_PATCHES) {
    int part = count - start < PH_PATCHES ? count - start : PH_PATCHES;
    const float *from[8];
    for (int k = 0; k < 8; k++) from[k] = line[k] + start;
    ph_cosine_inverse(from, to, part);
    for (int k = 0; k < 8; k++)
      for (int i = 0; i < part; i++) sum[k][start + i] += lines[k][i];
  }
}

/// Transforms the rows of patches whose columns are transformed already, drops small coefficients,
/// and transforms the rows back; see PhLoops.
static void ph_shrink(const float *const *even, const float *const *odd, float threshold, int count,
                      float *const *even_sum, float *const *odd_sum, float *weight_sum) {
  float spectrum[8][8][PH_PATCHES];
  float kept[PH_PATCHES];
  for (int i = 0; i < PH_PATCHES; i++) kept[i] = 1.0f;
  for (int v = 0; v < 8; v++) {
    const float *line[8];
    float *to[8];
    for (int k = 0; k < 8; k++) {
      line[k] = (k % 2 ? odd[v] : even[v]) + k / 2;
      to[k] = spectrum[v][k];
    }
    ph_cosine(line, to, PH_PATCHES);
    for (int u = v == 0 ? 1 : 0; u < 8; u++) {
      float *coefficient = spectrum[v][u];
      for (int i = 0; i < PH_PATCHES; i++) {
        float x = coefficient[i];
        float keeps = __builtin_fabsf(x) > threshold ? 1.0f : 0.0f;
        kept[i] += keeps;
        coefficient[i] = x * keeps;
      }
    }
  }
  for (int i = 0; i < PH_PATCHES; i++) kept[i] = 1.0f / kept[i];
  for (int v = 0; v < 8; v++) {
    float patch[8][PH_PATCHES];
    const float *line[8];
    float *to[8];
    for (int k = 0; k < 8; k++) {
      line[k] = spectrum[v][k];
      to[k] = patch[k];
    }
    ph_cosine_inverse(line, to, PH_PATCHES);
    // The columns of the patches are added from right to left. For each sample, the patches that
    // contain it are thus added in their order from left to right.
    for (int k = 7; k >= 0; k--) {
      float *sum = (k % 2 ? odd_sum[v] : even_sum[v]) + k / 2;
      for (int i = 0; i < count; i++) sum[i] += kept[i] * patch[k][i];
    }
  }
  for (int k = 3; k >= 0; k--)
    for (int i = 0; i < count; i++) weight_sum[k + i] += kept[i];
}
