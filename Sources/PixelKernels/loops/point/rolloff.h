// Rolls off highlights: limits the brightest channel of light above a knee, so that light above
// white fades smoothly to white.

/// The factor by which linear RGB is multiplied to roll off its highlights. `light` is the greatest
/// channel and must be at least `knee`.
PH_INLINE float ph_shoulder(float light, float knee, float bend) {
  float above = light - knee;
  float limited = knee + above / (1.0f + bend * above);
  return (limited < 1.0f ? limited : 1.0f) / light;
}

/// The sRGB-encoded value at which the straight line near black ends.
static const float ph_toe = 0.04045f;

/// Multiplies the linear light of encoded samples by `gain`, at most 1; `power` is the 2.4th root
/// of the gain.
///
/// Samples are not decoded: on the power function of the encoding, `size + 0.055` is multiplied by
/// `power`; on the straight line near black, the sample is multiplied by `gain`. Samples that move
/// from the power function to the line are rare. If there are any, `exact` must be set, so that the
/// light of samples is computed.
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

/// The number of pixels that are checked together. Pixels without a channel above the knee, which
/// are most of a photo, are skipped.
enum { PH_CHECKED = 64 };

/// The channels of some neighbouring pixels.
typedef struct {
  float *restrict red, *restrict green, *restrict blue;
  int count;
} PhRun;

/// True if a channel is above `limit`.
PH_INLINE int32_t ph_is_above(const PhRun *run, float limit) {
  int32_t above = 0;
  for (int i = 0; i < run->count; i++)
    above |= (run->red[i] > limit) | (run->green[i] > limit) | (run->blue[i] > limit);
  return above;
}

PH_INLINE float ph_greatest(const PhRun *run, int i) {
  float high = run->red[i] > run->green[i] ? run->red[i] : run->green[i];
  return high > run->blue[i] ? high : run->blue[i];
}

static void ph_roll_off_light(const PhRun *run, float knee, float bend) {
  for (int i = 0; i < run->count; i++) {
    float light = ph_greatest(run, i);
    float gain = ph_shoulder(light > knee ? light : knee, knee, bend);
    gain = light > knee ? gain : 1.0f;
    run->red[i] *= gain;
    run->green[i] *= gain;
    run->blue[i] *= gain;
  }
}

static void ph_roll_off_codes(const PhRun *run, float knee, float bend) {
  _Alignas(64) float gain[PH_CHECKED], power[PH_CHECKED];
  PH_OVERLAPPED
  for (int i = 0; i < run->count; i++) {
    float light = ph_linear_light(ph_greatest(run, i));
    float factor = ph_shoulder(light > knee ? light : knee, knee, bend);
    // factor^(5/12) is factor × (factor^(−1/12))⁷.
    float w = ph_reciprocal_twelfth_root(factor);
    float w2 = w * w;
    gain[i] = light > knee ? factor : 1.0f;
    power[i] = factor * (w2 * w2) * (w2 * w);
  }
  float *planes[] = {run->red, run->green, run->blue};
  for (int c = 0; c < 3; c++) {
    int32_t crosses = 0;
    for (int i = 0; i < run->count; i++) {
      float size = __builtin_fabsf(planes[c][i]);
      float bent = (size + 0.055f) * power[i] - 0.055f;
      crosses |= (gain[i] < 1.0f) & (size > ph_toe) & (bent <= ph_toe);
    }
    if (crosses)
      ph_scale_codes(planes[c], run->count, gain, power, 1);
    else
      ph_scale_codes(planes[c], run->count, gain, power, 0);
  }
}

static void ph_rolloff(PhBlock *restrict block, const float *payload) {
  int is_encoded = payload[0] != 0.0f;
  float knee = payload[1];
  float limit = is_encoded ? ph_encoded(knee) - 1e-5f : knee;
  for (int start = 0; start < block->count; start += PH_CHECKED) {
    int rest = block->count - start;
    PhRun run = {block->plane[0] + start, block->plane[1] + start, block->plane[2] + start,
                 rest < PH_CHECKED ? rest : PH_CHECKED};
    if (!ph_is_above(&run, limit)) continue;
    if (is_encoded)
      ph_roll_off_codes(&run, knee, payload[2]);
    else
      ph_roll_off_light(&run, knee, payload[2]);
  }
}
