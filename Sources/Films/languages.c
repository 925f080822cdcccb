// The languages of tracks.
//
// MP4 and MOV store the terminological codes of ISO 639-2, and Matroska the bibliographic codes. The
// muxer of MOV only writes the numbers of Macintosh scripts, and knows few of the codes.

#include "film.h"

#include <libavutil/intreadwrite.h>
#include <string.h>
#include <unistd.h>

// The two codes of a language. ISO 639-2:1998.
struct codes {
  char terminological[4], bibliographic[4];
};

static const struct codes pairs[] = {
  {"sqi", "alb"}, {"hye", "arm"}, {"eus", "baq"}, {"mya", "bur"}, {"zho", "chi"}, {"ces", "cze"},
  {"nld", "dut"}, {"fra", "fre"}, {"kat", "geo"}, {"deu", "ger"}, {"ell", "gre"}, {"isl", "ice"},
  {"mkd", "mac"}, {"mri", "mao"}, {"msa", "may"}, {"fas", "per"}, {"ron", "rum"}, {"slk", "slo"},
  {"bod", "tib"}, {"cym", "wel"}};

// Codes that the demuxer of MOV has for some numbers of Macintosh scripts, and those of ISO 639-2.
static const char scripts[][2][4] = {
  {"fo ", "fao"}, {"hr ", "hrv"}, {"iri", "gle"}, {"pa ", "pan"}, {"sr ", "srp"}, {"sve", "swe"}};

const char *phbatch_film_language(const char *container, const char *code) {
  for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
    if (strcmp(scripts[i][0], code) == 0) return scripts[i][1];
  const int is_matroska = strcmp(container, "webm") == 0 || strcmp(container, "matroska") == 0;
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    const char *const first = pairs[i].terminological, *const second = pairs[i].bibliographic;
    if (strcmp(first, code) == 0 || strcmp(second, code) == 0) return is_matroska ? second : first;
  }
  return code;
}

// The number of a language in MP4 and MOV: three letters of five bits each; 0 for other codes than
// those of ISO 639-2. ISO/IEC 14496-12:2022, 8.4.2.
static unsigned packed(const char *code) {
  if (strlen(code) != 3) return 0;
  unsigned number = 0;
  for (int i = 0; i < 3; i++) {
    if (code[i] < 'a' || code[i] > 'z') return 0;
    number = number << 5 | (unsigned)(code[i] - 'a' + 1);
  }
  return number;
}

int phbatch_film_stores_language(const char *container, const char *code) {
  const int has_numbers = strcmp(container, "mov") == 0 || strcmp(container, "mp4") == 0;
  return !has_numbers || packed(code);
}

// A part of a file.
struct range {
  int64_t start, end;
};

// Finds the first box with a name in a range, which then begins after the box; returns 0 if there
// is none. `content` gets the bytes after the header of the box.
static int find(int descriptor, struct range *in, const char *name, struct range *content) {
  uint8_t head[16] = {0};
  while (in->end - in->start >= 8 && pread(descriptor, head, sizeof head, in->start) >= 8) {
    const int is_wide = AV_RB32(head) == 1;
    const int64_t length = is_wide ? (int64_t)AV_RB64(head + 8) : (int64_t)AV_RB32(head);
    if (length < 8 || length > in->end - in->start) return 0;
    *content = (struct range){in->start + (is_wide ? 16 : 8), in->start + length};
    in->start += length;
    if (memcmp(head + 4, name, 4) == 0) return 1;
  }
  return 0;
}

// The number of a track in the muxer, from its box; -1 for a damaged box.
static int64_t number_of(int descriptor, struct range track) {
  struct range header;
  uint8_t bytes[24];
  if (!find(descriptor, &track, "tkhd", &header) ||
      pread(descriptor, bytes, sizeof bytes, header.start) != sizeof bytes)
    return -1;
  return (int64_t)AV_RB32(bytes + (bytes[0] == 1 ? 20 : 12)) - 1;
}

// Writes the language into the header of a track's media.
static void write_language(int descriptor, struct range track, unsigned language) {
  struct range media, header;
  uint8_t version;
  if (!find(descriptor, &track, "mdia", &media) || !find(descriptor, &media, "mdhd", &header) ||
      pread(descriptor, &version, 1, header.start) != 1)
    return;
  const uint8_t bytes[2] = {(uint8_t)(language >> 8), (uint8_t)language};
  // If this fails, the track keeps the unspecified language that the muxer has written.
  (void)!pwrite(descriptor, bytes, sizeof bytes, header.start + (version == 1 ? 32 : 20));
}

void phbatch_film_write_languages(const phbatch_film_writer *writer) {
  if (strcmp(writer->format->oformat->name, "mov") != 0) return;
  const int descriptor = writer->file.descriptor;
  struct range file = {0, lseek(descriptor, 0, SEEK_END)}, movie, track;
  if (!find(descriptor, &file, "moov", &movie)) return;
  while (find(descriptor, &movie, "trak", &track)) {
    const int64_t number = number_of(descriptor, track);
    if (number < 0 || number >= writer->format->nb_streams) continue;
    const AVDictionary *texts = writer->format->streams[number]->metadata;
    const AVDictionaryEntry *language = av_dict_get(texts, "language", NULL, 0);
    const unsigned code = language ? packed(language->value) : 0;
    if (code) write_language(descriptor, track, code);
  }
}
