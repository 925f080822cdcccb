// Denoising operations on single samples, and the conversion of RGB to luma and two opponent
// colours. The three axes are orthonormal, so that equal noise in R, G and B is equal noise on each
// axis.

/// The factors 1 ÷ √3, 1 ÷ √2 and 1 ÷ √6.
static const float ph_third = 0.57735027f, ph_half = 0.70710678f, ph_sixth = 0.40824829f;

static void ph_opponents(float *restrict r, float *restrict g, float *restrict b, int count) {
  for (int i = 0; i < count; i++) {
    float sum = r[i] + b[i];
    float difference = r[i] - b[i];
    r[i] = ph_third * (sum + g[i]);
    b[i] = ph_sixth * (sum - 2.0f * g[i]);
    g[i] = ph_half * difference;
  }
}

static void ph_colours(float *restrict x, float *restrict y, float *restrict z, int count) {
  for (int i = 0; i < count; i++) {
    float light = ph_third * x[i] + ph_sixth * z[i];
    float green = ph_third * x[i] - 2.0f * ph_sixth * z[i];
    float difference = ph_half * y[i];
    x[i] = light + difference;
    y[i] = green;
    z[i] = light - difference;
  }
}

static void ph_replace_base(float *restrict plane, const float *base, const float *clean,
                            int count) {
  for (int i = 0; i < count; i++) plane[i] += clean[i] - base[i];
}

/// Adds the change from the old base to the denoised base, and shrinks the plane's difference from
/// the old base by the non-negative garrote (Breiman 1995): `x × max(0, 1 − threshold² ÷ x²)`.
static void ph_replace_base_shrunk(float *restrict plane, const float *base, const float *clean,
                                   float threshold, int count) {
  float square = threshold * threshold;
  for (int i = 0; i < count; i++) {
    float x = plane[i] - base[i];
    float size = x * x;
    float factor = size > square ? 1.0f - square / size : 0.0f;
    plane[i] = clean[i] + factor * x;
  }
}

static void ph_weighted(const float *even, const float *odd, const float *weight,
                        float *restrict to, int count) {
  for (int i = 0; i < count; i++) {
    float scale = 1.0f / weight[i];
    to[2 * i] = even[i] * scale;
    to[2 * i + 1] = odd[i] * scale;
  }
}
