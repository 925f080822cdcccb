#define _GNU_SOURCE

#include "system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

// For each signal number, the write end of the pipe to which the handler writes when the signal
// arrives.
static volatile int listeners[NSIG];

static void tell(int number) {
  const int failure = errno;
  const unsigned char byte = (unsigned char)number;
  // If the pipe is full, the failed write is ignored: the pipe then has enough bytes for the reader
  // to notice signals.
  const ssize_t written = write(listeners[number], &byte, 1);
  (void)written;
  errno = failure;
}

int phbatch_hear_signals(const int *numbers, int count) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
  // Only the write end is non-blocking: a signal handler must not block, whereas the reader waits
  // for signals.
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  struct sigaction action = {.sa_handler = tell, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  for (int index = 0; index < count; index++) {
    listeners[numbers[index]] = ends[1];
    sigaction(numbers[index], &action, NULL);
  }
  return ends[0];
}

void phbatch_forget_signals(const int *numbers, int count) {
  for (int index = 0; index < count; index++) signal(numbers[index], SIG_DFL);
  if (count > 0) close(listeners[numbers[0]]);
}
