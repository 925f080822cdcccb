#define _GNU_SOURCE

#include "system_calls.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

// Each step returns 0 or an error number; the first that fails ends the list.
static int arrange_descriptors(
  posix_spawn_file_actions_t *actions, int descriptor, int standard_error) {
  int failure = 0;
  // 3 first: a source among 0, 1 and 2 would be overwritten by the steps after it.
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

static int reset_signals(posix_spawnattr_t *attributes) {
  sigset_t signals;
  sigfillset(&signals);
  int failure = posix_spawnattr_setsigdefault(attributes, &signals);
  sigemptyset(&signals);
  if (failure == 0) failure = posix_spawnattr_setsigmask(attributes, &signals);
  if (failure == 0)
    failure = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
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
  if (failure == 0) failure = reset_signals(&attributes);
  if (failure == 0)
    failure = posix_spawn(process, executable, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return -failure;
}
