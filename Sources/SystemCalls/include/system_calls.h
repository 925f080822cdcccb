// System calls that Swift on Linux cannot make itself: glibc hides them behind _GNU_SOURCE or has
// no function for them, or they need the C macros for control messages, which Swift does not
// import.
//
// If a system call fails, the function returns the negated error number, such as -EPERM, so the
// caller need not read errno.

#ifndef PHBATCH_SYSTEM_CALLS_H
#define PHBATCH_SYSTEM_CALLS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// The status of a file as statx(2) reports it; times are in nanoseconds since 1970, UTC.
struct phbatch_status {
  uint64_t inode;
  int64_t size;
  int64_t modified;
  int64_t changed;
  // The time when the file was created; 0 if the file system does not report it.
  int64_t born;
  // The type and permission bits, as in st_mode of stat(2).
  uint32_t mode;
  // The user ID of the owner.
  uint32_t owner;
};

// Fills in the status of the entry `name` in `folder`; symbolic links are not followed. If the name
// is empty, fills in the status of `folder` itself, which may then be any open file.
int phbatch_status(int folder, const char *name, struct phbatch_status *status);

// Fills `buffer` with entries of the open directory in the kernel's format (struct linux_dirent64).
// Returns the number of bytes filled, 0 at the end of the directory.
ssize_t phbatch_read_directory(int folder, void *buffer, size_t capacity);

// The flag O_NOATIME for opening a file. Reading a file that was opened with this flag does not
// change its access time. Opening another user's file with the flag fails with EPERM.
extern const int phbatch_no_access_time;

// Opens `path` below the open folder `root`, and returns a close-on-exec descriptor. An absolute
// path or `..` above the root fails with -EXDEV, a symbolic link with -ELOOP. Needs Linux 5.6;
// older kernels return -ENOSYS.
int phbatch_open_beneath(int root, const char *path, int flags, mode_t mode);

// The kind of the file system that contains an open file.
enum phbatch_file_system {
  // A local file system with timestamps finer than 10 ms.
  phbatch_file_system_local = 0,
  // A local file system whose timestamps may be coarser than 10 ms.
  phbatch_file_system_coarse = 1,
  // A network file system, on which the clock of another machine sets the timestamps; also if the
  // kernel does not report the kind of the file system.
  phbatch_file_system_network = 2,
  // A file system in user space (FUSE), whose inode numbers may be invented and whose files may be
  // on another machine.
  phbatch_file_system_user = 3,
};

enum phbatch_file_system phbatch_file_system(int file);

// Makes the kernel start to write a file's bytes to the disk; does not wait until all bytes are
// written.
int phbatch_start_writing(int file);

// Keeps the error of a write to this file that failed, in place of its last one. The errors of 64
// files are kept.
void phbatch_note_write_error(int file, int error);

// Returns the error that was kept for this file, and forgets it; 0 if there is none.
int phbatch_take_write_error(int file);

enum phbatch_rename_mode {
  phbatch_rename_replace = 0,
  // Makes the call fail with -EEXIST if the new name exists.
  phbatch_rename_keep = 1,
  // Exchanges two files, both of which must exist.
  phbatch_rename_exchange = 2,
};

// Renames or moves a file. Returns -EINVAL if the file system does not support `mode`.
int phbatch_rename(
  int from_folder, const char *from, int to_folder, const char *to, enum phbatch_rename_mode mode);

// Returns 1 on an x86-64 processor with AVX2 and the other instructions of x86-64-v3, 0 on others.
int phbatch_has_wide_vectors(void);

// Opens a pipe. From then on, each of these signals writes its number to the pipe as one byte,
// instead of ending the process. Returns the close-on-exec read end of the pipe. A signal can write
// to only one pipe at a time.
int phbatch_hear_signals(const int *numbers, int count);

// Restores the default actions of signals that share a pipe, and closes the write end of that pipe.
void phbatch_forget_signals(const int *numbers, int count);

// Prevents the calling thread and its child processes permanently from gaining privileges by
// execve.
int phbatch_refuse_new_privileges(void);

// Limits the number of malloc's arenas, the separate areas of memory for threads. Returns -EINVAL
// if malloc refuses the limit.
int phbatch_limit_arenas(int arenas);

// Makes malloc map each block of at least `bytes` bytes separately, so that freeing the block
// returns its memory to the kernel. Without this call, malloc raises this size while the program
// runs, and keeps freed blocks. Returns -EINVAL if malloc refuses the value.
int phbatch_map_blocks_from(int bytes);

// Makes malloc keep up to `bytes` bytes of freed memory at the end of the heap for later blocks.
// Returns -EINVAL if malloc refuses the value.
int phbatch_keep_freed(int bytes);

enum phbatch_limit {
  phbatch_limit_address_space,
  // The processor time of all threads together, in seconds. At the hard limit, the kernel ends the
  // process with SIGKILL; at a lower soft limit, it sends SIGXCPU.
  phbatch_limit_cpu_seconds,
  // The size of each file that the process writes. A write beyond the limit causes the signal
  // SIGXFSZ, or fails with EFBIG if that signal is ignored.
  phbatch_limit_file_bytes,
  phbatch_limit_descriptors,
  phbatch_limit_core_bytes,
};

// Permanently lowers a limit of this process, soft and hard, to `value`; the hard limit of
// processor time to 5 seconds more. A soft or hard limit that is lower already stays unchanged.
int phbatch_lower_limit(enum phbatch_limit limit, uint64_t value);

// Raises the soft limit of open descriptors of this process to `wanted`, as far as the hard limit
// allows. Returns the soft limit, at most INT32_MAX.
int32_t phbatch_raise_descriptors(uint64_t wanted);

// Returns the number of threads of this process.
int phbatch_thread_count(void);

// Returns the version of Landlock in this kernel, at least 1; 0 if the kernel has no Landlock.
int phbatch_landlock_version(void);

// Returns a descriptor of a Landlock rule set that denies everything that this kernel's Landlock
// can deny: access to files and TCP, and signals and abstract sockets of processes outside the
// sandbox. Returns -ENOSYS if the kernel has no Landlock.
int phbatch_landlock_create(void);

// Adds an exception to a rule set: allows reading at and below `path`, and with `may_write` also
// creating, writing and removing files there. Returns -ENOENT if `path` does not exist.
int phbatch_landlock_allow(int ruleset, const char *path, int may_write);

// Applies a rule set permanently to the calling thread and to threads that it starts later, but not
// to other threads. Descriptors that are already open remain usable. Returns -EPERM if
// phbatch_refuse_new_privileges was not called first.
int phbatch_landlock_enter(int ruleset);

// Denies this process, permanently, the system calls that a decoder does not need. System calls for
// sockets, programs, other processes, mounts, users and file attributes then fail with EPERM, and
// system calls newer than Linux 6.1 with ENOSYS. A system call with the numbers of another
// architecture ends the process. Returns -EPERM if phbatch_refuse_new_privileges was not called
// first, and -ENOSYS on architectures other than x86-64 and aarch64.
int phbatch_refuse_calls(void);

// The maximum number of descriptors in one message.
enum { phbatch_message_descriptors = 253 };

// Sends bytes and descriptors over a Unix socket; `count` must not be 0 if there are descriptors.
//
// Returns the number of bytes sent. A stream socket may send fewer than `count`; all descriptors
// are sent with the first byte. Returns -EPIPE if the other end is closed; SIGPIPE is not sent.
ssize_t phbatch_send(
  int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

// Receives bytes and descriptors that phbatch_send has sent; a stream socket may return only a part
// of the bytes.
//
// `descriptors` must have room for phbatch_message_descriptors. Received descriptors are
// close-on-exec. Returns the number of bytes received; 0 if the other end is closed. Returns
// -EMSGSIZE if the message is larger than `capacity` or has too many descriptors; all its
// descriptors are then closed.
ssize_t phbatch_receive(
  int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count);

// Returns a non-blocking inotify descriptor, through which the kernel reports changes in folders.
// The descriptor becomes readable when there are events. Returns -EMFILE if the user already has
// fs.inotify.max_user_instances inotify descriptors.
int phbatch_open_events(void);

// Makes the kernel report names that appear, disappear or change in an open folder, and the removal
// of the folder itself.
//
// Returns the watch descriptor, a number that identifies the folder in events. A folder keeps its
// watch descriptor while it is watched; the kernel does not use the same number again later.
// Returns -ENOSPC if the user watches fs.inotify.max_user_watches folders already.
int phbatch_watch_folder(int events, int folder);

void phbatch_unwatch_folder(int events, int watch);

enum phbatch_event_kind {
  // A name in the watched folder appeared, disappeared or changed.
  phbatch_event_entry = 1,
  // The name that appeared, disappeared or changed belongs to a subfolder.
  phbatch_event_folder = 2,
  // The watched folder itself was moved, removed or unmounted.
  phbatch_event_self = 4,
  // This is the last event of its watch descriptor.
  phbatch_event_end = 8,
  // The kernel lost events, which may belong to any folder.
  phbatch_event_lost = 16,
};

struct phbatch_event {
  int watch;
  // One or more values of phbatch_event_kind.
  unsigned kinds;
  // The name of the entry, as a zero-terminated string inside the buffer of events; empty if the
  // event is about the folder itself.
  const char *name;
};

// Reads pending events into `buffer`, and returns the number of bytes filled; 0 if no event is
// pending. `buffer` must be aligned to 4 bytes and have room for at least 272 bytes.
ssize_t phbatch_read_events(int events, void *buffer, size_t capacity);

// Decodes the event at `offset` in a buffer of events, and returns the offset of the next event.
size_t phbatch_next_event(const void *buffer, size_t offset, struct phbatch_event *event);

// Opens a pipe: ends[0] is for reading, ends[1] for writing; both are non-blocking and
// close-on-exec.
int phbatch_open_pipe(int ends[2]);

// Returns 1 if any process has this file open for writing, else 0. To find out, the function takes
// a lease on the file, so `file` must be open for reading only. Returns -EACCES for another user's
// file, and -EINVAL or another error if the file system does not support leases.
int phbatch_has_writer(int file);

// Sends the datagram `message` to a Unix socket; `address` is a path, or `@` followed by an
// abstract name.
int phbatch_notify(const char *address, const char *message);

// Opens /dev/null for each of the descriptors 0, 1 and 2 that is closed. Otherwise a file opened
// later could get such a descriptor, and receive output meant for the terminal. Descriptor 0 is
// opened for writing, 1 and 2 for reading, so that using them fails as it does while they are
// closed.
void phbatch_fill_standard_descriptors(void);

// Creates a file in memory, close-on-exec, and returns its descriptor, or -errno.
int phbatch_memory_file(void);

// Starts the program at the path `executable`, with default signal actions and no blocked signals.
//
// The child has exactly these descriptors: 0 is /dev/null; 1 and 2 are `standard_error`, or
// descriptor 2 of this process if `standard_error` is negative; 3 is `descriptor`.
int phbatch_spawn(
  const char *executable, char *const arguments[], char *const environment[], int descriptor,
  int standard_error, pid_t *process);

// Forks this single-threaded process `count` times; each child calls `work` with its index, from 0,
// and `work` must not return. `processes` receives the process ID of each child, or a negated error
// number.
//
// A child has four descriptors: 0, 1 and 2 are /dev/null, and 3 is its element of `descriptors`.
// Its signals have their default actions, and none is blocked. Returns -EBUSY if this process has
// more than one thread, because a child would not have the other threads.
//
// The fork happens in a new thread that has never run Swift code; this thread is the only one of
// the child. A Swift lock stores the ID of the thread that holds it, and each thread caches its own
// ID. A child forked from a thread that has run Swift would use the parent's cached ID, and a lock
// on which two threads wait would never be released.
int phbatch_fork(const int *descriptors, int count, void (*work)(int index), pid_t *processes);

// The maximum number of descriptors that phbatch_spawn_program passes to a program.
enum { phbatch_program_descriptors = 4 };

// Starts `program`, a path or a name to find in PATH, with default signal actions and no blocked
// signals. With `leads_group` the program gets its own process group; otherwise it is in the group
// of this process. The program has only the given `descriptors`, as its descriptors 0, 1 and so on.
int phbatch_spawn_program(
  const char *program, char *const arguments[], char *const environment[], const int *descriptors,
  int count, int leads_group, pid_t *process);

// Returns a close-on-exec descriptor that becomes readable when the child `process` has ended.
int phbatch_watch_process(pid_t process);

// Returns 1 if the child `process` has ended, else 0; the caller can still call waitpid for the
// child afterwards.
int phbatch_has_ended(pid_t process);

#ifdef __cplusplus
}
#endif

#endif
