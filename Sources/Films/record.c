// Records of the packets of finished segments, from which an interrupted film is continued.
//
// A record begins with a header: the mark, the frames of a segment, the encoder's extradata, and a
// checksum. Packets follow it, each after its head. A head with the size `whole_segment` ends a
// segment, with a checksum of all bytes since the end of the previous segment. Numbers are in the byte
// order of the machine. Packets after the last whole segment are discarded.

#include "film.h"

#include <errno.h>
#include <libavutil/crc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char mark[8] = "phfilm1\n";

enum { whole_segment = UINT32_MAX, most_bytes = 1 << 28 };

// The head of a packet, or the end of a segment.
struct head {
  // The bytes of the packet.
  uint32_t size;
  // The flags of the packet, or the checksum of a segment.
  uint32_t flags;
  // In units of the encoder's time base; the end of a segment has the number of its frames as `pts`.
  int64_t pts, dts, duration;
};

static uint32_t add(uint32_t sum, const void *bytes, size_t count) {
  return av_crc(av_crc_get_table(AV_CRC_32_IEEE_LE), sum, bytes, count);
}

static int read_at(int descriptor, int64_t position, void *to, size_t count) {
  uint8_t *next = to;
  while (count > 0) {
    const ssize_t done = pread(descriptor, next, count, position);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return 0;
    next += done, position += done, count -= (size_t)done;
  }
  return 1;
}

static int write_at(int descriptor, int64_t position, const void *from, size_t count) {
  const uint8_t *next = from;
  while (count > 0) {
    const ssize_t done = pwrite(descriptor, next, count, position);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return 0;
    next += done, position += done, count -= (size_t)done;
  }
  return 1;
}

// Writes no more; what was written is worth nothing without the rest.
static void give_up(struct phbatch_film_record *record) {
  if (record->descriptor >= 0) (void)!ftruncate(record->descriptor, 0);
  record->descriptor = -1;
}

// The header as it has to be; NULL if there is no memory. The caller frees it.
static uint8_t *header_for(const phbatch_film_writer *writer, size_t *count) {
  const AVCodecContext *encoder = writer->encoder;
  const uint32_t numbers[2] = {(uint32_t)writer->segment, (uint32_t)encoder->extradata_size};
  const size_t sized = sizeof mark + sizeof numbers + numbers[1];
  uint8_t *header = malloc(sized + sizeof(uint32_t));
  if (!header) return NULL;
  memcpy(header, mark, sizeof mark);
  memcpy(header + sizeof mark, numbers, sizeof numbers);
  if (numbers[1]) memcpy(header + sizeof mark + sizeof numbers, encoder->extradata, numbers[1]);
  const uint32_t sum = add(0, header, sized);
  memcpy(header + sized, &sum, sizeof sum);
  *count = sized + sizeof sum;
  return header;
}

// Moves `position` behind the last whole segment, and counts the frames; at most `most` frames.
static void scan(struct phbatch_film_record *record, int64_t first, int64_t most) {
  struct head head;
  int64_t position = first;
  uint32_t sum = 0;
  record->position = first;
  record->frames = 0;
  size_t room = 0;
  uint8_t *bytes = NULL;
  while (read_at(record->descriptor, position, &head, sizeof head)) {
    if (head.size == whole_segment) {
      if (head.flags != sum || head.pts < 1 || head.pts > most - record->frames) break;
      record->frames += head.pts;
      record->position = position += (int64_t)sizeof head;
      sum = 0;
      continue;
    }
    if (head.size > most_bytes) break;
    if (head.size > room) {
      free(bytes);
      bytes = malloc(room = head.size);
      if (!bytes) break;
    }
    position += (int64_t)sizeof head;
    if (!read_at(record->descriptor, position, bytes, head.size)) break;
    sum = add(add(sum, &head, sizeof head), bytes, head.size);
    position += head.size;
  }
  free(bytes);
}

void phbatch_film_record_open(phbatch_film_writer *writer, int descriptor) {
  struct phbatch_film_record *record = &writer->record;
  record->descriptor = descriptor;
  if (descriptor < 0) return;
  size_t count = 0;
  uint8_t *wanted = header_for(writer, &count), *found = malloc(count ? count : 1);
  const int is_known = wanted && found && read_at(descriptor, 0, found, count) &&
    memcmp(wanted, found, count) == 0;
  record->start = (int64_t)count;
  if (is_known) {
    scan(record, record->start, INT64_MAX);
  } else {
    record->position = record->start;
    if (!wanted || ftruncate(descriptor, 0) || !write_at(descriptor, 0, wanted, count))
      give_up(record);
  }
  free(wanted);
  free(found);
}

int64_t phbatch_film_recorded(const phbatch_film_writer *writer) {
  return writer->record.frames;
}

void phbatch_film_resume(phbatch_film_writer *writer, int64_t frames) {
  struct phbatch_film_record *record = &writer->record;
  if (record->descriptor < 0) return;
  if (frames < record->frames) scan(record, record->start, frames);
  if (ftruncate(record->descriptor, record->position)) give_up(record);
  record->replayed = record->start;
}

int phbatch_film_replay(phbatch_film_writer *writer, int64_t time, char *error) {
  struct phbatch_film_record *record = &writer->record;
  int code = 0;
  while (code >= 0 && record->replayed < record->position) {
    struct head head;
    code = AVERROR(EIO);
    if (!read_at(record->descriptor, record->replayed, &head, sizeof head)) break;
    if (head.size != whole_segment && head.dts > time) return 0;
    record->replayed += (int64_t)sizeof head;
    code = 0;
    if (head.size == whole_segment) continue;
    if ((code = av_new_packet(writer->packet, (int)head.size)) < 0) break;
    AVPacket *packet = writer->packet;
    code = AVERROR(EIO);
    if (!read_at(record->descriptor, record->replayed, packet->data, head.size)) break;
    record->replayed += head.size;
    packet->flags = (int)head.flags;
    packet->pts = head.pts;
    packet->dts = head.dts;
    packet->duration = head.duration;
    code = phbatch_film_mux(writer);
  }
  if (code < 0) phbatch_film_failure(error, "the recorded part of the film cannot be read", code);
  return code < 0 ? -1 : 0;
}

void phbatch_film_record_packet(phbatch_film_writer *writer) {
  struct phbatch_film_record *record = &writer->record;
  const AVPacket *packet = writer->packet;
  if (record->descriptor < 0) return;
  const struct head head = {
    .size = (uint32_t)packet->size, .flags = (uint32_t)packet->flags, .pts = packet->pts,
    .dts = packet->dts, .duration = packet->duration};
  const int is_written = packet->size <= most_bytes &&
    write_at(record->descriptor, record->position, &head, sizeof head) &&
    write_at(
      record->descriptor, record->position + (int64_t)sizeof head, packet->data,
      (size_t)packet->size);
  if (!is_written) return give_up(record);
  record->sum = add(add(record->sum, &head, sizeof head), packet->data, (size_t)packet->size);
  record->position += (int64_t)sizeof head + packet->size;
}

void phbatch_film_record_segment(phbatch_film_writer *writer) {
  struct phbatch_film_record *record = &writer->record;
  if (record->descriptor < 0) return;
  const struct head head = {
    .size = whole_segment, .flags = record->sum, .pts = writer->frames};
  if (!write_at(record->descriptor, record->position, &head, sizeof head))
    return give_up(record);
  record->position += (int64_t)sizeof head;
  record->sum = 0;
}
