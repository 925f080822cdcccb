// A shoulder of the brightest channel, for light above white.

PH_INLINE float ph_greatest(const PhBlock *block, int i) {
  float red = block->plane[0][i];
  float green = block->plane[1][i];
  float blue = block->plane[2][i];
  float high = red > green ? red : green;
  return high > blue ? high : blue;
}

/// The factor of linear light whose greatest channel is `light`, at least the knee.
PH_INLINE float ph_shoulder(float light, float knee, float bend) {
  float above = light - knee;
  float limited = knee + above / (1.0f + bend * above);
  return (limited < 1.0f ? limited : 1.0f) / light;
}

/// The end of the straight line of the sRGB encoding near black.
static const float ph_toe = 0.04045f;

/// Multiplies the linear light of encoded samples by `gain`, at most 1; `power` is its 2.4th root.
///
/// The power function of the encoding scales with `power`, and the straight line near black with
/// `gain`. Samples that move from one to the other are rare; only with `exact`, the light of each
/// sample is computed for them.
PH_INLINE void ph_scale_codes(float *restrict plane, int count, const float *restrict gain,
                              const float *restrict power, int exact) {
  PH_OVERLAPPED
  for (int i = 0; i < count; i++) {
    float x = plane[i];
    float size = __builtin_fabsf(x);
    float bent = (size + 0.055f) * power[i] - 0.055f;
    float straight = gain[i] * (exact ? 12.92f * ph_linear_light(size) : size);
    float scaled = __builtin_copysignf(bent > ph_toe ? bent : straight, x);
    plane[i] = gain[i] < 1.0f ? scaled : x;
  }
}

static void ph_rolloff(PhBlock *restrict block, const float *payload) {
  float knee = payload[1];
  float bend = payload[2];
  if (payload[0] == 0.0f) {
    for (int i = 0; i < block->count; i++) {
      float light = ph_greatest(block, i);
      float gain = ph_shoulder(light > knee ? light : knee, knee, bend);
      for (int c = 0; c < 3; c++) block->plane[c][i] *= light > knee ? gain : 1.0f;
    }
    return;
  }
  _Alignas(64) float gain[PH_BLOCK], power[PH_BLOCK];
  PH_OVERLAPPED
  for (int i = 0; i < block->count; i++) {
    float light = ph_linear_light(ph_greatest(block, i));
    float factor = ph_shoulder(light > knee ? light : knee, knee, bend);
    // factor^(5/12) is factor × (factor^(−1/12))⁷.
    float w = ph_reciprocal_twelfth_root(factor);
    float w2 = w * w;
    gain[i] = light > knee ? factor : 1.0f;
    power[i] = factor * (w2 * w2) * (w2 * w);
  }
  for (int c = 0; c < 3; c++) {
    int32_t crosses = 0;
    for (int i = 0; i < block->count; i++) {
      float size = __builtin_fabsf(block->plane[c][i]);
      float bent = (size + 0.055f) * power[i] - 0.055f;
      crosses |= (gain[i] < 1.0f) & (size > ph_toe) & (bent <= ph_toe);
    }
    if (crosses)
      ph_scale_codes(block->plane[c], block->count, gain, power, 1);
    else
      ph_scale_codes(block->plane[c], block->count, gain, power, 0);
  }
}
