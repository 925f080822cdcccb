#define _GNU_SOURCE

#include "system_calls.h"

#include <errno.h>
#include <malloc.h>
#include <sys/prctl.h>

int phbatch_refuse_new_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ? -errno : 0;
}

int phbatch_limit_arenas(int arenas) {
  return mallopt(M_ARENA_MAX, arenas) == 1 ? 0 : -EINVAL;
}

int phbatch_map_blocks_from(int bytes) {
  return mallopt(M_MMAP_THRESHOLD, bytes) == 1 ? 0 : -EINVAL;
}

int phbatch_keep_freed(int bytes) {
  return mallopt(M_TRIM_THRESHOLD, bytes) == 1 ? 0 : -EINVAL;
}

int phbatch_has_wide_vectors(void) {
#ifdef __x86_64__
  return __builtin_cpu_supports("x86-64-v3") != 0;
#else
  return 0;
#endif
}
