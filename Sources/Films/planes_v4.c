// The loops for x86-64-v4 (AVX-512), with 512-bit vectors; see planes_v3.c.
#if defined(__x86_64__)
#pragma STDC FP_CONTRACT OFF

#include <stdint.h>

#pragma clang attribute push( \
  __attribute__((target("arch=x86-64-v4,no-prefer-256-bit"))), apply_to = function)
#define LOOPS phbatch_planes_v4
#include "planes_set.h"
#pragma clang attribute pop
#endif
