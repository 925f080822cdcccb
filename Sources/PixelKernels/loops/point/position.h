// Instructions that depend on the pixel's position: a radial gain, film grain and dither. The noise
// of grain and dither depends on the position and the seed only.

static void ph_radial(PhBlock *restrict block, const float *payload) {
  float scale_x = payload[2];
  float edge = payload[4];
  float slope = 1.0f / (payload[5] - edge);
  float strength = payload[6];
  float left = 0.5f - payload[0];
  float dy = ((float)block->top + (0.5f - payload[1])) * payload[3];
  float dy2 = dy * dy;
  for (int i = 0; i < block->count; i++) {
    float dx = ((float)(block->left + i) + left) * scale_x;
    float s = ph_unit((__builtin_elementwise_sqrt(dx * dx + dy2) - edge) * slope);
    float gain = 1.0f + strength * (s * s * (3.0f - 2.0f * s));
    block->plane[0][i] *= gain;
    block->plane[1][i] *= gain;
    block->plane[2][i] *= gain;
  }
}

static void ph_falloff(PhBlock *restrict block, const float *payload) {
  float scale_x = payload[2];
  float k1 = payload[4], k2 = payload[5], k3 = payload[6];
  float least = payload[7];
  float left = 0.5f - payload[0];
  float dy = ((float)block->top + (0.5f - payload[1])) * payload[3];
  float dy2 = dy * dy;
  for (int i = 0; i < block->count; i++) {
    float dx = ((float)(block->left + i) + left) * scale_x;
    float r2 = dx * dx + dy2;
    float light = 1.0f + r2 * (k1 + r2 * (k2 + r2 * k3));
    float gain = 1.0f / ph_larger(light, least);
    block->plane[0][i] *= gain;
    block->plane[1][i] *= gain;
    block->plane[2][i] *= gain;
  }
}

/// A 32-bit hash. Source: C. Wellons, "Prospecting for Hash Functions", 2018 (lowbias32).
PH_INLINE uint32_t ph_scattered(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

/// Odd factors for hashing lattice positions: 2³² over the golden ratio, and a prime.
enum { PH_LATTICE_X = (int)0x9e3779b1u, PH_LATTICE_Y = (int)0x85ebca77u };

/// A random value with a nearly normal distribution of mean 0 and variance 1: the scaled sum of the
/// four bytes of a hash.
PH_INLINE float ph_normal(uint32_t place) {
  uint32_t bits = ph_scattered(place);
  uint32_t pairs = (bits & 0x00ff00ffu) + ((bits >> 8) & 0x00ff00ffu);
  int32_t sum = (int32_t)((pairs & 0xffffu) + (pairs >> 16));
  return (float)(sum - 510) * (1.0f / 147.80054f);
}

/// Smoothly interpolated noise of the points of a lattice, scaled so that its variance is 1
/// everywhere.
PH_INLINE float ph_lattice_noise(float x, float y, uint32_t seed) {
  int32_t column = (int32_t)x;
  int32_t row = (int32_t)y;
  column -= x < (float)column;
  row -= y < (float)row;
  float u = x - (float)column;
  float v = y - (float)row;
  u = u * u * (3.0f - 2.0f * u);
  v = v * v * (3.0f - 2.0f * v);
  float left = 1.0f - u;
  float above = 1.0f - v;
  uint32_t place = (uint32_t)column * (uint32_t)PH_LATTICE_X + (uint32_t)row * (uint32_t)PH_LATTICE_Y + seed;
  uint32_t below = place + (uint32_t)PH_LATTICE_Y;
  float sum = above * (left * ph_normal(place) + u * ph_normal(place + (uint32_t)PH_LATTICE_X)) +
              v * (left * ph_normal(below) + u * ph_normal(below + (uint32_t)PH_LATTICE_X));
  float square = (left * left + u * u) * (above * above + v * v);
  return sum / __builtin_elementwise_sqrt(square);
}

static void ph_grain(PhBlock *restrict block, const float *payload) {
  float x0 = payload[0] + payload[2] * (float)block->top;
  float y0 = payload[3] + payload[5] * (float)block->top;
  float x1 = payload[1];
  float y1 = payload[4];
  float c = payload[6];
  float s = payload[7];
  float amount = payload[8];
  uint32_t seed = ph_scattered((uint32_t)payload[9]);
  for (int i = 0; i < block->count; i++) {
    float place = (float)(block->left + i);
    float x = x0 + x1 * place;
    float y = y0 + y1 * place;
    float noise = ph_lattice_noise(c * x - s * y, s * x + c * y, seed);
    float luma = 0.2126f * block->plane[0][i] + 0.7152f * block->plane[1][i] +
                 0.0722f * block->plane[2][i];
    float grey = ph_unit(luma);
    float change = amount * (4.0f * (grey * (1.0f - grey))) * noise;
    block->plane[0][i] += change;
    block->plane[1][i] += change;
    block->plane[2][i] += change;
  }
}

static void ph_dither(PhBlock *restrict block, const float *payload) {
  float levels = payload[0];
  float level = 1.0f / levels;
  uint32_t seed = ph_scattered((uint32_t)payload[1]) + (uint32_t)block->top * (uint32_t)PH_LATTICE_Y;
  uint32_t bits[PH_BLOCK + 1];
  for (int i = 0; i <= block->count; i++)
    bits[i] = ph_scattered((uint32_t)(block->left + i) * (uint32_t)PH_LATTICE_X + seed);
  for (int c = 0; c < 3; c++) {
    int shift = 10 * c;
    for (int i = 0; i < block->count; i++) {
      int32_t here = (int32_t)((bits[i] >> shift) & 1023u);
      int32_t next = (int32_t)((bits[i + 1] >> shift) & 1023u);
      float noise = (float)(here - next) * (1.0f / 1024.0f);
      float value = ph_unit(block->plane[c][i]) * levels;
      float room = ph_smaller(ph_smaller(value, levels - value), 1.0f);
      block->plane[c][i] = (value + noise * room) * level;
    }
  }
}
