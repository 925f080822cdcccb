#define _GNU_SOURCE

#include "system_calls.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// A buffer for the descriptors of one message, as control data. The union aligns the buffer like a
// header of control data.
union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(phbatch_message_descriptors * sizeof(int))];
};

ssize_t phbatch_send(
  int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
  if (descriptor_count > phbatch_message_descriptors) return -EMSGSIZE;
  if (descriptor_count > 0 && count == 0) return -EINVAL;
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  union control control;
  if (descriptor_count > 0) {
    const size_t size = descriptor_count * sizeof(int);
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(size);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(header), descriptors, size);
  }
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

ssize_t phbatch_receive(
  int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count) {
  struct iovec part = {.iov_base = bytes, .iov_len = capacity};
  union control control;
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  *descriptor_count = 0;
  ssize_t received;
  do {
    received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received < 0) return -errno;

  size_t found = 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(descriptors + found, CMSG_DATA(header), count * sizeof(int));
    found += count;
  }
  if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
    for (size_t index = 0; index < found; index++) close(descriptors[index]);
    return -EMSGSIZE;
  }
  *descriptor_count = found;
  return received;
}
