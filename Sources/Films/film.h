// Functions and types that the reader and the writers of films use.

#ifndef PHBATCH_FILM_H
#define PHBATCH_FILM_H

#include "films.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

enum { phbatch_most_writers = 16 };

// A descriptor, and the position in its file that libavformat reads or writes next.
struct phbatch_film_file {
  int descriptor;
  int64_t position;
  AVIOContext *context;
};

struct phbatch_film {
  struct phbatch_film_file file;
  AVFormatContext *format;
  AVCodecContext *decoder;
  AVStream *stream;
  AVPacket *packet;
  AVFrame *frame;
  struct phbatch_film_facts facts;
  // The size and the pixel format of the first frame, which all frames must have.
  int width, height, pixels;
  int threads;
  // 1 when the decoder has got a packet since the start or the last move, and 1 if the first of these
  // packets refers to frames before it.
  int is_begun, is_open;
  // 1 if the container has an alpha channel for the frames, which the decoder does not return.
  int has_alpha;
  // 1 when all packets have been sent to the decoder.
  int is_drained;
  int64_t last_time;
  // The time stamps of the first frame that is delivered, and of the end; all frames are delivered
  // between INT64_MIN and INT64_MAX.
  int64_t first, end;
  // For each track with sound, the time stamp of the packet with which a part of the film begins;
  // INT64_MAX if it is unknown.
  int64_t *leads;
  unsigned lead_count;
  // The writers that copy the other tracks.
  struct phbatch_film_writer *writers[phbatch_most_writers];
  int writer_count;
};

// The record of a film's finished segments in a file.
struct phbatch_film_record {
  // -1 if nothing is recorded.
  int descriptor;
  // Where the first segment begins, where the next packet is written, and from where the next packet
  // is replayed.
  int64_t start, position, replayed;
  // The frames in segments that were found in the file.
  int64_t frames;
  // The checksum of what was written since the last whole segment.
  uint32_t sum;
};

struct phbatch_film_writer {
  struct phbatch_film_file file;
  const phbatch_film *source;
  struct phbatch_film_format wanted;
  struct phbatch_film_record record;
  // The frames of a segment, and those that the encoder has got of the current one.
  int64_t segment, frames;
  // The last decoding time stamp, in units of the encoder.
  int64_t last_time;
  AVFormatContext *format;
  AVCodecContext *encoder;
  AVStream *stream;
  AVPacket *packet;
  AVFrame *frame;
  struct phbatch_film_coding coding;
  // For each stream of the source: its number in the new file, -1 if it is left out; its unit of
  // time; and the conversion of its sound, NULL if its packets are copied.
  int *places;
  AVRational *units;
  struct phbatch_film_sound **sounds;
  unsigned place_count;
};

// Opens a context that reads from, or writes to, a descriptor; 0 if there is no memory.
int phbatch_film_file_open(struct phbatch_film_file *file, int descriptor, int writes);
void phbatch_film_file_close(struct phbatch_film_file *file);

// Opens a film's container and finds its tracks; returns an error code of libavutil.
int phbatch_film_open_container(struct phbatch_film *film, int descriptor, int ignores_edits);

// Reads the facts that the container states.
void phbatch_film_read_header(struct phbatch_film *film);

// Finds the duration and the number of frames of a film whose container does not state them.
void phbatch_film_measure(struct phbatch_film *film, int ignores_edits);

// Reads the facts that the first frame states more exactly than the container; returns -1 with a
// message for frames in a format that is not read.
int phbatch_film_read_coding(struct phbatch_film *film, char *error);

// Reads the properties of a pixel format that the conversion needs; returns 0 for formats that it
// does not support.
int phbatch_film_read_pixels(enum AVPixelFormat pixels, struct phbatch_planes *planes);

// Decodes the next frame of the whole film; the result is that of `phbatch_film_next`.
int phbatch_film_decode(struct phbatch_film *film, int64_t *time, char *error);

// Moves to the last key frame that is shown at a time stamp or before. Without an index, the film is
// decoded from its start.
void phbatch_film_move(struct phbatch_film *film, int64_t time);

// Sets the texts of a format that describe a track, or the film for -1; those that depend on the
// container and on the part of the source are adapted.
int phbatch_film_set_tags(
  AVDictionary **texts, const phbatch_film *source, const struct phbatch_film_format *wanted,
  int32_t track);

// The code for a language that a container stores, such as `mov`; `code` itself if it is the only
// code of its language.
const char *phbatch_film_language(const char *container, const char *code);

// True if a container can store the code of a language.
int phbatch_film_stores_language(const char *container, const char *code);

// Writes the languages of the tracks to a complete file in the format MOV.
void phbatch_film_write_languages(const phbatch_film_writer *writer);

// The timecode of the first frame of the part that is read, in a film whose timecode begins with
// `start`. `text` has room for `AV_TIMECODE_STR_SIZE` characters.
const char *phbatch_film_timecode(const phbatch_film *film, const char *start, char *text);

// Adds the source's other tracks. Sound that the container cannot store is re-encoded; if this is
// not possible, and the new film has no other sound, it is an error with a message.
int phbatch_film_add_tracks(
  struct phbatch_film_writer *writer, const struct phbatch_film *source,
  const struct phbatch_film_format *wanted, char *warning, char *error);

int phbatch_film_add_chapters(
  struct phbatch_film_writer *writer, const struct phbatch_film *source);

// Passes a packet of another track of a film to a writer; the caller keeps ownership of the packet.
int phbatch_film_writer_copy(
  struct phbatch_film_writer *writer, const struct phbatch_film *film, const AVPacket *packet,
  char *error);

// True if time stamps of sound get the delay that the codec states: before version 60, the muxer of
// WebM does not add it.
int phbatch_film_needs_delay(const struct phbatch_film_writer *writer);

// Opens the decoder of a track with sound, and an encoder for a container; `opened` becomes NULL if
// that is not possible.
int phbatch_film_open_sound(
  struct phbatch_film_sound **opened, const phbatch_film *source, const AVStream *track,
  const AVOutputFormat *container);

// Makes a new track the one of converted sound.
int phbatch_film_begin_sound(struct phbatch_film_sound *sound, AVStream *track);

// Converts a packet of sound.
int phbatch_film_add_sound(
  struct phbatch_film_writer *writer, struct phbatch_film_sound *sound, const AVPacket *packet);

// Writes the end of converted sound; returns 1 if nothing of it could be decoded.
int phbatch_film_finish_sound(
  struct phbatch_film_writer *writer, struct phbatch_film_sound *sound);

void phbatch_film_free_sound(struct phbatch_film_sound *sound);

// Passes the writer's packet, with time stamps in units of the encoder, to the container.
int phbatch_film_mux(phbatch_film_writer *writer);

// Begins or continues a record; -1 is no file. A record of another encoder, or of segments of
// another length, is emptied.
void phbatch_film_record_open(phbatch_film_writer *writer, int descriptor);

// Records the writer's packet. If the file cannot be written, nothing is recorded from then on.
void phbatch_film_record_packet(phbatch_film_writer *writer);

// Records the end of the current segment.
void phbatch_film_record_segment(phbatch_film_writer *writer);

// Writes a message with the text of an error code of libavutil.
void phbatch_film_failure(char *error, const char *what, int code);

// The side data of a stream; NULL if it has none of this type.
const uint8_t *phbatch_stream_data(
  const AVStream *stream, enum AVPacketSideDataType type, size_t *size);

// A callback that refuses to open files to which a container refers.
int phbatch_refuse_file(
  AVFormatContext *format, AVIOContext **context, const char *path, int flags,
  AVDictionary **options);

#endif
