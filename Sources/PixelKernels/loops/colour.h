// Instructions on the colour of each pixel.

static void ph_gain(PhBlock *restrict block, const float *payload) {
  for (int c = 0; c < 3; c++) {
    float gain = payload[c];
    float offset = payload[3 + c];
    for (int i = 0; i < block->count; i++)
      block->plane[c][i] = block->plane[c][i] * gain + offset;
  }
}

static void ph_matrix(PhBlock *restrict block, const float *payload) {
  float m[12];
  memcpy(m, payload, sizeof m);
  for (int i = 0; i < block->count; i++) {
    float r = block->plane[0][i];
    float g = block->plane[1][i];
    float b = block->plane[2][i];
    block->plane[0][i] = m[0] * r + m[1] * g + m[2] * b + m[3];
    block->plane[1][i] = m[4] * r + m[5] * g + m[6] * b + m[7];
    block->plane[2][i] = m[8] * r + m[9] * g + m[10] * b + m[11];
  }
}

/// The square of a colour's purity, how far it is from the grey of its lightness on the way to the
/// edge of sRGB, 0…1; the colour is one of OKLab. See SATURATE. Source of the matrices: B. Ottosson,
/// "A perceptual color space for image processing", 2020.
PH_INLINE float ph_purity(float lightness, float a, float b) {
  float l = lightness + 0.3963377774f * a + 0.2158037573f * b;
  float m = lightness - 0.1055613458f * a - 0.0638541728f * b;
  float s = lightness - 0.0894841775f * a - 1.2914855480f * b;
  l = l * l * l;
  m = m * m * m;
  s = s * s * s;
  float red = 4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s;
  float green = -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s;
  float blue = -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s;
  float high = red > green ? red : green;
  float low = red > green ? green : red;
  high = high > blue ? high : blue;
  low = low < blue ? low : blue;
  float grey = lightness * lightness * lightness;
  float above = 1.0f - grey;
  float up = (high - grey) / (above > 1e-4f ? above : 1e-4f);
  float down = (grey - low) / (grey > 1e-4f ? grey : 1e-4f);
  float way = ph_unit(up > down ? up : down);
  return way * way;
}

/// What the chroma of a colour grows by, less 1: `growth`, but less the purer the colour is, so that
/// none leaves sRGB that was in it.
PH_INLINE float ph_held_growth(float growth, float purity) {
  return growth * (1.0f - purity) / (1.0f + growth * purity);
}

PH_INLINE void ph_vibrance_block(PhBlock *restrict block, float strength, int held) {
  for (int i = 0; i < block->count; i++) {
    float a = block->plane[1][i];
    float b = block->plane[2][i];
    float chroma = 4.0f * __builtin_elementwise_sqrt(a * a + b * b);
    float growth = strength * (1.0f - (chroma < 1.0f ? chroma : 1.0f));
    if (held) growth = ph_held_growth(growth, ph_purity(block->plane[0][i], a, b));
    block->plane[1][i] = a * (1.0f + growth);
    block->plane[2][i] = b * (1.0f + growth);
  }
}

static void ph_vibrance(PhBlock *restrict block, const float *payload) {
  if (payload[0] > 0.0f)
    ph_vibrance_block(block, payload[0], 1);
  else
    ph_vibrance_block(block, payload[0], 0);
}

static void ph_saturate(PhBlock *restrict block, const float *payload) {
  float strength = payload[0];
  for (int i = 0; i < block->count; i++) {
    float a = block->plane[1][i];
    float b = block->plane[2][i];
    float growth = ph_held_growth(strength, ph_purity(block->plane[0][i], a, b));
    block->plane[1][i] = a * (1.0f + growth);
    block->plane[2][i] = b * (1.0f + growth);
  }
}

/// The place of (a, b) on the way around the diamond |a| + |b| = 1, 0…4; 0 for (0, 0).
PH_INLINE float ph_diamond_angle(float a, float b) {
  float sum = __builtin_fabsf(a) + __builtin_fabsf(b);
  float part = sum > 0.0f ? b / sum : 0.0f;
  float right = part < 0.0f ? 4.0f + part : part;
  return a < 0.0f ? 2.0f - part : right;
}

static void ph_hues(PhBlock *restrict block, const float *payload) {
  int n = (int)payload[0];
  const float *table = payload + 1;
  float scale = (float)n * 0.25f;
  for (int i = 0; i < block->count; i++) {
    float a = block->plane[1][i];
    float b = block->plane[2][i];
    float angle = ph_diamond_angle(a, b);
    float position = (angle > 0.0f ? angle : 0.0f) * scale;
    int32_t knot = (int32_t)position;
    knot = knot < n ? knot : n - 1;
    float part = position - (float)knot;
    const float *low = table + 3 * knot;
    float c = low[0] + part * (low[3] - low[0]);
    float s = low[1] + part * (low[4] - low[1]);
    float l = low[2] + part * (low[5] - low[2]);
    block->plane[0][i] += l * __builtin_elementwise_sqrt(a * a + b * b);
    block->plane[1][i] = c * a - s * b;
    block->plane[2][i] = s * a + c * b;
  }
}

static void ph_grade(PhBlock *restrict block, const float *payload) {
  float red = payload[0];
  float green = payload[1];
  float blue = payload[2];
  int n = (int)payload[3];
  const float *table = payload + 4;
  float steps = (float)n;
  for (int i = 0; i < block->count; i++) {
    float r = block->plane[0][i];
    float g = block->plane[1][i];
    float b = block->plane[2][i];
    float position = ph_unit(red * r + green * g + blue * b) * steps;
    int32_t knot = (int32_t)position;
    knot = knot < n ? knot : n - 1;
    float part = position - (float)knot;
    const float *low = table + 6 * knot;
    float value[6];
    for (int k = 0; k < 6; k++) value[k] = low[k] + part * (low[6 + k] - low[k]);
    block->plane[0][i] = value[0] * r + value[3];
    block->plane[1][i] = value[1] * g + value[4];
    block->plane[2][i] = value[2] * b + value[5];
  }
}

static void ph_steps(PhBlock *restrict block, const float *payload) {
  float n = payload[0];
  float last = n - 1.0f;
  float scale = 1.0f / last;
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < block->count; i++) {
      float step = (float)(int32_t)(ph_unit(block->plane[c][i]) * n);
      block->plane[c][i] = (step < last ? step : last) * scale;
    }
}
