// The loops for x86-64-v3 (AVX2). Functions are selected by a table rather than by `target_clones`,
// so that a test can compare all sets on one machine.
#if defined(__x86_64__)
#pragma STDC FP_CONTRACT OFF

#include <stdint.h>

#pragma clang attribute push(__attribute__((target("arch=x86-64-v3"))), apply_to = function)
#define LOOPS phbatch_planes_v3
#include "planes_set.h"
#pragma clang attribute pop
#endif
