// The loops for x86-64-v3 (AVX2). An instruction set is selected when an operation is built, rather
// than by `target_clones`, so that a test can compare all sets on one machine.
#if defined(__x86_64__)
#pragma STDC FP_CONTRACT OFF

#include <stdint.h>
#include <string.h>

#include "loops.h"

#pragma clang attribute push(__attribute__((target("arch=x86-64-v3"))), apply_to = function)
#define PH_LOOPS ph_loops_v3
#define PH_REGISTER_LANES 8
#include "all.h"
#pragma clang attribute pop
#endif
