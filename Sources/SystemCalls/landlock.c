#define _GNU_SOURCE

#include "system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The constants below are taken from <linux/landlock.h> in Linux 6.15. The header is not included,
// because Debian 12 has the older header of Linux 6.1.

enum {
  execute = 1 << 0,
  write_file = 1 << 1,
  read_file = 1 << 2,
  read_folder = 1 << 3,
  remove_file = 1 << 5,
  make_file = 1 << 8,
  truncate_file = 1 << 14,
  control_device = 1 << 15,
};

struct rules {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};

struct path_rule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

enum { version_flag = 1, path_rule_kind = 1 };

int phbatch_landlock_version(void) {
  const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, version_flag);
  return version < 0 ? 0 : (int)version;
}

// Returns all rights that Landlock can deny in this version.
static struct rules all_rights(int version) {
  return (struct rules){
    .files = version >= 5   ? (1 << 16) - 1
             : version >= 3 ? (1 << 15) - 1
             : version >= 2 ? (1 << 14) - 1
                            : (1 << 13) - 1,
    // The value 3 has the rights to bind and to connect TCP sockets.
    .network = version >= 4 ? 3 : 0,
    // The value 3 restricts abstract sockets and signals to processes inside the sandbox.
    .scopes = version >= 6 ? 3 : 0,
  };
}

int phbatch_landlock_create(void) {
  const int version = phbatch_landlock_version();
  if (version == 0) return -ENOSYS;
  const struct rules rules = all_rights(version);
  const size_t size = version >= 6   ? sizeof rules
                      : version >= 4 ? offsetof(struct rules, scopes)
                                     : offsetof(struct rules, network);
  const long ruleset = syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  return ruleset < 0 ? -errno : (int)ruleset;
}

int phbatch_landlock_allow(int ruleset, const char *path, int may_write) {
  const int file = open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return -errno;
  struct stat status;
  struct path_rule rule = {.allowed = read_file | read_folder, .parent = file};
  if (may_write) rule.allowed |= write_file | truncate_file | remove_file | make_file;
  rule.allowed &= all_rights(phbatch_landlock_version()).files;
  long result = fstat(file, &status);
  if (result == 0) {
    // For a path that is not a folder, Landlock rejects a rule that contains rights for folders.
    if (!S_ISDIR(status.st_mode))
      rule.allowed &= execute | write_file | read_file | truncate_file | control_device;
    result = syscall(SYS_landlock_add_rule, ruleset, path_rule_kind, &rule, 0);
  }
  const int failure = errno;
  close(file);
  return result != 0 ? -failure : 0;
}

int phbatch_landlock_enter(int ruleset) {
  return syscall(SYS_landlock_restrict_self, ruleset, 0) != 0 ? -errno : 0;
}

int phbatch_thread_count(void) {
  struct stat status;
  // /proc/self/task has a subfolder for each thread, and the link count of a folder is the number
  // of its subfolders plus 2.
  if (stat("/proc/self/task", &status) != 0) return -errno;
  return (int)status.st_nlink - 2;
}
