#pragma once
#include <fontconfig/fontconfig.h>
#include <linux/memfd.h>
#include <sys/syscall.h>
#include <unistd.h>

// A file without a name, in memory; -1 on failure. The C library hides its own from Swift.
static inline int cfontconfig_memory_file(const char *name) {
  return (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC);
}
