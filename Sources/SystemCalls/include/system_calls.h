// Calls that Swift on Linux cannot reach: those that glibc hides behind _GNU_SOURCE or does not
// wrap, and control messages, whose macros Swift does not see.
//
// A call that fails returns its error number negated; nothing has to be read from errno.

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
  // When the file was made; 0 where the file system does not say.
  int64_t born;
  // Type and permission bits, as in st_mode.
  uint32_t mode;
  // The user.
  uint32_t owner;
};

// Describes `name` in `folder` without following a symbolic link; an empty name means `folder`
// itself, which may be any open file.
int phbatch_status(int folder, const char *name, struct phbatch_status *status);

// Fills `buffer` with directory entries in the kernel's format (struct linux_dirent64).
// Returns the bytes filled, 0 at the end of the directory.
ssize_t phbatch_read_directory(int folder, void *buffer, size_t capacity);

// O_NOATIME: reading leaves the access time alone. EPERM for files of others.
extern const int phbatch_no_access_time;

// Opens `path` below `root`. Neither an absolute path, nor `..` above the root, nor any symbolic
// link is followed: EXDEV or ELOOP. The descriptor is close-on-exec. Needs Linux 5.6 (ENOSYS).
int phbatch_open_beneath(int root, const char *path, int flags, mode_t mode);

// The kind of file system that a file is on.
enum phbatch_file_system {
  // On this machine, with times finer than 10 ms.
  phbatch_file_system_local = 0,
  // Anything else on this machine.
  phbatch_file_system_coarse = 1,
  // On another machine, whose clock is not ours.
  phbatch_file_system_network = 2,
  // In a program of the user (FUSE), which may make up inode numbers; perhaps on another machine.
  phbatch_file_system_user = 3,
};

enum phbatch_file_system phbatch_file_system(int file);

// Has the kernel begin to write a file's bytes to the disk, and does not wait for it.
int phbatch_start_writing(int file);

enum phbatch_rename_mode {
  phbatch_rename_replace = 0,
  // EEXIST if the new name is taken.
  phbatch_rename_keep = 1,
  // Both names must exist.
  phbatch_rename_exchange = 2,
};

// EINVAL where the file system knows no such mode.
int phbatch_rename(
  int from_folder, const char *from, int to_folder, const char *to, enum phbatch_rename_mode mode);

// 1 on an x86-64 processor with AVX2 and what comes with it (x86-64-v3), else 0.
int phbatch_has_wide_vectors(void);

// From now on these signals end nothing: each puts its number, a byte, into a pipe. Returns the end to
// read from, which does not wait and closes on execve. A signal has one pipe at a time.
int phbatch_hear_signals(const int *numbers, int count);

// Lets the signals of one pipe do again what they usually do, and closes its end to write to.
void phbatch_forget_signals(const int *numbers, int count);

// Gives up gaining privileges through execve, for this thread and its children, for ever.
int phbatch_refuse_new_privileges(void);

// Limits the arenas of malloc, each of which keeps memory of its own. -EINVAL if refused.
int phbatch_limit_arenas(int arenas);

// Gives blocks of this size and more mappings of their own, which end when they are freed; without
// it, malloc raises the size as it goes, and keeps such blocks. -EINVAL if refused.
int phbatch_map_blocks_from(int bytes);

// Keeps up to so many bytes at the end of the heap that were freed for the next blocks. -EINVAL if
// refused.
int phbatch_keep_freed(int bytes);

enum phbatch_limit {
  phbatch_limit_address_space,
  // The processor time of all threads together; then SIGXCPU.
  phbatch_limit_cpu_seconds,
  // The size of any file that is written; above it SIGXFSZ, or EFBIG where that is ignored.
  phbatch_limit_file_bytes,
  phbatch_limit_descriptors,
  phbatch_limit_core_bytes,
};

// Lowers a limit of this process for ever; one that is lower already stays.
int phbatch_lower_limit(enum phbatch_limit limit, uint64_t value);

// The threads of this process.
int phbatch_thread_count(void);

// The version of Landlock in this kernel, from 1 on; 0 where there is none.
int phbatch_landlock_version(void);

// A descriptor for rules that refuse all that this kernel's Landlock can refuse: files, TCP, and
// signals and abstract sockets of processes outside. -ENOSYS without Landlock.
int phbatch_landlock_create(void);

// Adds an exception for what is at `path` and below: reading, and if asked making, writing and
// removing files. -ENOENT if nothing is there.
int phbatch_landlock_allow(int ruleset, const char *path, int may_write);

// Puts this thread, and those that it will start, under the rules, for ever. Other threads stay
// free. Descriptors that are open keep working. -EPERM without phbatch_refuse_new_privileges.
int phbatch_landlock_enter(int ruleset);

// Refuses this process, for ever, the system calls that a decoder has no use for, with EPERM:
// sockets, programs, other processes, mounts, users, attributes of files; and those newer than
// Linux 6.1 with ENOSYS. A call of another architecture ends the process. -EPERM without
// phbatch_refuse_new_privileges, -ENOSYS but for x86-64 and aarch64.
int phbatch_refuse_calls(void);

// The most descriptors that one message can carry.
enum { phbatch_message_descriptors = 253 };

// Sends bytes and descriptors over a Unix socket. `count` must not be 0 if there are descriptors.
//
// Returns the bytes sent: over a stream socket they may be fewer than `count`, and the descriptors
// have gone with the first. A closed peer is EPIPE, never a signal.
ssize_t phbatch_send(
  int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

// Receives what one phbatch_send sent (over a stream socket: at most that).
//
// `descriptors` has room for phbatch_message_descriptors; those received are close-on-exec. Returns
// the bytes received, 0 at the end. A message larger than `capacity`, or with more descriptors
// than fit, is EMSGSIZE; its descriptors are closed.
ssize_t phbatch_receive(
  int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count);

// A descriptor for what the kernel tells of folders (inotify): readable when there is something, never
// blocking. -EMFILE above fs.inotify.max_user_instances.
int phbatch_open_events(void);

// Has the kernel tell of names that come, go or change in an open folder, and of its own end.
//
// Returns the number by which events name the folder: the same for the same folder, never used
// again. -ENOSPC above fs.inotify.max_user_watches.
int phbatch_watch_folder(int events, int folder);

void phbatch_unwatch_folder(int events, int watch);

enum phbatch_event_kind {
  // Something with this name came, went or changed.
  phbatch_event_entry = 1,
  // The same of a folder.
  phbatch_event_folder = 2,
  // The watched folder itself was moved, removed or unmounted.
  phbatch_event_self = 4,
  // There will be no more events of this number.
  phbatch_event_end = 8,
  // Events of any folders were lost.
  phbatch_event_lost = 16,
};

struct phbatch_event {
  int watch;
  // One or more values of phbatch_event_kind.
  unsigned kinds;
  // Ends with a zero byte; empty if it is about the folder itself. In the buffer that was read.
  const char *name;
};

// Reads waiting events. Returns the bytes filled, 0 if there are none. `buffer` is aligned to 4 bytes
// and has room for 272 or more.
ssize_t phbatch_read_events(int events, void *buffer, size_t capacity);

// The event at `offset` of what was read. Returns the offset of the next.
size_t phbatch_next_event(const void *buffer, size_t offset, struct phbatch_event *event);

// A pipe whose ends, for reading and for writing, never block and are close-on-exec.
int phbatch_open_pipe(int ends[2]);

// 1 if anybody has this file open for writing, 0 if not. -EACCES for files of others, -EINVAL and
// others where the file system does not tell. `file` must be open for reading only.
int phbatch_has_writer(int file);

// Sends one datagram to a Unix socket: a path, or with '@' first an abstract name.
int phbatch_notify(const char *address, const char *message);

// Fills those of the descriptors 0, 1 and 2 that are closed, so that no file that is opened later gets
// one of them, and with it what is meant for a terminal. To use one fails as it did before.
void phbatch_fill_standard_descriptors(void);

// Starts `executable`, a path, with signals at their defaults and none blocked.
//
// The child has these descriptors: 0, /dev/null; 1 and 2, `standard_error`, or this process's 2 if
// that is negative; 3, `descriptor`. It has no others.
int phbatch_spawn(
  const char *executable, char *const arguments[], char *const environment[], int descriptor,
  int standard_error, pid_t *process);

// Forks a process of one thread `count` times; each child does `work`, which does not return. Their
// numbers, or what went wrong, come in `processes`.
//
// A child has the descriptors 0, 1 and 2, all /dev/null, and 3, its own of `descriptors`; its
// signals are at their defaults, none blocked. -EBUSY if there is more than one thread: a child
// could not work.
//
// Swift's locks note the number of the thread that holds them, and each thread remembers its own: in a
// child of a thread that has run Swift this would be that of its parent, and a lock that two threads
// want would never be free again. So a thread forks that has not, and that is the child's only one.
int phbatch_fork(const int *descriptors, int count, void (*work)(void), pid_t *processes);

// The most descriptors of a program that phbatch_spawn_program starts.
enum { phbatch_program_descriptors = 4 };

// Starts `program`, a path or a name for PATH, with signals at their defaults and none blocked; in a
// process group of its own, or in that of this process. Of this process' descriptors it has these,
// as 0, 1 and so on.
int phbatch_spawn_program(
  const char *program, char *const arguments[], char *const environment[], const int *descriptors,
  int count, int leads_group, pid_t *process);

// A descriptor that can be read when the child `process` has ended; close-on-exec.
int phbatch_watch_process(pid_t process);

// 1 if the child `process` has ended, 0 if not; it can still be waited for.
int phbatch_has_ended(pid_t process);

#ifdef __cplusplus
}
#endif

#endif
