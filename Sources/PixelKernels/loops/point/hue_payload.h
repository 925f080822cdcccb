#pragma once
#include <stdint.h>

/// The number of equal arcs of the hue circle, and of the numbers before the columns of HUES.
enum { PH_ARCS = 32, PH_HUES_HEAD = 9 };

/// The payload of HUES.
typedef struct {
  /// Steps of the hue circle, a power of 2 and at least the number of arcs.
  int n;
  /// The arcs, as bits, that rotate hues, change chroma, increase chroma, change lightness.
  uint32_t turning, changing, purer, lighting;
  /// n + 1 pairs each: cosine and sine of the rotation; growth of chroma and change of lightness.
  const float *turns, *changes;
} PhHues;

static inline uint32_t ph_arcs(const float *halves) {
  return (uint32_t)halves[0] | (uint32_t)halves[1] << 16;
}

static inline PhHues ph_hues_read(const float *payload) {
  int n = (int)payload[0];
  return (PhHues){.n = n,
                  .turning = ph_arcs(payload + 1),
                  .changing = ph_arcs(payload + 3),
                  .purer = ph_arcs(payload + 5),
                  .lighting = ph_arcs(payload + 7),
                  .turns = payload + PH_HUES_HEAD,
                  .changes = payload + PH_HUES_HEAD + 2 * (n + 1)};
}
