// Rows of four numbers, picked from a table by the pixels of a block: one load each, turned into
// planes eight pixels at a time. On many CPUs gathering single numbers takes several times as long.

/// Four numbers of a table, wherever in memory.
typedef float PhQuad __attribute__((vector_size(16), aligned(4), may_alias));

/// Those of two pixels side by side.
typedef float PhOct __attribute__((vector_size(32), aligned(4), may_alias));

/// No function: without AVX it could not return a vector as wide.
#define PH_SIDE_BY_SIDE(first, second)                                                        \
  __builtin_shufflevector(*(const PhQuad *)(first), *(const PhQuad *)(second), 0, 1, 2, 3, 4, \
                          5, 6, 7)

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

/// Fills the last eight pixels up, which are worked on together.
PH_INLINE void ph_end_places(PhPlaces *restrict places, int count) {
  for (int i = count; i % 8; i++) {
    places->knot[i] = 0;
    places->part[i] = 0.0f;
  }
}

/// Puts the numbers of eight pixels, those of the first and the fifth side by side and so on, into
/// their planes.
PH_INLINE void ph_put_octs(const PhOct pixels[4], float (*restrict to)[PH_BLOCK], int i) {
  PhOct a = __builtin_shufflevector(pixels[0], pixels[1], 0, 8, 1, 9, 4, 12, 5, 13);
  PhOct b = __builtin_shufflevector(pixels[2], pixels[3], 0, 8, 1, 9, 4, 12, 5, 13);
  PhOct c = __builtin_shufflevector(pixels[0], pixels[1], 2, 10, 3, 11, 6, 14, 7, 15);
  PhOct d = __builtin_shufflevector(pixels[2], pixels[3], 2, 10, 3, 11, 6, 14, 7, 15);
  *(PhOct *)(to[0] + i) = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
  *(PhOct *)(to[1] + i) = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
  *(PhOct *)(to[2] + i) = __builtin_shufflevector(c, d, 0, 1, 8, 9, 4, 5, 12, 13);
  *(PhOct *)(to[3] + i) = __builtin_shufflevector(c, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

/// The four numbers at each place of a table with `width` numbers a knot, on straight lines between
/// knots.
PH_INLINE void ph_rows_between(const float *table, int width, const PhPlaces *places, int count,
                               float (*restrict to)[PH_BLOCK]) {
  for (int i = 0; i < count; i += 8) {
    PhOct parts = *(const PhOct *)(places->part + i);
    PhOct part[4] = {__builtin_shufflevector(parts, parts, 0, 0, 0, 0, 4, 4, 4, 4),
                     __builtin_shufflevector(parts, parts, 1, 1, 1, 1, 5, 5, 5, 5),
                     __builtin_shufflevector(parts, parts, 2, 2, 2, 2, 6, 6, 6, 6),
                     __builtin_shufflevector(parts, parts, 3, 3, 3, 3, 7, 7, 7, 7)};
    PhOct pixels[4];
    for (int k = 0; k < 4; k++) {
      const float *first = table + width * places->knot[i + k];
      const float *second = table + width * places->knot[i + k + 4];
      PhOct low = PH_SIDE_BY_SIDE(first, second);
      pixels[k] = low + part[k] * (PH_SIDE_BY_SIDE(first + width, second + width) - low);
    }
    ph_put_octs(pixels, to, i);
  }
}

/// The numbers of each place's knot and of the next one, in a table of pairs.
PH_INLINE void ph_pairs_at(const float *table, const PhPlaces *places, int count,
                           float (*restrict to)[PH_BLOCK]) {
  for (int i = 0; i < count; i += 8) {
    PhOct pixels[4];
    for (int k = 0; k < 4; k++)
      pixels[k] = PH_SIDE_BY_SIDE(table + 2 * places->knot[i + k],
                                  table + 2 * places->knot[i + k + 4]);
    ph_put_octs(pixels, to, i);
  }
}

#undef PH_SIDE_BY_SIDE
