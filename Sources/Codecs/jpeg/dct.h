#pragma once

/// The edge of a block of JPEG, in samples.
enum { PH_DCT_EDGE = 8 };

typedef float PhDctBlock[PH_DCT_EDGE][PH_DCT_EDGE];

/// Computes the discrete cosine transform of a block of samples, ITU-T T.81, A.3.3, in single
/// precision: `to[v][u]` is the coefficient of the vertical frequency v and the horizontal
/// frequency u.
void ph_dct(float (*from)[PH_DCT_EDGE], float (*to)[PH_DCT_EDGE]);
