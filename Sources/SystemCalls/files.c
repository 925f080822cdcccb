#define _GNU_SOURCE

#include "system_calls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

const int phbatch_no_access_time = O_NOATIME;

static int64_t nanoseconds(struct statx_timestamp time) {
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

int phbatch_status(int folder, const char *name, struct phbatch_status *status) {
  struct statx found;
  const unsigned wanted = STATX_TYPE | STATX_MODE | STATX_INO | STATX_SIZE | STATX_MTIME | STATX_CTIME
    | STATX_BTIME | STATX_UID;
  if (statx(folder, name, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH, wanted, &found) != 0) return -errno;
  status->inode = found.stx_ino;
  status->size = (int64_t)found.stx_size;
  status->modified = nanoseconds(found.stx_mtime);
  status->changed = nanoseconds(found.stx_ctime);
  status->born = (found.stx_mask & STATX_BTIME) ? nanoseconds(found.stx_btime) : 0;
  status->owner = found.stx_uid;
  status->mode = found.stx_mode;
  return 0;
}

int phbatch_memory_file(void) {
  int descriptor = memfd_create("phbatch", MFD_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}

ssize_t phbatch_read_directory(int folder, void *buffer, size_t capacity) {
  ssize_t filled = getdents64(folder, buffer, capacity);
  return filled < 0 ? -errno : filled;
}

int phbatch_open_beneath(int root, const char *path, int flags, mode_t mode) {
  struct open_how how = {
    .flags = (uint64_t)(flags | O_CLOEXEC),
    // The kernel rejects a mode unless the flags create a file.
    .mode = (flags & O_CREAT) ? mode : 0,
    .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  long descriptor;
  do {
    descriptor = syscall(SYS_openat2, root, path, &how, sizeof how);
    // EAGAIN means that a concurrent rename kept the kernel from proving that the path stays below
    // the root; the call is then repeated.
  } while (descriptor < 0 && (errno == EINTR || errno == EAGAIN));
  return descriptor < 0 ? -errno : (int)descriptor;
}

// The constants in this function identify file systems; they are taken from statfs(2) and
// linux/magic.h.
enum phbatch_file_system phbatch_file_system(int file) {
  struct statfs found;
  if (fstatfs(file, &found) != 0) return phbatch_file_system_network;
  switch ((uint32_t)found.f_type) {
    case 0xEF53:      // ext2, ext3, ext4
    case 0x58465342:  // XFS
    case 0x9123683E:  // btrfs
    case 0x01021994:  // tmpfs
    case 0x794C7630:  // overlayfs
    case 0xF2F52010:  // F2FS
    case 0x2FC12FC1:  // ZFS
    case 0xCA451A4E:  // bcachefs
      return phbatch_file_system_local;
    case 0x65735546:
      return phbatch_file_system_user;
    case 0x6969:      // NFS
    case 0x517B:      // SMB
    case 0xFF534D42:  // CIFS
    case 0xFE534D42:  // SMB2
    case 0x01021997:  // 9P
    case 0x00C36400:  // Ceph
    case 0x5346414F:  // AFS
    case 0x6B414653:  // kAFS
    case 0x73757245:  // Coda
    case 0x0BD00BD0:  // Lustre
    case 0x47504653:  // GPFS
      return phbatch_file_system_network;
    default:
      return phbatch_file_system_coarse;
  }
}

int phbatch_start_writing(int file) {
  return sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE) != 0 ? -errno : 0;
}

int phbatch_rename(
  int from_folder, const char *from, int to_folder, const char *to, enum phbatch_rename_mode mode) {
  unsigned flags = 0;
  if (mode == phbatch_rename_keep) flags = RENAME_NOREPLACE;
  if (mode == phbatch_rename_exchange) flags = RENAME_EXCHANGE;
  return renameat2(from_folder, from, to_folder, to, flags) != 0 ? -errno : 0;
}
