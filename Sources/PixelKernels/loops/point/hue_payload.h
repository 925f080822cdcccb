#pragma once
#include <stdint.h>

/// `PH_ARCS` is the number of equal arcs of the hue circle, `PH_HUES_HEAD` and
/// `PH_HUES_TAIL` the numbers of floats in the payload of HUES before and after its tables.
enum { PH_ARCS = 32, PH_HUES_HEAD = 9, PH_HUES_TAIL = 6 };

/// The payload of the instruction HUES.
typedef struct {
  /// The number of steps of the hue circle, a power of 2 and at least the number of arcs.
  int n;
  /// Sets of arcs, one bit for each arc: arcs that rotate hues, change chroma, increase chroma, and
  /// change lightness.
  uint32_t turning, changing, purer, lighting;
  /// Two tables of n + 1 pairs. `turns`: cosine and sine of the rotation of the hue. `changes`:
  /// growth of chroma and change of lightness.
  const float *turns, *changes;
  /// The numbers of a PhGamut.
  const float *gamut;
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
                  .changes = payload + PH_HUES_HEAD + 2 * (n + 1),
                  .gamut = payload + PH_HUES_HEAD + 4 * (n + 1)};
}
