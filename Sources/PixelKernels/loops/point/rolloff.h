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

/// Writes the greatest channel of each pixel in the space of `matrix`, as linear light or encoded
/// as the planes are; NULL stands for the space of the planes.
PH_INLINE void ph_find_greatest(const PhRun *run, int is_encoded, const float *matrix,
                                float *restrict greatest) {
  PH_OVERLAPPED
  for (int i = 0; i < run->count; i++) {
    if (!matrix) {
      greatest[i] = ph_greatest(run, i);
      continue;
    }
    float red = is_encoded ? ph_linear_light(run->red[i]) : run->red[i];
    float green = is_encoded ? ph_linear_light(run->green[i]) : run->green[i];
    float blue = is_encoded ? ph_linear_light(run->blue[i]) : run->blue[i];
    float light = matrix[0] * red + matrix[1] * green + matrix[2] * blue;
    for (int c = 3; c < 9; c += 3) {
      float channel = matrix[c] * red + matrix[c + 1] * green + matrix[c + 2] * blue;
      light = channel > light ? channel : light;
    }
    greatest[i] = is_encoded ? ph_encoded(light) : light;
  }
}

static void ph_roll_off_light(const PhRun *run, const float *payload, const float *greatest) {
  float knee = payload[1], bend = payload[2];
  for (int i = 0; i < run->count; i++) {
    float light = greatest[i];
    float gain = ph_shoulder(light > knee ? light : knee, knee, bend);
    gain = light > knee ? gain : 1.0f;
    run->red[i] *= gain;
    run->green[i] *= gain;
    run->blue[i] *= gain;
  }
}

/// The factor for `size + 0.055` of the channels of a pixel whose greatest encoded channel is
/// `code`, above the knee. `limit` is the polynomial of ROLLOFF's payload.
PH_INLINE float ph_code_power(float code, const float *limit) {
  float place = 1.0f / (code + 0.055f);
  float t = (place - limit[0]) * limit[1];
  t = t > -1.0f ? t : -1.0f;
  float limited = limit[9];
  for (int k = 8; k >= 2; k--) limited = limited * t + limit[k];
  return (limited + 0.055f) * place;
}

/// Rolls off pixels whose channels stay above the straight line near black. Returns false, without
/// any change, if a channel of any pixel reaches this line.
PH_INLINE int ph_roll_off_powers(const PhRun *run, const float *restrict power) {
  int32_t is_dark = 0;
  for (int i = 0; i < run->count; i++) {
    float low = run->red[i] < run->green[i] ? run->red[i] : run->green[i];
    low = low < run->blue[i] ? low : run->blue[i];
    is_dark |= (power[i] < 1.0f) & ((low + 0.055f) * power[i] - 0.055f <= ph_toe);
  }
  if (is_dark) return 0;
  float *planes[] = {run->red, run->green, run->blue};
  for (int c = 0; c < 3; c++) {
    float *restrict plane = planes[c];
    for (int i = 0; i < run->count; i++) {
      float bent = (plane[i] + 0.055f) * power[i] - 0.055f;
      plane[i] = power[i] < 1.0f ? bent : plane[i];
    }
  }
  return 1;
}

static void ph_roll_off_codes(const PhRun *run, const float *payload, const float *greatest) {
  float knee = payload[1], limit = ph_encoded(knee);
  _Alignas(64) float gain[PH_CHECKED], power[PH_CHECKED];
  PH_OVERLAPPED
  for (int i = 0; i < run->count; i++) {
    float factor = ph_code_power(greatest[i] > limit ? greatest[i] : limit, payload + 12);
    power[i] = greatest[i] > limit && factor < 1.0f ? factor : 1.0f;
  }
  if (ph_roll_off_powers(run, power)) return;
  PH_OVERLAPPED
  for (int i = 0; i < run->count; i++) {
    float light = ph_linear_light(greatest[i]);
    float factor = ph_shoulder(light > knee ? light : knee, knee, payload[2]);
    gain[i] = power[i] < 1.0f ? factor : 1.0f;
  }
  float *planes[] = {run->red, run->green, run->blue};
  for (int c = 0; c < 3; c++) {
    int32_t crosses = 0;
    for (int i = 0; i < run->count; i++) {
      float size = __builtin_fabsf(planes[c][i]);
      float bent = (size + 0.055f) * power[i] - 0.055f;
      crosses |= (power[i] < 1.0f) & (size > ph_toe) & (bent <= ph_toe);
    }
    if (crosses)
      ph_scale_codes(planes[c], run->count, gain, power, 1);
    else
      ph_scale_codes(planes[c], run->count, gain, power, 0);
  }
}

/// Two properties of ROLLOFF's matrix that make the loops faster.
typedef struct {
  /// True if the matrix changes nothing.
  int is_identity;
  /// True if no channel in the matrix's space is greater than the greatest plane, so that pixels
  /// can be skipped by their planes.
  int is_mean;
} PhLightMatrix;

static PhLightMatrix ph_light_matrix(const float *matrix) {
  PhLightMatrix kind = {1, 1};
  for (int i = 0; i < 9; i++) {
    kind.is_identity &= matrix[i] == (i % 4 == 0 ? 1.0f : 0.0f);
    kind.is_mean &= matrix[i] >= -1e-6f;
  }
  return kind;
}

static void ph_rolloff(PhBlock *restrict block, const float *payload) {
  int is_encoded = payload[0] != 0.0f;
  PhLightMatrix kind = ph_light_matrix(payload + 3);
  float limit = is_encoded ? ph_encoded(payload[1]) - 1e-5f : payload[1];
  _Alignas(64) float greatest[PH_CHECKED];
  for (int start = 0; start < block->count; start += PH_CHECKED) {
    int rest = block->count - start;
    PhRun run = {block->plane[0] + start, block->plane[1] + start, block->plane[2] + start,
                 rest < PH_CHECKED ? rest : PH_CHECKED};
    if (kind.is_mean && !ph_is_above(&run, limit)) continue;
    // Each call becomes a separate loop without conditions on the space.
    if (kind.is_identity)
      ph_find_greatest(&run, 0, NULL, greatest);
    else if (is_encoded)
      ph_find_greatest(&run, 1, payload + 3, greatest);
    else
      ph_find_greatest(&run, 0, payload + 3, greatest);
    if (is_encoded)
      ph_roll_off_codes(&run, payload, greatest);
    else
      ph_roll_off_light(&run, payload, greatest);
  }
}
