#include "loops.h"

#include "loops/sets.h"

const PhLoops *ph_loops(int portable) {
#if defined(__x86_64__)
  if (!portable && __builtin_cpu_supports("x86-64-v3")) return &ph_loops_v3;
#endif
  (void)portable;
  return &ph_loops_portable;
}
