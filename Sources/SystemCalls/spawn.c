#define _GNU_SOURCE

#include "system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void phbatch_fill_standard_descriptors(void) {
  for (int standard = STDIN_FILENO; standard <= STDERR_FILENO; standard++) {
    if (fcntl(standard, F_GETFD) >= 0 || errno != EBADF) continue;
    // `open` returns the lowest free descriptor, which is `standard` here.
    (void)open("/dev/null", standard == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

// Adds the steps that give the child its descriptors; returns 0, or the error number of the first
// step that failed.
static int arrange_descriptors(
  posix_spawn_file_actions_t *actions, int descriptor, int standard_error) {
  int failure = 0;
  // If `standard_error` is descriptor 3, it is copied to descriptor 2 first, because the next step
  // overwrites 3.
  if (standard_error == 3) {
    failure = posix_spawn_file_actions_adddup2(actions, standard_error, STDERR_FILENO);
    standard_error = STDERR_FILENO;
  }
  if (failure == 0) failure = posix_spawn_file_actions_adddup2(actions, descriptor, 3);
  if (failure == 0 && standard_error >= 0 && standard_error != STDERR_FILENO)
    failure = posix_spawn_file_actions_adddup2(actions, standard_error, STDERR_FILENO);
  if (failure == 0)
    failure = posix_spawn_file_actions_adddup2(actions, STDERR_FILENO, STDOUT_FILENO);
  if (failure == 0)
    failure = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(actions, 4);
  return failure;
}

static int reset_signals(posix_spawnattr_t *attributes, short more_flags) {
  sigset_t signals;
  sigfillset(&signals);
  int failure = posix_spawnattr_setsigdefault(attributes, &signals);
  sigemptyset(&signals);
  if (failure == 0) failure = posix_spawnattr_setsigmask(attributes, &signals);
  if (failure == 0)
    failure = posix_spawnattr_setflags(
      attributes, (short)(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | more_flags));
  return failure;
}

int phbatch_spawn(
  const char *executable, char *const arguments[], char *const environment[], int descriptor,
  int standard_error, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure != 0) return -failure;
  failure = posix_spawnattr_init(&attributes);
  if (failure != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return -failure;
  }
  failure = arrange_descriptors(&actions, descriptor, standard_error);
  if (failure == 0) failure = reset_signals(&attributes, 0);
  if (failure == 0)
    failure = posix_spawn(process, executable, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return -failure;
}

static int arrange_after_fork(int descriptor) {
  if (descriptor != 3 && dup2(descriptor, 3) < 0) return errno;
  const int null = open("/dev/null", O_RDWR);
  if (null < 0) return errno;
  for (int standard = STDIN_FILENO; standard <= STDERR_FILENO; standard++)
    if (dup2(null, standard) < 0) return errno;
  closefrom(4);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  return sigprocmask(SIG_SETMASK, &none, NULL) == 0 ? 0 : errno;
}

struct forking {
  const int *descriptors;
  int count;
  void (*work)(int index);
  pid_t *processes;
};

static void *fork_from_here(void *argument) {
  const struct forking *forking = argument;
  for (int index = 0; index < forking->count; index++) {
    const pid_t process = fork();
    if (process == 0) {
      if (arrange_after_fork(forking->descriptors[index]) != 0) _exit(70);
      // Makes the child use the existing heap. Without the limit, malloc would create a new arena
      // for the child's thread.
      phbatch_limit_arenas(1);
      forking->work(index);
      _exit(70);
    }
    forking->processes[index] = process < 0 ? -errno : process;
  }
  return NULL;
}

int phbatch_fork(const int *descriptors, int count, void (*work)(int index), pid_t *processes) {
  if (phbatch_thread_count() != 1) return -EBUSY;
  struct forking forking = {descriptors, count, work, processes};
  pthread_t thread;
  const int failure = pthread_create(&thread, NULL, fork_from_here, &forking);
  return failure != 0 ? -failure : -pthread_join(thread, NULL);
}

// Duplicates the descriptors to numbers above the numbers that the program gets, so that no
// descriptor is overwritten before it is copied to its final number. If a duplication fails, closes
// all duplicates.
static int lift_descriptors(const int *from, int *to, int count) {
  for (int index = 0; index < count; index++) {
    to[index] = fcntl(from[index], F_DUPFD_CLOEXEC, phbatch_program_descriptors);
    if (to[index] >= 0) continue;
    const int failure = errno;
    while (index-- > 0) close(to[index]);
    return failure;
  }
  return 0;
}

static int spawn_program(
  const char *program, char *const arguments[], char *const environment[], const int *descriptors,
  int count, int leads_group, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure != 0) return failure;
  failure = posix_spawnattr_init(&attributes);
  if (failure != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return failure;
  }
  for (int index = 0; index < count && failure == 0; index++)
    failure = posix_spawn_file_actions_adddup2(&actions, descriptors[index], index);
  if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(&actions, count);
  if (failure == 0) failure = posix_spawnattr_setpgroup(&attributes, 0);
  if (failure == 0) failure = reset_signals(&attributes, leads_group ? POSIX_SPAWN_SETPGROUP : 0);
  if (failure == 0)
    failure = posix_spawnp(process, program, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

int phbatch_spawn_program(
  const char *program, char *const arguments[], char *const environment[], const int *descriptors,
  int count, int leads_group, pid_t *process) {
  int lifted[phbatch_program_descriptors];
  if (count > phbatch_program_descriptors) return -EMFILE;
  int failure = lift_descriptors(descriptors, lifted, count);
  if (failure != 0) return -failure;
  failure = spawn_program(program, arguments, environment, lifted, count, leads_group, process);
  for (int index = 0; index < count; index++) close(lifted[index]);
  return -failure;
}

int phbatch_watch_process(pid_t process) {
  const long descriptor = syscall(SYS_pidfd_open, process, 0);
  return descriptor < 0 ? -errno : (int)descriptor;
}

int phbatch_has_ended(pid_t process) {
  siginfo_t facts = {0};
  if (waitid(P_PID, (id_t)process, &facts, WEXITED | WNOHANG | WNOWAIT) != 0) return -errno;
  return facts.si_pid == process;
}
