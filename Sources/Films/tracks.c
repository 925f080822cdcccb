// The other tracks and the chapters of a film in a new one. Tracks are copied, except for sound
// that the container cannot store.

#include "film.h"

#include <libavutil/avstring.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/timecode.h>
#include <stdio.h>
#include <string.h>

// Converts a time stamp of the source's picture to another unit; INT64_MIN and INT64_MAX stay.
static int64_t converted(const phbatch_film *source, int64_t time, AVRational unit) {
  if (time == INT64_MIN || time == INT64_MAX) return time;
  return av_rescale_q(time, source->stream->time_base, unit);
}

// True if players skip the start of a track's first packet: MOV and MP4 state it by edit lists,
// WebM by a delay of the codec, which Vorbis does not have.
static int skips_start(const phbatch_film_writer *writer, const AVCodecParameters *facts) {
  return strcmp(writer->format->oformat->name, "webm") != 0 || facts->codec_id == AV_CODEC_ID_OPUS;
}

// The time stamp of the first packet of a track in a part of a film; INT64_MAX if it is unknown.
static int64_t lead_of(const phbatch_film *source, int number) {
  return (unsigned)number < source->lead_count ? source->leads[number] : INT64_MAX;
}

// States how much of the start of a track with Opus in WebM players skip, if a part of a film
// begins within a packet.
static void set_padding(
  const phbatch_film_writer *writer, const phbatch_film *source, const AVStream *old,
  AVStream *new) {
  enum { preskip = 10, longest = 0xFFFF };
  AVCodecParameters *facts = new->codecpar;
  const int64_t lead = lead_of(source, old->index);
  if (strcmp(writer->format->oformat->name, "webm") != 0 || facts->codec_id != AV_CODEC_ID_OPUS ||
      source->first == INT64_MIN || lead == INT64_MAX || facts->extradata_size < preskip + 2)
    return;
  const AVRational sample = {1, 48000};
  const int64_t skipped = av_rescale_q(source->first, source->stream->time_base, sample) -
    av_rescale_q(lead, old->time_base, sample);
  facts->initial_padding = (int)(skipped < 0 ? 0 : skipped > longest ? longest : skipped);
  facts->extradata[preskip] = (uint8_t)(facts->initial_padding & 0xFF);
  facts->extradata[preskip + 1] = (uint8_t)(facts->initial_padding >> 8);
}

// Adds a track like one of another film; NULL if there is no memory.
static AVStream *add_stream(AVFormatContext *format, const AVStream *old) {
  AVStream *stream = avformat_new_stream(format, NULL);
  if (!stream || avcodec_parameters_copy(stream->codecpar, old->codecpar) < 0) return NULL;
  stream->codecpar->codec_tag = 0;
  stream->time_base = old->time_base;
  return stream;
}

// Checks whether a container can store a track: 0, or an error code.
//
// Muxers refuse some of the codecs that they list, such as Opus in MOV, only in the header. Few
// players read MP4 with PCM, which libavformat writes since version 60, or with Vorbis.
static int check_track(const AVOutputFormat *container, const AVStream *track) {
  const enum AVCodecID codec = track->codecpar->codec_id;
  if (avformat_query_codec(container, codec, 1) != 1) return AVERROR(EINVAL);
  const int is_rare =
    codec == AV_CODEC_ID_VORBIS || strncmp(avcodec_get_name(codec), "pcm_", 4) == 0;
  if (strcmp(container->name, "mp4") == 0 && is_rare) return AVERROR(EINVAL);
  // The muxer of MOV refuses packets of several frames, as 3GP has them.
  const int is_amr = codec == AV_CODEC_ID_AMR_NB || codec == AV_CODEC_ID_AMR_WB;
  if (strcmp(container->name, "mov") == 0 && is_amr) return AVERROR(EINVAL);
  AVFormatContext *trial = NULL;
  int code = avformat_alloc_output_context2(&trial, container, NULL, NULL);
  if (code < 0) return code;
  trial->io_open = phbatch_refuse_file;
  code = add_stream(trial, track) ? avio_open_dyn_buf(&trial->pb) : AVERROR(ENOMEM);
  if (code >= 0) {
    code = avformat_write_header(trial, NULL);
    uint8_t *header = NULL;
    avio_close_dyn_buf(trial->pb, &header);
    av_free(header);
    trial->pb = NULL;
  }
  avformat_free_context(trial);
  return code < 0 ? code : 0;
}

int phbatch_film_set_tags(
  AVDictionary **texts, const phbatch_film *source, const struct phbatch_film_format *wanted,
  int32_t track) {
  int code = 0;
  for (int32_t i = 0; i < wanted->tag_count && code >= 0; i++) {
    const struct phbatch_film_tag *tag = wanted->tags + i;
    // No frame that is encoded has alpha.
    if (tag->track != track || av_strcasecmp(tag->key, "alpha_mode") == 0) continue;
    char timecode[AV_TIMECODE_STR_SIZE];
    const char *value = tag->value;
    if (av_strcasecmp(tag->key, "language") == 0)
      value = phbatch_film_language(wanted->container, value);
    if (av_strcasecmp(tag->key, "timecode") == 0)
      value = phbatch_film_timecode(source, value, timecode);
    code = av_dict_set(texts, tag->key, value, 0);
  }
  return code < 0 ? code : 0;
}

int phbatch_film_tag_at(const phbatch_film *film, int32_t index, struct phbatch_film_tag *tag) {
  const AVFormatContext *from = film->format;
  int32_t left = index;
  for (int32_t track = -1; track < (int32_t)from->nb_streams; track++) {
    const AVDictionary *texts = track < 0 ? from->metadata : from->streams[track]->metadata;
    const AVDictionaryEntry *entry = NULL;
    while ((entry = av_dict_get(texts, "", entry, AV_DICT_IGNORE_SUFFIX))) {
      if (left-- > 0) continue;
      *tag = (struct phbatch_film_tag){track, entry->key, entry->value};
      return 1;
    }
  }
  return 0;
}

// The samples of a packet; 0 if libavformat finds the duration of the codec's packets itself.
//
// For the other codecs, it needs decoders, which sound does not get before it is re-encoded. Without
// a duration of its last packet, a track would end before this packet.
static int frame_size_of(const AVCodecParameters *facts) {
  const uint8_t *header = facts->extradata;
  if (facts->codec_id == AV_CODEC_ID_AAC) {
    // ISO/IEC 14496-3:2019, 1.6.2.1: SBR doubles the samples of a frame.
    enum { sbr = 5, parametric_stereo = 29 };
    const int kind = facts->extradata_size > 0 ? header[0] >> 3 : 0;
    return kind == sbr || kind == parametric_stereo ? 2048 : 1024;
  }
  if (facts->codec_id == AV_CODEC_ID_ALAC && facts->extradata_size >= 16)
    return (int)FFMIN(AV_RB32(header + 12), 1 << 16);
  return 0;
}

// Adds a track whose packets are copied.
static int add_copy(
  phbatch_film_writer *writer, const phbatch_film *source,
  const struct phbatch_film_format *wanted, const AVStream *old) {
  AVStream *stream = add_stream(writer->format, old);
  if (!stream) return AVERROR(ENOMEM);
  stream->disposition = old->disposition;
  if (stream->codecpar->frame_size == 0)
    stream->codecpar->frame_size = frame_size_of(stream->codecpar);
  set_padding(writer, source, old, stream);
  writer->places[old->index] = stream->index;
  writer->units[old->index] = old->time_base;
  return phbatch_film_set_tags(&stream->metadata, source, wanted, old->index);
}

// The most tracks with sound that is re-encoded, because each needs memory for an encoder.
enum { most_sounds = 32 };

static int count_sounds(const phbatch_film_writer *writer) {
  int count = 0;
  for (unsigned i = 0; i < writer->place_count; i++) count += writer->sounds[i] != NULL;
  return count;
}

// Adds a track with sound that is re-encoded; `AVERROR(EAGAIN)` if there are enough of them.
static int add_converted(
  phbatch_film_writer *writer, const phbatch_film *source,
  const struct phbatch_film_format *wanted, const AVStream *old) {
  if (count_sounds(writer) >= most_sounds) return AVERROR(EAGAIN);
  struct phbatch_film_sound **sound = &writer->sounds[old->index];
  int code = phbatch_film_open_sound(sound, source, old, writer->format->oformat);
  if (code < 0) return code;
  AVStream *stream = avformat_new_stream(writer->format, NULL);
  if (!stream || phbatch_film_begin_sound(*sound, stream) < 0) return AVERROR(ENOMEM);
  stream->disposition = old->disposition;
  code = phbatch_film_set_tags(&stream->metadata, source, wanted, old->index);
  // The name of the source's encoder does not apply to the new sound.
  av_dict_set(&stream->metadata, "encoder", NULL, 0);
  av_dict_set(&stream->metadata, "vendor_id", NULL, 0);
  return code;
}

// Adds a track; an error other than `ENOMEM` if the new film cannot have it.
static int add_track(
  phbatch_film_writer *writer, const phbatch_film *source,
  const struct phbatch_film_format *wanted, const AVStream *old) {
  const enum AVMediaType type = old->codecpar->codec_type;
  if (type != AVMEDIA_TYPE_AUDIO && type != AVMEDIA_TYPE_SUBTITLE) return AVERROR(EINVAL);
  const int code = check_track(writer->format->oformat, old);
  if (code >= 0) return add_copy(writer, source, wanted, old);
  if (code == AVERROR(ENOMEM) || type != AVMEDIA_TYPE_AUDIO) return code;
  return add_converted(writer, source, wanted, old);
}

// True for a track that the muxer makes anew: the chapters, or the timecode with which the film
// begins.
static int is_made_anew(const phbatch_film *source, const AVStream *track) {
  const AVCodecParameters *facts = track->codecpar;
  if (facts->codec_tag == MKTAG('t', 'm', 'c', 'd'))
    return av_dict_get(source->stream->metadata, "timecode", NULL, 0) != NULL;
  // The demuxer of MOV and MP4 reads chapters itself, and skips their track.
  return facts->codec_type == AVMEDIA_TYPE_DATA && track->discard == AVDISCARD_ALL &&
    source->format->nb_chapters > 0;
}

// Describes a track that is left out.
static void describe(const AVStream *track, char *text, size_t size) {
  const enum AVMediaType type = track->codecpar->codec_type;
  const enum AVCodecID codec = track->codecpar->codec_id;
  const char *kind = av_get_media_type_string(type);
  if (type == AVMEDIA_TYPE_SUBTITLE) kind = "subtitles";
  if (type == AVMEDIA_TYPE_DATA) kind = "timed metadata";
  if (type != AVMEDIA_TYPE_AUDIO) snprintf(text, size, "%s", kind ? kind : "a track");
  else if (codec == AV_CODEC_ID_NONE) snprintf(text, size, "sound in an unknown codec");
  else snprintf(text, size, "sound in '%s'", avcodec_get_name(codec));
}

// Writes the message about the only sound of a film, which cannot be stored, and names a container
// that can store it.
static int refuse_sound(const AVOutputFormat *container, const AVStream *sound, char *error) {
  static const char *const others[] = {"mp4", "mov"};
  char lost[80];
  describe(sound, lost, sizeof lost);
  const int used = snprintf(
    error, phbatch_film_text, "%s cannot store the film's %s, and it cannot be converted",
    container->name, lost);
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    const AVOutputFormat *other = av_guess_format(others[i], NULL, NULL);
    if (!other || check_track(other, sound) < 0) continue;
    snprintf(
      error + used, (size_t)(phbatch_film_text - used), "; the format %s can store it", others[i]);
    break;
  }
  return AVERROR(EINVAL);
}

// Adds a text to the warning, once.
static void warn(char *warning, const char *text) {
  const size_t used = strlen(warning);
  if (!strstr(warning, text))
    snprintf(warning + used, phbatch_film_text - used, "%s%s", used ? ", " : "", text);
}

// Adds a text to the warning if a container cannot store the language of a track.
static void check_language(const char *container, const AVStream *track, char *warning) {
  const AVDictionaryEntry *language = av_dict_get(track->metadata, "language", NULL, 0);
  if (!language) return;
  const char *code = phbatch_film_language(container, language->value);
  char lost[80];
  snprintf(lost, sizeof lost, "language '%s' of a track", code);
  if (!phbatch_film_stores_language(container, code)) warn(warning, lost);
}

int phbatch_film_add_tracks(
  phbatch_film_writer *writer, const phbatch_film *source,
  const struct phbatch_film_format *wanted, char *warning, char *error) {
  const AVFormatContext *from = source->format;
  const AVStream *lost_sound = NULL;
  int has_sound = 0;
  for (unsigned i = 0; i < from->nb_streams; i++) {
    const AVStream *old = from->streams[i];
    if (i == (unsigned)source->stream->index || is_made_anew(source, old)) continue;
    const int code = add_track(writer, source, wanted, old);
    if (code == AVERROR(ENOMEM)) return code;
    const int is_sound = old->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    if (code >= 0) {
      has_sound |= is_sound;
      check_language(wanted->container, old, warning);
      continue;
    }
    if (is_sound) lost_sound = old;
    char lost[80];
    describe(old, lost, sizeof lost);
    if (code == AVERROR(EAGAIN))
      snprintf(
        lost, sizeof lost, "sound after %d tracks, because no more are converted", most_sounds);
    warn(warning, lost);
  }
  // A film without its only sound would be worse than none.
  if (lost_sound && !has_sound) return refuse_sound(writer->format->oformat, lost_sound, error);
  return phbatch_film_set_tags(&writer->format->metadata, source, wanted, -1);
}

int phbatch_film_add_chapters(phbatch_film_writer *writer, const phbatch_film *source) {
  const AVFormatContext *from = source->format;
  AVFormatContext *to = writer->format;
  if (!from->nb_chapters) return 0;
  to->chapters = av_calloc(from->nb_chapters, sizeof *to->chapters);
  if (!to->chapters) return AVERROR(ENOMEM);
  for (unsigned i = 0; i < from->nb_chapters; i++) {
    AVChapter *chapter = av_mallocz(sizeof *chapter);
    if (!chapter) return AVERROR(ENOMEM);
    *chapter = *from->chapters[i];
    chapter->metadata = NULL;
    if (source->first != INT64_MIN) {
      const int64_t first = converted(source, source->first, chapter->time_base);
      const int64_t end = converted(source, source->end, chapter->time_base);
      if (chapter->end <= first || chapter->start >= end) {
        av_free(chapter);
        continue;
      }
      chapter->start = FFMAX(chapter->start, first) - first;
      chapter->end = FFMIN(chapter->end, end) - first;
    }
    to->chapters[to->nb_chapters++] = chapter;
    const int code = av_dict_copy(&chapter->metadata, from->chapters[i]->metadata, 0);
    if (code < 0) return code;
  }
  return 0;
}

// True if a packet belongs to the part of a film that is read.
static int is_inside(
  const phbatch_film_writer *writer, const phbatch_film *film, const AVPacket *packet) {
  const AVRational unit = writer->units[packet->stream_index];
  const int64_t time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
  if (film->first == INT64_MIN || time == AV_NOPTS_VALUE) return 1;
  const int64_t first = converted(film, film->first, unit);
  if (time >= converted(film, film->end, unit)) return 0;
  const AVCodecParameters *facts =
    writer->format->streams[writer->places[packet->stream_index]]->codecpar;
  if (time >= first) return 1;
  // A subtitle that begins earlier is shortened.
  if (facts->codec_type == AVMEDIA_TYPE_SUBTITLE) return time + packet->duration > first;
  const int64_t lead = lead_of(film, packet->stream_index);
  if (!skips_start(writer, facts)) return 0;
  return lead == INT64_MAX ? time + packet->duration > first : time >= lead;
}

// Makes the times of a packet count from the first frame of the part of a film that is read.
static void shift(
  const phbatch_film_writer *writer, const phbatch_film *film, AVPacket *packet, int place) {
  if (film->first == INT64_MIN) return;
  const int64_t first = converted(film, film->first, writer->units[packet->stream_index]);
  if (packet->pts != AV_NOPTS_VALUE) packet->pts -= first;
  if (packet->dts != AV_NOPTS_VALUE) packet->dts -= first;
  const enum AVMediaType type = writer->format->streams[place]->codecpar->codec_type;
  if (type != AVMEDIA_TYPE_SUBTITLE || packet->pts == AV_NOPTS_VALUE) return;
  if (packet->pts < 0) {
    packet->duration += packet->pts;
    packet->pts = packet->dts = 0;
  }
  const int64_t end = converted(film, film->end, writer->units[packet->stream_index]);
  if (end != INT64_MAX) packet->duration = FFMIN(packet->duration, end - first - packet->pts);
}

int phbatch_film_needs_delay(const phbatch_film_writer *writer) {
  return LIBAVFORMAT_VERSION_MAJOR < 60 && strcmp(writer->format->oformat->name, "webm") == 0;
}

// Passes a copy of a packet to the container.
static int copy_packet(
  phbatch_film_writer *writer, const phbatch_film *film, const AVPacket *packet) {
  const int place = writer->places[packet->stream_index];
  if (place < 0 || !is_inside(writer, film, packet)) return 0;
  AVPacket *copy = av_packet_clone(packet);
  int code = copy ? 0 : AVERROR(ENOMEM);
  if (code == 0) {
    shift(writer, film, copy, place);
    const AVRational to = writer->format->streams[place]->time_base;
    av_packet_rescale_ts(copy, writer->units[packet->stream_index], to);
    const AVCodecParameters *facts = writer->format->streams[place]->codecpar;
    if (phbatch_film_needs_delay(writer) && facts->initial_padding > 0) {
      const AVRational rate = {1, facts->sample_rate > 0 ? facts->sample_rate : 48000};
      const int64_t delay = av_rescale_q(facts->initial_padding, rate, to);
      copy->pts += delay;
      copy->dts += delay;
    }
    copy->stream_index = place;
    copy->pos = -1;
    code = av_interleaved_write_frame(writer->format, copy);
  }
  av_packet_free(&copy);
  return code;
}

int phbatch_film_writer_copy(
  phbatch_film_writer *writer, const phbatch_film *film, const AVPacket *packet, char *error) {
  // A container can announce a track after its header.
  if ((unsigned)packet->stream_index >= writer->place_count) return 0;
  struct phbatch_film_sound *sound = writer->sounds[packet->stream_index];
  const int code = sound ? phbatch_film_add_sound(writer, sound, packet)
                         : copy_packet(writer, film, packet);
  if (code < 0)
    phbatch_film_failure(
      error, sound ? "the sound cannot be encoded" : "a track cannot be copied", code);
  return code;
}
