#pragma once
#include <stddef.h>
#include <stdint.h>

/// The kind of a pixel in a membrane: its value is computed (free), given (known) or unused.
typedef enum { PH_FREE, PH_KNOWN, PH_OUTSIDE } PhPart;

/// The number of floats of scratch memory that a membrane of this size needs.
size_t ph_membrane_room(int width, int height);

/// Replaces the free values by the smoothest surface through the known values.
///
/// The surface is the solution of Laplace's equation: each free value is the mean of its four
/// neighbours, without neighbours that are outside.
///
/// `values` are three planes of `width` × `height` floats, one after the other. The error is at
/// most 1/1000 of the range of the known values. `scratch` has `ph_membrane_room` floats. Returns 0
/// if no value is known; the free values then do not change.
///
/// Source: full multigrid (A. Brandt, "Multi-level adaptive solutions to boundary-value problems",
/// Mathematics of Computation 31, 1977).
int ph_membrane_solve(const uint8_t *part, float *values, int width, int height, float *scratch);
