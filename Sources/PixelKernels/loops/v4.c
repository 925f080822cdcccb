// The loops for x86-64-v4 (AVX-512), with 512-bit vectors; see v3.c.
#if defined(__x86_64__)
#pragma STDC FP_CONTRACT OFF

#include <stdint.h>
#include <string.h>

#include "loops.h"

#pragma clang attribute push( \
    __attribute__((target("arch=x86-64-v4,no-prefer-256-bit"))), apply_to = function)
#define PH_LOOPS ph_loops_v4
#define PH_REGISTER_LANES 16
#include "all.h"
#pragma clang attribute pop
#endif
