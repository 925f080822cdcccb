#include "loops.h"

#include <stdatomic.h>

#include "phbatch_kernels.h"

static atomic_int keeps_to_avx2;

void phbatch_kernels_keep_to_avx2(int keeps) { atomic_store(&keeps_to_avx2, keeps); }

/// Selects the loops. AVX-512 is used only with VBMI2: CPUs with AVX-512 but without VBMI2 lower
/// their clock while they use 512-bit vectors. Source: Intel 64 and IA-32 Architectures
/// Optimization Reference Manual, 2.6.3 and 2.7.
const PhLoops *ph_loops(int portable) {
#if defined(__x86_64__)
  if (!portable && !atomic_load(&keeps_to_avx2) && __builtin_cpu_supports("x86-64-v4") &&
      __builtin_cpu_supports("avx512vbmi2"))
    return &ph_loops_v4;
  if (!portable && __builtin_cpu_supports("x86-64-v3")) return &ph_loops_v3;
#endif
  (void)portable;
  return &ph_loops_portable;
}
