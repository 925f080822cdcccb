// System calls that Swift on Linux cannot reach: calls that glibc hides behind _GNU_SOURCE or does
// not wrap, and control messages, which need C macros that Swift does not import.
//
// A call that fails returns the negated error number (for instance -EPERM); the caller need not
// read errno.

#ifndef PHBATCH_SYSTEM_CALLS_H
#define PHBATCH_SYSTEM_CALLS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// A file's status by statx(2). Times are nanoseconds since 1970, UTC.
struct phbatch_status {
  uint64_t inode;
  int64_t size;
  int64_t modified;
  int64_t changed;
  // The time of creation; 0 if the file system does not report it.
  int64_t born;
  // Type and permission bits, as in st_mode.
  uint32_t mode;
  // The user ID of the owner.
  uint32_t owner;
};

// Fills in the status of `name` in `folder` without following a symbolic link. An empty name means
// `folder` itself, which may be any open file.
int phbatch_status(int folder, const char *name, struct phbatch_status *status);

// Fills `buffer` with directory entries in the kernel's format (struct linux_dirent64).
// Returns the bytes filled, 0 at the end of the directory.
ssize_t phbatch_read_directory(int folder, void *buffer, size_t capacity);

// O_NOATIME: reading does not change the access time. Opening a file of another user with this flag
// fails with EPERM.
extern const int phbatch_no_access_time;

// Opens `path` below `root`. An absolute path, `..` above the root or a symbolic link is not
// followed: -EXDEV or -ELOOP. The descriptor is close-on-exec. Needs Linux 5.6 (-ENOSYS on older
// kernels).
int phbatch_open_beneath(int root, const char *path, int flags, mode_t mode);

// The kind of file system that a file is on.
enum phbatch_file_system {
  // A local file system with timestamps finer than 10 ms.
  phbatch_file_system_local = 0,
  // Any other local file system.
  phbatch_file_system_coarse = 1,
  // A network file system; the clock that sets its timestamps is not that of this machine.
  phbatch_file_system_network = 2,
  // A user-space file system (FUSE), which may invent inode numbers; its files may be on another
  // machine.
  phbatch_file_system_user = 3,
};

enum phbatch_file_system phbatch_file_system(int file);

// Makes the kernel start to write a file's bytes to the disk, without waiting until they are
// written.
int phbatch_start_writing(int file);

enum phbatch_rename_mode {
  phbatch_rename_replace = 0,
  // Fails with -EEXIST if the new name exists.
  phbatch_rename_keep = 1,
  // Both names must exist.
  phbatch_rename_exchange = 2,
};

// Renames or moves a file. -EINVAL if the file system does not support the mode.
int phbatch_rename(
  int from_folder, const char *from, int to_folder, const char *to, enum phbatch_rename_mode mode);

// Returns 1 on an x86-64 processor with AVX2 and the other instructions of x86-64-v3, else 0.
int phbatch_has_wide_vectors(void);

// Makes these signals write their numbers, one byte each, into a new pipe, instead of ending the
// process. Returns the read end of the pipe, which is close-on-exec. A signal can have
// only one pipe at a time.
int phbatch_hear_signals(const int *numbers, int count);

// Restores the default actions of the signals of one pipe, and closes the pipe's write end.
void phbatch_forget_signals(const int *numbers, int count);

// Prevents this thread and its children, permanently, from gaining privileges through execve.
int phbatch_refuse_new_privileges(void);

// Limits the number of malloc's arenas, each of which has its own memory. -EINVAL if malloc refuses
// the limit.
int phbatch_limit_arenas(int arenas);

// Makes malloc allocate blocks of at least `bytes` bytes as separate mappings, which are returned
// to the kernel when they are freed. Without this call, malloc raises that threshold at run time
// and keeps freed blocks. -EINVAL if malloc refuses the value.
int phbatch_map_blocks_from(int bytes);

// Makes malloc keep up to `bytes` freed bytes at the end of the heap for later blocks. -EINVAL if
// malloc refuses the value.
int phbatch_keep_freed(int bytes);

enum phbatch_limit {
  phbatch_limit_address_space,
  // The processor time of all threads together, in seconds; the kernel sends SIGXCPU when it is
  // used up.
  phbatch_limit_cpu_seconds,
  // The size of each file that is written. A write beyond it causes SIGXFSZ, or EFBIG if that
  // signal is ignored.
  phbatch_limit_file_bytes,
  phbatch_limit_descriptors,
  phbatch_limit_core_bytes,
};

// Lowers a limit of this process permanently. A limit that is already lower does not change.
int phbatch_lower_limit(enum phbatch_limit limit, uint64_t value);

// Returns the number of threads of this process.
int phbatch_thread_count(void);

// Returns the version of Landlock in this kernel, 1 or higher; 0 if the kernel has no Landlock.
int phbatch_landlock_version(void);

// Returns a descriptor of a rule set that denies everything that this kernel's Landlock can deny:
// access to files and TCP, signals to outside processes, and their abstract sockets. -ENOSYS
// without Landlock.
int phbatch_landlock_create(void);

// Adds an exception to the rule set: allows reading at and below `path`, and with `may_write` also
// creating, writing and removing files. -ENOENT if `path` does not exist.
int phbatch_landlock_allow(int ruleset, const char *path, int may_write);

// Applies the rule set permanently to this thread and the threads that it starts later. Other
// threads are not restricted. Open descriptors remain usable. -EPERM without
// phbatch_refuse_new_privileges.
int phbatch_landlock_enter(int ruleset);

// Denies this process, permanently, the system calls that a decoder does not need. Calls for
// sockets, programs, other processes, mounts, users and file attributes fail with EPERM, and calls
// newer than Linux 6.1 with ENOSYS. A call of another architecture ends the process. Returns -EPERM
// without phbatch_refuse_new_privileges, and -ENOSYS on architectures other than x86-64 and
// aarch64.
int phbatch_refuse_calls(void);

// The maximum number of descriptors that one message can carry.
enum { phbatch_message_descriptors = 253 };

// Sends bytes and descriptors over a Unix socket. `count` must not be 0 if there are descriptors.
//
// Returns the number of bytes sent. A stream socket may send fewer than `count`; all descriptors go
// with the first byte. -EPIPE if the peer is closed; no signal is sent.
ssize_t phbatch_send(
  int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

// Receives the message of one phbatch_send; from a stream socket it may receive only a part of the
// bytes.
//
// `descriptors` has room for phbatch_message_descriptors. Received descriptors are close-on-exec.
// Returns the number of bytes received, 0 at the end. -EMSGSIZE if the message is larger than
// `capacity` or has too many descriptors; its descriptors are then closed.
ssize_t phbatch_receive(
  int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count);

// Returns an inotify descriptor, through which the kernel reports changes in folders: it is
// readable when there are events, and non-blocking. -EMFILE above fs.inotify.max_user_instances.
int phbatch_open_events(void);

// Starts reporting names that appear, disappear or change in an open folder, and the folder's own
// removal.
//
// Returns the watch descriptor that identifies the folder in events. A folder always gets the same
// watch descriptor while it is watched; a freed one is not used again. -ENOSPC above
// fs.inotify.max_user_watches.
int phbatch_watch_folder(int events, int folder);

void phbatch_unwatch_folder(int events, int watch);

enum phbatch_event_kind {
  // An entry with this name appeared, disappeared or changed.
  phbatch_event_entry = 1,
  // A subfolder with this name appeared, disappeared or changed.
  phbatch_event_folder = 2,
  // The watched folder itself was moved, removed or unmounted.
  phbatch_event_self = 4,
  // No more events of this watch descriptor follow.
  phbatch_event_end = 8,
  // Events were lost; any folder may be affected.
  phbatch_event_lost = 16,
};

struct phbatch_event {
  int watch;
  // One or more values of phbatch_event_kind.
  unsigned kinds;
  // The entry's name, zero-terminated; empty if the event is about the folder itself. It points
  // into the buffer that was read.
  const char *name;
};

// Reads pending events. Returns the number of bytes filled, 0 if no event is pending. `buffer` must
// be aligned to 4 bytes and have room for at least 272.
ssize_t phbatch_read_events(int events, void *buffer, size_t capacity);

// Decodes the event at `offset` in the buffer that was read. Returns the offset of the next event.
size_t phbatch_next_event(const void *buffer, size_t offset, struct phbatch_event *event);

// Opens a pipe with two non-blocking, close-on-exec ends: for reading, then for writing.
int phbatch_open_pipe(int ends[2]);

// Returns 1 if any process has this file open for writing, else 0. -EACCES for files of other
// users; -EINVAL or another error if the file system does not report it. `file` must be open for
// reading only.
int phbatch_has_writer(int file);

// Sends one datagram to a Unix socket. `address` is a path, or `@` and an abstract name.
int phbatch_notify(const char *address, const char *message);

// Opens /dev/null for each closed descriptor among 0, 1 and 2, so that no file opened later gets
// one of them and receives output meant for the terminal. It is opened in the wrong direction, so
// that using such a descriptor still fails.
void phbatch_fill_standard_descriptors(void);

// Starts `executable`, a path, with signals at their defaults and none blocked.
//
// The child has exactly these descriptors: 0 is /dev/null; 1 and 2 are `standard_error`, or this
// process's descriptor 2 if `standard_error` is negative; 3 is `descriptor`.
int phbatch_spawn(
  const char *executable, char *const arguments[], char *const environment[], int descriptor,
  int standard_error, pid_t *process);

// Forks this single-threaded process `count` times; each child calls `work`, which does not return.
// `processes` receives the process ID of each child, or a negated error number.
//
// A child has four descriptors: 0, 1 and 2 are /dev/null, and 3 is its element of `descriptors`.
// Its signals have their default actions, and none is blocked. -EBUSY if this process has more than
// one thread, because a child could not work.
//
// The fork happens in a new thread that has never run Swift code, and that thread is the only one
// of the child. The reason: a Swift lock stores the ID of the thread that holds it, and each thread
// caches its own ID. A child forked from a thread that has run Swift would use the parent's cached
// ID, and a lock that two threads wait for would never be released.
int phbatch_fork(const int *descriptors, int count, void (*work)(void), pid_t *processes);

// The maximum number of descriptors of a program that phbatch_spawn_program starts.
enum { phbatch_program_descriptors = 4 };

// Starts `program`, a path or a name to find in PATH, with default signal actions and no signal
// blocked. With `leads_group` it gets a new process group; otherwise it is in the group of this
// process. The program has only the given `descriptors` of this process, as 0, 1 and so on.
int phbatch_spawn_program(
  const char *program, char *const arguments[], char *const environment[], const int *descriptors,
  int count, int leads_group, pid_t *process);

// Returns a descriptor that becomes readable when the child `process` has ended; close-on-exec.
int phbatch_watch_process(pid_t process);

// Returns 1 if the child `process` has ended, else 0. The caller can still wait for the child.
int phbatch_has_ended(pid_t process);

#ifdef __cplusplus
}
#endif

#endif
