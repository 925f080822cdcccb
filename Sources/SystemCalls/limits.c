#define _GNU_SOURCE

#include "system_calls.h"

#include <errno.h>
#include <sys/resource.h>

int phbatch_lower_limit(enum phbatch_limit limit, uint64_t value) {
  static const __rlimit_resource_t resources[] = {
    [phbatch_limit_address_space] = RLIMIT_AS, [phbatch_limit_cpu_seconds] = RLIMIT_CPU,
    [phbatch_limit_file_bytes] = RLIMIT_FSIZE, [phbatch_limit_descriptors] = RLIMIT_NOFILE,
    [phbatch_limit_core_bytes] = RLIMIT_CORE,
  };
  struct rlimit now;
  if (getrlimit(resources[limit], &now) != 0) return -errno;
  // At the hard limit of processor time, the kernel sends SIGKILL, as it does if memory runs out.
  uint64_t most = limit == phbatch_limit_cpu_seconds ? value + 5 : value;
  const struct rlimit lowered = {
    .rlim_cur = value < now.rlim_cur ? value : now.rlim_cur,
    .rlim_max = most < now.rlim_max ? most : now.rlim_max,
  };
  return setrlimit(resources[limit], &lowered) != 0 ? -errno : 0;
}

int32_t phbatch_raise_descriptors(uint64_t wanted) {
  struct rlimit now;
  if (getrlimit(RLIMIT_NOFILE, &now) != 0) return 0;
  if (now.rlim_cur < wanted) {
    struct rlimit raised = now;
    raised.rlim_cur = wanted < now.rlim_max ? wanted : now.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) now = raised;
  }
  return now.rlim_cur < INT32_MAX ? (int32_t)now.rlim_cur : INT32_MAX;
}
