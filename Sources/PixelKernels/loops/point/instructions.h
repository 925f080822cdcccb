#pragma once

/// All instructions of a point program except TABLE, which runs while pixels are unpacked. Each has
/// its name, the number of floats in its payload (−1 if this number depends on the payload or the
/// input), and its loop.
///
/// A new instruction needs a line here, an opcode in phbatch_program.h, and a loop in this folder.
/// If its payload can be invalid, program.c must check it.
#define PH_EACH_INSTRUCTION(X)           \
  X(GAIN, 6, ph_gain)                    \
  X(MATRIX, 12, ph_matrix)               \
  X(DECODE, 0, ph_decode)                \
  X(ENCODE, 0, ph_encode)                \
  X(CURVE, -1, ph_curve)                 \
  X(CBRT, 0, ph_cube_root)               \
  X(CUBE, 0, ph_cube)                    \
  X(VIBRANCE, 7, ph_vibrance)            \
  X(RADIAL, 7, ph_radial)                \
  X(SAVE, 1, ph_save)                    \
  X(MIX, 3, ph_mix)                      \
  X(HUES, -1, ph_hues)                   \
  X(GRADE, -1, ph_grade)                 \
  X(STEPS, 1, ph_steps)                  \
  X(LAYER, 1, ph_layer)                  \
  X(BLEND, 2, ph_blend)                  \
  X(COVER_LINEAR, 4, ph_cover_linear)    \
  X(COVER_RADIAL, 8, ph_cover_radial)    \
  X(COVER_POLYGON, -1, ph_cover_polygon) \
  X(COVER_RANGE, 4, ph_cover_range)      \
  X(COVER_DISC, 5, ph_cover_disc)        \
  X(COVER_MAP, 8, ph_cover_map)          \
  X(COMBINE, 3, ph_combine)              \
  X(FADE, 3, ph_fade)                    \
  X(LUT, -1, ph_lut)                     \
  X(GRAIN, 10, ph_grain)                 \
  X(DITHER, 2, ph_dither)                \
  X(LOCAL, -1, ph_local)                 \
  X(DEHAZE, 13, ph_dehaze)               \
  X(TILES, 7, ph_tiles)                  \
  X(SATURATE, 7, ph_saturate)            \
  X(DECODE_NEARLY, 0, ph_decode_nearly)  \
  X(CLOSE, 11, ph_close)                 \
  X(KEY, 9, ph_key)                      \
  X(COMPOSE, 4, ph_compose)              \
  X(HOLD, 1, ph_hold)                    \
  X(ROLLOFF, 22, ph_rolloff)             \
  X(GAMUT, 21, ph_gamut)                 \
  X(FALLOFF, 8, ph_falloff)              \
  X(MULTIPLY, 1, ph_multiply)            \
  X(TONE, -1, ph_tone)                   \
  X(ADAPT, 11, ph_adapt)
