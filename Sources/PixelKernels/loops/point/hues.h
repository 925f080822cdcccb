// The instruction that changes colours by their hue. A block is divided into pieces. Each kind of
// change is computed only for the pieces with a hue that it affects; the change would not alter the
// other pieces.

#include "hue_payload.h"

/// The number of pixels of a piece, and of pieces of a block. A set of pieces has a bit for each
/// piece.
enum { PH_PIECE = 16, PH_PIECES = PH_BLOCK / PH_PIECE };
_Static_assert(PH_PIECES == 32, "a set of pieces is 32 bits");

/// The diamond angle of (a, b): the position 0…4 along the diamond |a| + |b| = 1; NaN for (0, 0).
PH_INLINE float ph_diamond_angle(float a, float b) {
  float part = b / (__builtin_fabsf(a) + __builtin_fabsf(b));
  float right = part < 0.0f ? 4.0f + part : part;
  return a < 0.0f ? 2.0f - part : right;
}

/// Moves the lightness by a step towards white or black, without reaching white or black.
PH_INLINE float ph_lit(float lightness, float step) {
  float room = step > 0.0f ? 1.0f - lightness : lightness;
  room = room > 0.0f ? room : 0.0f;
  return lightness + step * room / (__builtin_fabsf(step) + room + 1e-9f);
}

/// Finds the position of each pixel's hue in the table of changes. Returns the set of arcs that
/// contain these hues.
PH_INLINE uint32_t ph_find_hues(PhLab piece, int n, PhPlaces *restrict places, uint32_t at) {
  float scale = (float)n * 0.25f;
  int per_arc = __builtin_ctz((unsigned)n / PH_ARCS);
  uint32_t arcs = 0;
  for (uint32_t i = 0; i < PH_PIECE; i++) {
    float position = ph_diamond_angle(piece.a[i], piece.b[i]) * scale;
    int32_t knot = ph_knot(position, n, &places->part[at + i]);
    places->start[at + i] = knot * 2;
    arcs |= UINT32_C(1) << (knot >> per_arc);
  }
  return arcs;
}

/// Returns the set of pieces that have a hue on one of the arcs.
PH_INLINE uint32_t ph_pieces_on(uint32_t arcs, const uint32_t reached[PH_PIECES]) {
  uint32_t pieces = 0;
  for (int k = 0; k < PH_PIECES; k++) pieces |= (uint32_t)((reached[k] & arcs) != 0) << k;
  return pieces;
}

/// Loops over the pieces of a set; `at` is the first pixel of each piece.
#define PH_EACH(at, pieces)                                                                      \
  for (uint32_t left = (pieces), at; left && (at = PH_PIECE * (uint32_t)__builtin_ctz(left), 1); \
       left &= left - 1)

PH_INLINE PhLab ph_lab_from(PhLab colours, uint32_t at) {
  return (PhLab){colours.lightness + at, colours.a + at, colours.b + at};
}

/// Interpolates the two values of a table of pairs at each hue of a piece.
PH_INLINE void ph_of_hues(const float *table, const PhPlaces *places, uint32_t at,
                          float *restrict first, float *restrict second) {
  PhHex planes[4];
  ph_quads_at(table, places->start + at, planes);
  PhHex part = *(const PhHex *)(places->part + at);
  *(PhHex *)first = planes[0] + part * (planes[2] - planes[0]);
  *(PhHex *)second = planes[1] + part * (planes[3] - planes[1]);
}

PH_INLINE void ph_light_piece(PhLab piece, const float *restrict light) {
  for (int i = 0; i < PH_PIECE; i++) {
    float a = piece.a[i];
    float b = piece.b[i];
    float step = light[i] * __builtin_elementwise_sqrt(a * a + b * b);
    piece.lightness[i] = ph_lit(piece.lightness[i], step);
  }
}

PH_INLINE void ph_turn_piece(PhLab piece, const float *restrict cosine,
                             const float *restrict sine) {
  for (int i = 0; i < PH_PIECE; i++) {
    float a = piece.a[i];
    float b = piece.b[i];
    piece.a[i] = cosine[i] * a - sine[i] * b;
    piece.b[i] = sine[i] * a + cosine[i] * b;
  }
}

/// Multiplies chroma by 1 + the requested growth; the purities before and after the other changes
/// limit the factor.
PH_INLINE void ph_grow_piece(PhLab piece, const float *restrict growth,
                             const float *restrict before, const float *restrict after) {
  for (int i = 0; i < PH_PIECE; i++) {
    float factor = ph_held_factor(1.0f + growth[i], before[i], after[i]);
    piece.a[i] *= factor;
    piece.b[i] *= factor;
  }
}

/// Multiplies chroma by 1 + growth, for pieces in which no colour becomes purer.
PH_INLINE void ph_fade_piece(PhLab piece, const float *restrict growth) {
  for (int i = 0; i < PH_PIECE; i++) {
    float factor = 1.0f + growth[i];
    piece.a[i] *= factor;
    piece.b[i] *= factor;
  }
}

/// Processes whole pieces; the last piece may go beyond the block's pixels, because the planes are
/// long enough for it.
static void ph_hues(PhBlock *restrict block, const float *payload) {
  PhHues hues = ph_hues_read(payload);
  PhGamut gamut = ph_gamut_read(hues.gamut);
  PhLab colours = {block->plane[0], block->plane[1], block->plane[2]};
  PhPlaces places;
  uint32_t reached[PH_PIECES] = {0};
  for (uint32_t at = 0; at < (uint32_t)block->count; at += PH_PIECE)
    reached[at / PH_PIECE] = ph_find_hues(ph_lab_from(colours, at), hues.n, &places, at);
  uint32_t turned = ph_pieces_on(hues.turning, reached);
  uint32_t changed = ph_pieces_on(hues.changing, reached);
  uint32_t purer = ph_pieces_on(hues.purer, reached);
  uint32_t lit = ph_pieces_on(hues.lighting, reached);
  uint32_t moved = turned | lit;
  _Alignas(64) float before[PH_BLOCK], after[PH_BLOCK], growth[PH_BLOCK];
  // Each step is completed for all pieces before the next step; a single long loop would need too
  // many registers.
  PH_EACH(at, moved | purer) ph_purities(ph_lab_from(colours, at), PH_PIECE, gamut, before + at);
  PH_EACH(at, lit) {
    _Alignas(64) float light[PH_PIECE];
    ph_of_hues(hues.changes, &places, at, growth + at, light);
    ph_light_piece(ph_lab_from(colours, at), light);
  }
  PH_EACH(at, turned) {
    _Alignas(64) float cosine[PH_PIECE], sine[PH_PIECE];
    ph_of_hues(hues.turns, &places, at, cosine, sine);
    ph_turn_piece(ph_lab_from(colours, at), cosine, sine);
  }
  PH_EACH(at, moved) ph_purities(ph_lab_from(colours, at), PH_PIECE, gamut, after + at);
  PH_EACH(at, changed & ~lit) {
    _Alignas(64) float light[PH_PIECE];
    ph_of_hues(hues.changes, &places, at, growth + at, light);
  }
  PH_EACH(at, turned & ~(changed | lit)) {
    static const float none[PH_PIECE];
    ph_grow_piece(ph_lab_from(colours, at), none, before + at, after + at);
  }
  PH_EACH(at, moved & (changed | lit))
    ph_grow_piece(ph_lab_from(colours, at), growth + at, before + at, after + at);
  PH_EACH(at, purer & ~moved)
    ph_grow_piece(ph_lab_from(colours, at), growth + at, before + at, before + at);
  PH_EACH(at, changed & ~(moved | purer)) ph_fade_piece(ph_lab_from(colours, at), growth + at);
}

#undef PH_EACH
