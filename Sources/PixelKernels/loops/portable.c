// The loops for the architecture's baseline: SSE2 on x86-64, NEON on AArch64.
#pragma STDC FP_CONTRACT OFF

#define PH_LOOPS ph_loops_portable
#define PH_REGISTER_LANES 4
#include "all.h"
