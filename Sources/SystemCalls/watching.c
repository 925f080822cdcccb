#define _GNU_SOURCE

#include "system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const uint32_t own_end = IN_DELETE_SELF | IN_MOVE_SELF;
static const uint32_t entries = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE
  | IN_ATTRIB;

int phbatch_open_events(void) {
  int events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  return events < 0 ? -errno : events;
}

int phbatch_watch_folder(int events, int folder) {
  // The path in /proc leads to the folder that is open as `folder`, whose own path may lead to
  // another folder by now.
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", folder);
  int watch = inotify_add_watch(events, path, entries | own_end | IN_ONLYDIR | IN_EXCL_UNLINK);
  return watch < 0 ? -errno : watch;
}

void phbatch_unwatch_folder(int events, int watch) {
  // The error is ignored, because the kernel does not know a watch that has already ended.
  inotify_rm_watch(events, watch);
}

ssize_t phbatch_read_events(int events, void *buffer, size_t capacity) {
  ssize_t filled;
  do {
    filled = read(events, buffer, capacity);
  } while (filled < 0 && errno == EINTR);
  if (filled < 0) return errno == EAGAIN ? 0 : -errno;
  return filled;
}

size_t phbatch_next_event(const void *buffer, size_t offset, struct phbatch_event *event) {
  const struct inotify_event *found = (const void *)((const char *)buffer + offset);
  event->watch = found->wd;
  event->name = found->len > 0 ? found->name : "";
  event->kinds = 0;
  if (found->mask & IN_Q_OVERFLOW) event->kinds |= phbatch_event_lost;
  if (found->mask & IN_IGNORED) event->kinds |= phbatch_event_end;
  if (found->mask & (own_end | IN_UNMOUNT)) event->kinds |= phbatch_event_self;
  if (found->mask & entries) {
    event->kinds |= found->len > 0 && (found->mask & IN_ISDIR) ? phbatch_event_folder
                                                               : phbatch_event_entry;
  }
  return offset + sizeof *found + found->len;
}

int phbatch_open_pipe(int ends[2]) {
  return pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0 ? -errno : 0;
}

int phbatch_has_writer(int file) {
  // If another process opens the file for writing while this process holds the lease, the kernel
  // sends this process a signal. The signal is SIGURG, which is ignored by default; SIGIO would end
  // the process.
  if (fcntl(file, F_SETSIG, SIGURG) != 0) return -errno;
  if (fcntl(file, F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN ? 1 : -errno;
  fcntl(file, F_SETLEASE, F_UNLCK);
  return 0;
}

int phbatch_notify(const char *address, const char *message) {
  struct sockaddr_un target = {.sun_family = AF_UNIX};
  size_t length = strlen(address);
  if (length == 0 || length >= sizeof target.sun_path) return -ENAMETOOLONG;
  memcpy(target.sun_path, address, length);
  if (address[0] == '@') target.sun_path[0] = 0;
  int socket_file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket_file < 0) return -errno;
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
  ssize_t sent = sendto(
    socket_file, message, strlen(message), MSG_NOSIGNAL | MSG_DONTWAIT,
    (const struct sockaddr *)&target, size);
  int failure = sent < 0 ? errno : 0;
  close(socket_file);
  return -failure;
}
