#pragma once
#include "loops/loops.h"

/// Divides the colours of a block by alpha; transparent pixels become black.
void ph_unpremultiply(PhBlock *block);

/// Multiplies the colours of a block by alpha.
void ph_premultiply(PhBlock *block);
