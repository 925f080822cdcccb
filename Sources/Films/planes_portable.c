// The loops for the architecture's baseline: SSE2 on x86-64, NEON on AArch64.
#pragma STDC FP_CONTRACT OFF

#define LOOPS phbatch_planes_portable
#include "planes_set.h"
