// Lookup of rows of four floats in a table, one row for each pixel of a block. Each row is one
// load; the rows of sixteen pixels are transposed into planes together. On many CPUs, gathering
// single floats takes several times as long.

/// Four floats of a table, at any address.
typedef float PhQuad __attribute__((vector_size(16), aligned(4), may_alias));

/// The four floats of two pixels (PhOct), and of four pixels (PhHex).
typedef float PhOct __attribute__((vector_size(32), aligned(4), may_alias));
typedef float PhHex __attribute__((vector_size(64), aligned(4), may_alias));

/// The number of pixels that are transposed together.
enum { PH_TURNED = 16 };

/// The macros below are not functions, because functions cannot return such wide vectors without
/// AVX. This one reads four floats at one address, then four at another.
#define PH_SIDE_BY_SIDE(first, second)                                                        \
  __builtin_shufflevector(*(const PhQuad *)(first), *(const PhQuad *)(second), 0, 1, 2, 3, 4, \
                          5, 6, 7)
#define PH_FOUR_ABREAST(a, b, c, d)                                                            \
  __builtin_shufflevector(PH_SIDE_BY_SIDE(a, b), PH_SIDE_BY_SIDE(c, d), 0, 1, 2, 3, 4, 5, 6, 7, \
                          8, 9, 10, 11, 12, 13, 14, 15)
/// Reads eight floats at one address, then eight at another.
#define PH_TWO_OCTS(first, second)                                                                  \
  __builtin_shufflevector(*(const PhOct *)(first), *(const PhOct *)(second), 0, 1, 2, 3, 4, 5, 6, 7, \
                          8, 9, 10, 11, 12, 13, 14, 15)
/// Returns four elements, from index `i` on, of each group of eight of `a`, then of each of `b`.
#define PH_BY_QUADS(a, b, i)                                                                       \
  __builtin_shufflevector(a, b, i, 1 + i, 2 + i, 3 + i, 8 + i, 9 + i, 10 + i, 11 + i, 16 + i, 17 + i, \
                          18 + i, 19 + i, 24 + i, 25 + i, 26 + i, 27 + i)
/// Returns elements `i` and `j` of each group of four of `a` and of `b`, alternating between `a`
/// and `b`.
#define PH_BY_TURNS(a, b, i, j)                                                                  \
  __builtin_shufflevector(a, b, i, 16 + i, j, 16 + j, 4 + i, 20 + i, 4 + j, 20 + j, 8 + i, 24 + i, \
                          8 + j, 24 + j, 12 + i, 28 + i, 12 + j, 28 + j)
/// Returns two elements, from index `i` on, of each group of four of `a` and of `b`, alternating
/// between `a` and `b`.
#define PH_BY_PAIRS(a, b, i)                                                                     \
  __builtin_shufflevector(a, b, i, i + 1, 16 + i, 17 + i, 4 + i, 5 + i, 20 + i, 21 + i, 8 + i,    \
                          9 + i, 24 + i, 25 + i, 12 + i, 13 + i, 28 + i, 29 + i)
/// Returns element `i` of each group of four elements of `a`, repeated four times.
#define PH_FOUR_TIMES(a, i)                                                                   \
  __builtin_shufflevector(a, a, i, i, i, i, 4 + i, 4 + i, 4 + i, 4 + i, 8 + i, 8 + i, 8 + i, 8 + i, \
                          12 + i, 12 + i, 12 + i, 12 + i)

/// For each pixel of a block, a knot of a table, and the fraction of the way to the next knot.
typedef struct {
  /// The index of the knot's first float.
  _Alignas(64) int32_t start[PH_PLANE];
  _Alignas(64) float part[PH_PLANE];
} PhPlaces;

/// Four values for each pixel of a block, as planes. The planes must be aligned to 64 bytes,
/// because vectors would otherwise span two cache lines.
typedef float PhRows[4][PH_PLANE];

/// Returns the knot below `position` among the knots 0…n; `part` becomes the fraction of the way to
/// the next knot. Positions are clamped to 0…n; NaN gives 0.
PH_INLINE int32_t ph_knot(float position, int n, float *part) {
  float held = position > 0.0f ? position : 0.0f;
  held = held < (float)n ? held : (float)n;
  int32_t knot = (int32_t)held;
  knot = knot < n ? knot : n - 1;
  *part = held - (float)knot;
  return knot;
}

/// Stores the position of a pixel among the knots 0…n of a table with rows of four floats.
PH_INLINE void ph_place(PhPlaces *restrict places, int i, float position, int n) {
  places->start[i] = ph_knot(position, n, &places->part[i]) * 4;
}

/// Fills the unused places of the last group of sixteen pixels, because only whole groups are
/// processed.
PH_INLINE void ph_end_places(PhPlaces *restrict places, int count) {
  for (int i = count; i % PH_TURNED; i++) {
    places->start[i] = 0;
    places->part[i] = 0.0f;
  }
}

/// Transposes the values of sixteen pixels into four planes; `pixels[k]` has every fourth pixel
/// from the k-th on.
PH_INLINE void ph_turn_rows(const PhHex pixels[4], PhHex planes[4]) {
  PhHex a = PH_BY_TURNS(pixels[0], pixels[1], 0, 1);
  PhHex b = PH_BY_TURNS(pixels[2], pixels[3], 0, 1);
  PhHex c = PH_BY_TURNS(pixels[0], pixels[1], 2, 3);
  PhHex d = PH_BY_TURNS(pixels[2], pixels[3], 2, 3);
  planes[0] = PH_BY_PAIRS(a, b, 0);
  planes[1] = PH_BY_PAIRS(a, b, 2);
  planes[2] = PH_BY_PAIRS(c, d, 0);
  planes[3] = PH_BY_PAIRS(c, d, 2);
}

PH_INLINE void ph_put_planes(const PhHex planes[4], float (*restrict to)[PH_PLANE], int i) {
  for (int k = 0; k < 4; k++) *(PhHex *)(to[k] + i) = planes[k];
}

/// Interpolates the rows of a table linearly at each position.
PH_INLINE void ph_rows_between(const float *table, const PhPlaces *places, int count,
                               float (*restrict to)[PH_PLANE]) {
  for (int i = 0; i < count; i += PH_TURNED) {
    PhHex parts = *(const PhHex *)(places->part + i);
    PhHex part[4] = {PH_FOUR_TIMES(parts, 0), PH_FOUR_TIMES(parts, 1), PH_FOUR_TIMES(parts, 2),
                     PH_FOUR_TIMES(parts, 3)};
    PhHex pixels[4], planes[4];
    for (int k = 0; k < 4; k++) {
      const int32_t *start = places->start + i + k;
      PhHex first = PH_TWO_OCTS(table + start[0], table + start[4]);
      PhHex last = PH_TWO_OCTS(table + start[8], table + start[12]);
      PhHex low = PH_BY_QUADS(first, last, 0);
      PhHex high = PH_BY_QUADS(first, last, 4);
      pixels[k] = low + part[k] * (high - low);
    }
    ph_turn_rows(pixels, planes);
    ph_put_planes(planes, to, i);
  }
}

/// Reads four floats from each of sixteen positions in a table, and transposes them into planes.
PH_INLINE void ph_quads_at(const float *table, const int32_t *start, PhHex planes[4]) {
  PhHex pixels[4];
  for (int k = 0; k < 4; k++)
    pixels[k] = PH_FOUR_ABREAST(table + start[k], table + start[k + 4], table + start[k + 8],
                                table + start[k + 12]);
  ph_turn_rows(pixels, planes);
}

/// Reads two pairs of floats from a table for each position: the pairs of its knot and of the next
/// knot.
PH_INLINE void ph_pairs_at(const float *table, const PhPlaces *places, int count,
                           float (*restrict to)[PH_PLANE]) {
  for (int i = 0; i < count; i += PH_TURNED) {
    PhHex planes[4];
    ph_quads_at(table, places->start + i, planes);
    ph_put_planes(planes, to, i);
  }
}

#undef PH_FOUR_TIMES
#undef PH_BY_PAIRS
#undef PH_BY_TURNS
#undef PH_BY_QUADS
#undef PH_TWO_OCTS
#undef PH_FOUR_ABREAST
#undef PH_SIDE_BY_SIDE
