// Lets libavformat read from and write to open descriptors.

#include "film.h"
#include "system_calls.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { buffer_bytes = 1 << 16 };

static int read_part(void *opaque, uint8_t *buffer, int size) {
  struct phbatch_film_file *file = opaque;
  ssize_t count;
  do count = pread(file->descriptor, buffer, (size_t)size, file->position);
  while (count < 0 && errno == EINTR);
  if (count < 0) return AVERROR(errno);
  if (count == 0) return AVERROR_EOF;
  file->position += count;
  return (int)count;
}

#if LIBAVFORMAT_VERSION_MAJOR >= 61
static int write_part(void *opaque, const uint8_t *buffer, int size) {
#else
static int write_part(void *opaque, uint8_t *buffer, int size) {
#endif
  struct phbatch_film_file *file = opaque;
  int written = 0;
  while (written < size) {
    const ssize_t count =
      pwrite(file->descriptor, buffer + written, (size_t)(size - written), file->position);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      phbatch_note_write_error(file->descriptor, error);
      return AVERROR(error);
    }
    written += (int)count;
    file->position += count;
  }
  return size;
}

static int64_t seek(void *opaque, int64_t offset, int origin) {
  struct phbatch_film_file *file = opaque;
  struct stat status;
  if (fstat(file->descriptor, &status)) return AVERROR(errno);
  switch (origin & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return status.st_size;
    case SEEK_SET: break;
    case SEEK_CUR: offset += file->position; break;
    case SEEK_END: offset += status.st_size; break;
    default: return AVERROR(EINVAL);
  }
  if (offset < 0) return AVERROR(EINVAL);
  return file->position = offset;
}

int phbatch_film_file_open(struct phbatch_film_file *file, int descriptor, int writes) {
  file->descriptor = descriptor;
  file->position = 0;
  uint8_t *buffer = av_malloc(buffer_bytes);
  if (!buffer) return AVERROR(ENOMEM);
  file->context = avio_alloc_context(
    buffer, buffer_bytes, writes, file, writes ? NULL : read_part, writes ? write_part : NULL,
    seek);
  if (!file->context) av_free(buffer);
  return file->context ? 0 : AVERROR(ENOMEM);
}

void phbatch_film_file_close(struct phbatch_film_file *file) {
  if (!file->context) return;
  av_freep(&file->context->buffer);
  avio_context_free(&file->context);
}

void phbatch_film_failure(char *error, const char *what, int code) {
  char text[AV_ERROR_MAX_STRING_SIZE] = "";
  av_strerror(code, text, sizeof text);
  snprintf(error, phbatch_film_text, "%s: %s", what, text);
}

const uint8_t *phbatch_stream_data(
  const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  const AVPacketSideData *data = av_packet_side_data_get(
    stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  *size = data ? data->size : 0;
  return data ? data->data : NULL;
#else
  return av_stream_get_side_data(stream, type, size);
#endif
}

int phbatch_refuse_file(
  AVFormatContext *format, AVIOContext **context, const char *path, int flags,
  AVDictionary **options) {
  (void)format, (void)context, (void)path, (void)flags, (void)options;
  return AVERROR(EPERM);
}
