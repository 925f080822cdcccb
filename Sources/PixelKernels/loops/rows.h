// Rows of four numbers, picked from a table by the pixels of a block: one load each, turned into
// planes four pixels at a time. On many CPUs gathering single numbers takes several times as long.

/// Four numbers of a table, wherever in memory.
typedef float PhQuad __attribute__((vector_size(16), aligned(4), may_alias));

/// Where a block's pixels lie between the knots of a table, and the part of the way to the next one.
typedef struct {
  int32_t knot[PH_BLOCK];
  float part[PH_BLOCK];
} PhPlaces;

/// Four numbers for each pixel of a block, as planes.
typedef float PhRows[4][PH_BLOCK];

/// The place of `position` among the knots 0…n, held at their ends; that of NaN is 0.
PH_INLINE void ph_place(PhPlaces *restrict places, int i, float position, int n) {
  float held = position > 0.0f ? position : 0.0f;
  held = held < (float)n ? held : (float)n;
  int32_t knot = (int32_t)held;
  places->knot[i] = knot < n ? knot : n - 1;
  places->part[i] = held - (float)places->knot[i];
}

/// Fills the last four pixels up, which are worked on together.
PH_INLINE void ph_end_places(PhPlaces *restrict places, int count) {
  for (int i = count; i % 4; i++) {
    places->knot[i] = 0;
    places->part[i] = 0.0f;
  }
}

PH_INLINE void ph_put_quads(const PhQuad quad[4], float (*restrict to)[PH_BLOCK], int i) {
  PhQuad first = __builtin_shufflevector(quad[0], quad[1], 0, 4, 1, 5);
  PhQuad second = __builtin_shufflevector(quad[2], quad[3], 0, 4, 1, 5);
  PhQuad third = __builtin_shufflevector(quad[0], quad[1], 2, 6, 3, 7);
  PhQuad fourth = __builtin_shufflevector(quad[2], quad[3], 2, 6, 3, 7);
  *(PhQuad *)(to[0] + i) = __builtin_shufflevector(first, second, 0, 1, 4, 5);
  *(PhQuad *)(to[1] + i) = __builtin_shufflevector(first, second, 2, 3, 6, 7);
  *(PhQuad *)(to[2] + i) = __builtin_shufflevector(third, fourth, 0, 1, 4, 5);
  *(PhQuad *)(to[3] + i) = __builtin_shufflevector(third, fourth, 2, 3, 6, 7);
}

/// The four numbers at each place of a table with `width` numbers a knot, on straight lines between
/// knots.
PH_INLINE void ph_rows_between(const float *table, int width, const PhPlaces *places, int count,
                               float (*restrict to)[PH_BLOCK]) {
  for (int i = 0; i < count; i += 4) {
    PhQuad quad[4];
    for (int k = 0; k < 4; k++) {
      const float *row = table + width * places->knot[i + k];
      PhQuad low = *(const PhQuad *)row;
      PhQuad high = *(const PhQuad *)(row + width);
      quad[k] = low + places->part[i + k] * (high - low);
    }
    ph_put_quads(quad, to, i);
  }
}

/// The numbers of each place's knot and of the next one, in a table of pairs.
PH_INLINE void ph_pairs_at(const float *table, const PhPlaces *places, int count,
                           float (*restrict to)[PH_BLOCK]) {
  for (int i = 0; i < count; i += 4) {
    PhQuad quad[4];
    for (int k = 0; k < 4; k++) quad[k] = *(const PhQuad *)(table + 2 * places->knot[i + k]);
    ph_put_quads(quad, to, i);
  }
}
