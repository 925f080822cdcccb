// Films: decoding and encoding frame by frame, by libavformat and libavcodec.
//
// A film is read from an open descriptor at any offset, and its frames come in the order in which
// they are shown, as interleaved RGB. No function opens a file or a network connection.

#ifndef PHBATCH_FILMS_H
#define PHBATCH_FILMS_H

#include <stdint.h>

// The length of error messages, with the NUL at the end.
enum { phbatch_film_text = 256 };

// How the samples of a film's planes encode colours.
struct phbatch_film_coding {
  // The bits of a sample, 8…16.
  int32_t bits;
  // The code points of ITU-T H.273; 2 if the film states none.
  int32_t matrix;
  int32_t primaries;
  int32_t transfer;
  // 1 if samples use all levels, 0 if 8-bit luma is 16…235.
  int32_t is_full_range;
  // 1 if samples of chroma lie between two columns of luma, as in JPEG; 0 if they lie on the left.
  int32_t is_centred;
};

// The facts in a film's header.
struct phbatch_film_facts {
  // The size of the frames as stored.
  int32_t width;
  int32_t height;
  // The EXIF orientation, 1…8, that the container's matrix states.
  int32_t orientation;
  struct phbatch_film_coding coding;
  // The unit of time stamps in seconds, as a fraction.
  int32_t unit_numerator;
  int32_t unit_denominator;
  // The mean number of frames per second; 0 if unknown.
  double rate;
  // The number of frames that the container states or that follows from its duration.
  int64_t frames;
  // The duration in microseconds; 0 if unknown.
  int64_t microseconds;
  // The number of the picture's track in the container.
  int32_t track;
  // The number of tracks with sound.
  int32_t sound_tracks;
  // 1 if the frames consist of two fields.
  int32_t is_interlaced;
  // 1 if the film has data of Dolby Vision.
  int32_t has_dolby_vision;
  // 1 if only players with Dolby Vision show its colours, as those of profile 5.
  int32_t needs_dolby_vision;
  // 1 if data for HDR displays describe the display on which the film was graded, or its light.
  int32_t has_display_data;
  // The brightest light in cd/m² that these data state; 0 if unknown.
  double peak;
  // The names of the codec, such as `h264`, and of the demuxer.
  char codec[32];
  char container[64];
};

typedef struct phbatch_film phbatch_film;

// Opens a film and reads its header.
//
// The descriptor stays the caller's. With `ignores_edits`, time stamps are read from the track,
// without the container's edit list. Returns NULL, with a message, if the file is damaged or not
// one of the known containers and codecs.
phbatch_film *phbatch_film_open(int descriptor, int ignores_edits, int threads, char *error);

// The film's facts; after the first frame, the size and the coding describe the frames.
void phbatch_film_read(const phbatch_film *film, struct phbatch_film_facts *facts);

// Decodes the next frame: 1 if there is one, 0 at the end; with a message -1 if the film is
// damaged, and -2 if its frames are in a format that is not read.
int phbatch_film_next(phbatch_film *film, int64_t *time, char *error);

// Decodes the first frame that is shown at or after a time: 1 if there is one, 2 if the film ends
// earlier, so that its last frame is decoded, 0 if it has no frame, -1 with a message if the film
// is damaged. No frame must have been decoded before.
int phbatch_film_find(phbatch_film *film, double seconds, char *error);

// The time stamp that is a number of seconds after the first frame.
int64_t phbatch_film_stamp(const phbatch_film *film, double seconds);

// Restricts the film to the frames with time stamps `first`…`end`, without `end`; must be called
// before the first frame is decoded and before a film is written. The time stamps of frames, and of
// tracks that are copied, then count from the first of these frames. Returns 1, 0 if there is no
// such frame, -1 with a message if the film is damaged, and -2 as `phbatch_film_next`.
int phbatch_film_cut(phbatch_film *film, int64_t first, int64_t end, char *error);

// Writes the last frame as interleaved RGB of `width`×`height`: bytes if the film has 8 bits,
// otherwise native 16-bit integers, 0…65535.
void phbatch_film_rgb(const phbatch_film *film, void *samples);

void phbatch_film_close(phbatch_film *film);

// A text of a film, in UTF-8.
struct phbatch_film_tag {
  // The track that it describes, from 0; -1 for the film.
  int32_t track;
  const char *key;
  const char *value;
};

// Finds the text number `index` of a film: first those of the film, then those of its tracks. Returns
// 0 if there are fewer. The strings are valid until the film is closed.
int phbatch_film_tag_at(const phbatch_film *film, int32_t index, struct phbatch_film_tag *tag);

// How a film is encoded.
struct phbatch_film_format {
  // The muxer: `mov`, `mp4`, `webm` or `matroska`.
  const char *container;
  // `h264`, `hevc`, `av1` or `vp9`.
  const char *codec;
  // 1…100.
  int32_t quality;
  // 0…8, higher is slower; -1 for the codec's usual effort.
  int32_t effort;
  // Even numbers of pixels.
  int32_t width;
  int32_t height;
  // 1 if the frames are stored as they are displayed, without the source's rotation.
  int32_t is_upright;
  struct phbatch_film_coding coding;
  int32_t threads;
  // 1 if the other tracks and the chapters of the source are copied.
  int32_t copies;
  // Texts of the new film, such as the place of recording, if the tracks are copied.
  const struct phbatch_film_tag *tags;
  int32_t tag_count;
  // The frames of a segment. Each segment is encoded by a new encoder.
  int64_t segment;
  // A file that records the packets of whole segments, so that an interrupted film can be continued
  // with the same bytes as result; open for reading and writing, -1 for none.
  int32_t record;
};

typedef struct phbatch_film_writer phbatch_film_writer;

// Begins to write a film to an empty file that is open for reading and writing.
//
// The new film gets the source's unit of time and mean rate. With `copies`, the source passes the
// packets of its other tracks to the writer while it is decoded; sound that the container cannot
// store is re-encoded. `warning` gets a text about tracks that are left out, or becomes empty.
// Returns NULL, with a message, if the codec or the container cannot be written.
phbatch_film_writer *phbatch_film_write(
  int descriptor, phbatch_film *source, const struct phbatch_film_format *format, char *warning,
  char *error);

// Sound of a film that a writer re-encodes.
struct phbatch_film_sound_change {
  // The name of the new codec in messages; empty if all sound is copied.
  char codec[16];
  // 1 if the new sound has fewer channels, because its codec has no layout for all of them.
  int32_t is_mixed;
  // The packets, until now, that could not be decoded or placed.
  int64_t damaged;
};

void phbatch_film_read_sound(
  const phbatch_film_writer *writer, struct phbatch_film_sound_change *change);

// Encodes a frame of interleaved RGB, with samples as `phbatch_film_rgb` writes them for a film of
// the format's bits. Returns 0, or -1 with a message.
int phbatch_film_add(
  phbatch_film_writer *writer, const void *samples, int64_t time, char *error);

// The number of frames in the segments that the record had when the writer was created.
int64_t phbatch_film_recorded(const phbatch_film_writer *writer);

// Continues after this number of frames, which must be the end of a segment in the record, or 0.
// The packets of these frames must be written by `phbatch_film_replay`, and the first frame that is
// added is the one after them.
void phbatch_film_resume(phbatch_film_writer *writer, int64_t frames);

// Writes recorded packets whose decoding time stamps are at most `time`. Returns 0, or -1 with a
// message.
int phbatch_film_replay(phbatch_film_writer *writer, int64_t time, char *error);

// Completes the file. Returns 0, or -1 with a message.
int phbatch_film_finish(phbatch_film_writer *writer, char *error);

void phbatch_film_writer_close(phbatch_film_writer *writer);

// 1 if the codec of this name can be encoded.
int phbatch_film_encodes(const char *codec);

// The planes of a picture in Y'CbCr: luma, and both chromas with half, or all, of the columns and
// rows.
struct phbatch_planes {
  const uint8_t *data[3];
  // The bytes from one row to the next.
  int64_t pitch[3];
  int32_t width;
  int32_t height;
  // 1 if chroma has half of the columns or rows, otherwise 0.
  int32_t halves_columns;
  int32_t halves_rows;
  struct phbatch_film_coding coding;
};

// Converts planes to interleaved RGB: bytes for 8 bits, otherwise 16-bit integers. Chroma is
// interpolated linearly. Returns -1 if there is no memory, or if the matrix is unknown.
int phbatch_planes_to_rgb(const struct phbatch_planes *planes, void *samples);

// Converts interleaved RGB to planes with half of the columns and rows of chroma.
int phbatch_rgb_to_planes(const void *samples, const struct phbatch_planes *planes);

// Keeps the conversions to instruction sets up to a level of x86-64: 1, 3 or 4. Tests use it.
void phbatch_planes_keep_to(int level);

#endif
