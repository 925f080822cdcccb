#define _GNU_SOURCE

#include "system_calls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// System calls that are always denied: calls that affect other processes, the network, other
// programs, the state of the system, or file attributes. File attributes are included because a
// descriptor opened for reading is enough to change them, and Landlock does not protect them.
static const uint16_t refused[] = {
  // Opening and accepting sockets; sockets that are already open remain usable.
  SYS_socket, SYS_socketpair, SYS_bind, SYS_connect, SYS_listen, SYS_accept, SYS_accept4,
  // Starting programs, and access to other processes.
  SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp,
  SYS_tkill, SYS_pidfd_open, SYS_pidfd_getfd, SYS_pidfd_send_signal, SYS_process_madvise,
  SYS_process_mrelease, SYS_unshare, SYS_setns, SYS_move_pages, SYS_migrate_pages,
  // Other kernel interfaces, in which an attacker might find more flaws, or which change the state
  // of the system.
  SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_bpf, SYS_perf_event_open,
  SYS_userfaultfd, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_name_to_handle_at,
  SYS_open_by_handle_at, SYS_fanotify_init, SYS_fanotify_mark, SYS_lookup_dcookie, SYS_acct,
  SYS_syslog, SYS_quotactl, SYS_quotactl_fd, SYS_personality, SYS_vhangup,
  // Mounts and swap space.
  SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_move_mount, SYS_open_tree, SYS_fsopen,
  SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_mount_setattr, SYS_swapon, SYS_swapoff,
  // The state of the machine.
  SYS_reboot, SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module,
  SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_sethostname,
  SYS_setdomainname,
  // The identity of the process.
  SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setgroups,
  SYS_setfsuid, SYS_setfsgid, SYS_capset,
  // Attributes of files.
  SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr,
  SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
#ifdef SYS_kexec_file_load
  SYS_kexec_file_load,
#endif
#ifdef __x86_64__
  // Old system calls that exist on x86-64 but not on newer architectures.
  SYS_fork, SYS_vfork, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
  SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
};

// System calls whose first argument is a process ID. The filter allows them only with the ID of
// this process; prlimit64 also with 0, which means this process.
static const uint16_t to_processes[] = {
  SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_prlimit64,
};

// The allowed ioctl requests, which do not affect a device. They query whether a descriptor is a
// terminal and how many bytes can be read from it, and set non-blocking mode and close-on-exec.
static const uint32_t controls[] = {TCGETS, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX};

// The number of the newest system call of Linux 6.1. Newer system calls fail with ENOSYS, as they
// do on Linux 6.1.
enum { newest_call = 450 };

#if defined(__x86_64__)
enum { architecture = (int)AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum { architecture = (int)AUDIT_ARCH_AARCH64 };
#else
enum { architecture = 0 };
#endif

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct program {
  struct sock_filter steps[512];
  uint16_t count;
};

static void add(struct program *program, struct sock_filter step) {
  program->steps[program->count++] = step;
}

static void load(struct program *program, size_t offset) {
  add(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

// Loads the low 32 bits of an argument of the system call; correct only on little-endian machines.
static void load_argument(struct program *program, int number) {
  load(program, offsetof(struct seccomp_data, args) + (size_t)number * sizeof(uint64_t));
}

// Adds a comparison of the loaded value with `value`. If the comparison is false, the next
// `skipped` instructions are skipped.
static void unless(struct program *program, uint16_t comparison, uint32_t value, uint8_t skipped) {
  add(
    program,
    (struct sock_filter)BPF_JUMP((uint16_t)(BPF_JMP | comparison | BPF_K), value, 0, skipped));
}

static void answer(struct program *program, uint32_t action) {
  add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

static const uint32_t refusal = SECCOMP_RET_ERRNO | EPERM;
static const uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS;

static void write_program(struct program *program, uint32_t process) {
  load(program, offsetof(struct seccomp_data, arch));
  unless(program, BPF_JEQ, (uint32_t)architecture, 1);
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0));
  answer(program, SECCOMP_RET_KILL_PROCESS);
  load(program, offsetof(struct seccomp_data, nr));
  // System calls newer than Linux 6.1 fail with ENOSYS. So do all system calls of the x32
  // architecture, because their numbers are higher.
  unless(program, BPF_JGT, newest_call, 1);
  answer(program, unknown);
  // The filter cannot read the arguments of clone3, because they are in memory. clone3 fails with
  // ENOSYS, and glibc then uses clone.
  unless(program, BPF_JEQ, SYS_clone3, 1);
  answer(program, unknown);
  for (size_t index = 0; index < COUNT(refused); index++) {
    unless(program, BPF_JEQ, refused[index], 1);
    answer(program, refusal);
  }
  for (size_t index = 0; index < COUNT(to_processes); index++) {
    const int may_be_zero = to_processes[index] == SYS_prlimit64;
    unless(program, BPF_JEQ, to_processes[index], may_be_zero ? 6 : 4);
    load_argument(program, 0);
    if (may_be_zero) {
      unless(program, BPF_JEQ, 0, 1);
      answer(program, SECCOMP_RET_ALLOW);
    }
    unless(program, BPF_JEQ, process, 1);
    answer(program, SECCOMP_RET_ALLOW);
    answer(program, refusal);
  }
  // The filter allows clone only if its flags create a thread rather than a process.
  unless(program, BPF_JEQ, SYS_clone, 4);
  load_argument(program, 0);
  unless(program, BPF_JSET, CLONE_THREAD, 1);
  answer(program, SECCOMP_RET_ALLOW);
  answer(program, refusal);
  unless(program, BPF_JEQ, SYS_ioctl, 2 * COUNT(controls) + 2);
  load_argument(program, 1);
  for (size_t index = 0; index < COUNT(controls); index++) {
    unless(program, BPF_JEQ, controls[index], 1);
    answer(program, SECCOMP_RET_ALLOW);
  }
  answer(program, refusal);
  answer(program, SECCOMP_RET_ALLOW);
}

int phbatch_refuse_calls(void) {
  if (architecture == 0) return -ENOSYS;
  struct program program = {.count = 0};
  write_program(&program, (uint32_t)getpid());
  const struct sock_fprog filter = {.len = program.count, .filter = program.steps};
  const long result =
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
  // A positive result is the ID of a thread to which the kernel could not apply the filter.
  return result < 0 ? -errno : result > 0 ? -EBUSY : 0;
}
