// Reading films.

#include "film.h"

#include <libavutil/intreadwrite.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The only containers and codecs that are read; files with others are refused.
static const char containers[] = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm";
static const char codecs[] = "h264,hevc,libdav1d,av1,vp8,vp9,mpeg4,mjpeg,h263,prores,dnxhd";

// The video track of a film: of the enabled tracks that are not cover pictures, the one with the
// most pixels.
static AVStream *picture_of(const AVFormatContext *format) {
  AVStream *best = NULL;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    AVStream *stream = format->streams[i];
    const AVCodecParameters *facts = stream->codecpar;
    if (facts->codec_type != AVMEDIA_TYPE_VIDEO) continue;
    if (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) continue;
    const int64_t pixels = (int64_t)facts->width * facts->height;
    if (!best || pixels > (int64_t)best->codecpar->width * best->codecpar->height) best = stream;
  }
  return best;
}

int phbatch_film_open_container(phbatch_film *film, int descriptor, int ignores_edits) {
  const int code = phbatch_film_file_open(&film->file, descriptor, 0);
  if (code < 0) return code;
  film->format = avformat_alloc_context();
  if (!film->format) return AVERROR(ENOMEM);
  film->format->pb = film->file.context;
  film->format->io_open = phbatch_refuse_file;
  AVDictionary *options = NULL;
  av_dict_set(&options, "format_whitelist", containers, 0);
  av_dict_set(&options, "codec_whitelist", codecs, 0);
  av_dict_set(&options, "protocol_whitelist", "none", 0);
  if (ignores_edits) av_dict_set(&options, "ignore_editlist", "1", 0);
  const int opened = avformat_open_input(&film->format, "", NULL, &options);
  av_dict_free(&options);
  return opened < 0 ? opened : avformat_find_stream_info(film->format, NULL);
}

static int open_decoder(phbatch_film *film) {
  const AVCodec *codec = avcodec_find_decoder(film->stream->codecpar->codec_id);
  if (!codec) return AVERROR_DECODER_NOT_FOUND;
  film->decoder = avcodec_alloc_context3(codec);
  if (!film->decoder) return AVERROR(ENOMEM);
  const int code = avcodec_parameters_to_context(film->decoder, film->stream->codecpar);
  if (code < 0) return code;
  film->decoder->pkt_timebase = film->stream->time_base;
  film->decoder->thread_count = film->threads;
  // The decoder reports a damaged frame as an error, and does not conceal the damage. After an open
  // start, it would also report frames that are not damaged; these only get flags.
  film->decoder->err_recognition = film->is_open ? AV_EF_CRCCHECK : AV_EF_EXPLODE | AV_EF_CRCCHECK;
  AVDictionary *options = NULL;
  av_dict_set(&options, "codec_whitelist", codecs, 0);
  const int opened = avcodec_open2(film->decoder, codec, &options);
  av_dict_free(&options);
  return opened;
}

// True if the film's packet has H.264 without an IDR picture, which forgets all frames before it. The
// frames after it can then state changes of frames that the decoder lacks if it begins here, as in
// parts of films with open groups of pictures.
static int is_open_start(const phbatch_film *film) {
  const AVCodecParameters *facts = film->stream->codecpar;
  enum { idr_picture = 5 };
  const int has_lengths = facts->extradata_size > 4 && facts->extradata[0] == 1;
  if (facts->codec_id != AV_CODEC_ID_H264 || !has_lengths) return 0;
  const int width = (facts->extradata[4] & 3) + 1;
  const uint8_t *unit = film->packet->data, *end = unit + film->packet->size;
  while (end - unit > width) {
    int64_t size = 0;
    for (int i = 0; i < width; i++) size = size << 8 | *unit++;
    if (size == 0 || size > end - unit || (*unit & 31) == idr_picture) return 0;
    unit += size;
  }
  return 1;
}

// True if the film's packet has an alpha channel beside the picture, as in WebM. The container's
// mark alone does not suffice: programs that drop the channel often keep the mark.
//
// Source: WebM Project, "WebM Container Guidelines", AlphaMode; RFC 9559, 5.1.3.5.2.
static int has_alpha(const phbatch_film *film) {
  enum { alpha_channel = 1 };
  const AVDictionaryEntry *mark = av_dict_get(film->stream->metadata, "alpha_mode", NULL, 0);
  size_t size = 0;
  const uint8_t *data =
    av_packet_get_side_data(film->packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size);
  return mark && strcmp(mark->value, "1") == 0 && size > 8 && AV_RB64(data) == alpha_channel;
}

// Prepares the decoder for the film's packet, which is the first one after the start or a move.
static int begin_decoding(phbatch_film *film) {
  film->has_alpha = has_alpha(film);
  const int is_open = is_open_start(film);
  film->is_begun = 1;
  if (is_open == film->is_open) return 0;
  film->is_open = is_open;
  avcodec_free_context(&film->decoder);
  return open_decoder(film);
}

phbatch_film *phbatch_film_open(int descriptor, int ignores_edits, int threads, char *error) {
  av_log_set_level(AV_LOG_QUIET);
  phbatch_film *film = calloc(1, sizeof *film);
  if (!film) return NULL;
  film->last_time = film->first = INT64_MIN;
  film->end = INT64_MAX;
  film->threads = threads;
  int code = phbatch_film_open_container(film, descriptor, ignores_edits);
  if (code < 0) {
    phbatch_film_failure(error, "the container cannot be read", code);
    phbatch_film_close(film);
    return NULL;
  }
  film->stream = picture_of(film->format);
  if (!film->stream) {
    snprintf(error, phbatch_film_text, "it contains no moving picture");
    phbatch_film_close(film);
    return NULL;
  }
  film->packet = av_packet_alloc();
  film->frame = av_frame_alloc();
  code = film->packet && film->frame ? open_decoder(film) : AVERROR(ENOMEM);
  if (code < 0) {
    char what[96];
    const char *name = avcodec_get_name(film->stream->codecpar->codec_id);
    snprintf(what, sizeof what, "no decoder reads its codec '%s'", name);
    phbatch_film_failure(error, what, code);
    phbatch_film_close(film);
    return NULL;
  }
  phbatch_film_read_header(film);
  if (film->facts.microseconds == 0) phbatch_film_measure(film, ignores_edits);
  return film;
}

void phbatch_film_read(const phbatch_film *film, struct phbatch_film_facts *facts) {
  *facts = film->facts;
}

void phbatch_film_close(phbatch_film *film) {
  if (!film) return;
  av_frame_free(&film->frame);
  av_packet_free(&film->packet);
  avcodec_free_context(&film->decoder);
  avformat_close_input(&film->format);
  phbatch_film_file_close(&film->file);
  av_free(film->leads);
  free(film);
}

static int copy_packet(phbatch_film *film, char *error) {
  int code = 0;
  for (int i = 0; i < film->writer_count && code >= 0; i++)
    code = phbatch_film_writer_copy(film->writers[i], film, film->packet, error);
  av_packet_unref(film->packet);
  return code;
}

// Sends the next packet of the video track to the decoder, and the packets of other tracks before
// it to the writers.
static int feed(phbatch_film *film, char *error) {
  while (!film->is_drained) {
    int code = av_read_frame(film->format, film->packet);
    if (code == AVERROR_EOF) {
      film->is_drained = 1;
      return avcodec_send_packet(film->decoder, NULL);
    }
    if (code < 0) return code;
    if (film->packet->stream_index == film->stream->index) {
      if (film->packet->flags & AV_PKT_FLAG_CORRUPT) code = AVERROR_INVALIDDATA;
      else if (!film->is_begun) code = begin_decoding(film);
      if (code >= 0) code = avcodec_send_packet(film->decoder, film->packet);
      av_packet_unref(film->packet);
      return code;
    }
    if ((code = copy_packet(film, error)) < 0) return code;
  }
  return 0;
}

// Passes the packets of other tracks to the writers that lie behind the last frame in the file.
static int copy_rest(phbatch_film *film, char *error) {
  // Containers store the packets of one moment at most a few seconds apart.
  const int64_t margin = av_rescale_q(10, (AVRational){1, 1}, film->stream->time_base);
  while (film->writer_count && !film->is_drained) {
    int code = av_read_frame(film->format, film->packet);
    if (code == AVERROR_EOF) return 0;
    if (code < 0) return code;
    if (film->packet->stream_index == film->stream->index) {
      const int64_t time = film->packet->dts;
      av_packet_unref(film->packet);
      if (time != AV_NOPTS_VALUE && time - margin >= film->end) return 0;
      continue;
    }
    if ((code = copy_packet(film, error)) < 0) return code;
  }
  return 0;
}

static int is_changed(const phbatch_film *film) {
  const AVFrame *frame = film->frame;
  return film->width != frame->width || film->height != frame->height ||
    film->pixels != frame->format;
}

int phbatch_film_decode(phbatch_film *film, int64_t *time, char *error) {
  while (1) {
    int code = avcodec_receive_frame(film->decoder, film->frame);
    if (code == AVERROR_EOF) return 0;
    if (code == AVERROR(EAGAIN)) {
      error[0] = 0;
      code = feed(film, error);
      if (code >= 0) continue;
      if (!error[0]) phbatch_film_failure(error, "a frame cannot be decoded", code);
      return -1;
    }
    const AVFrame *frame = film->frame;
    if (code < 0 || frame->flags & AV_FRAME_FLAG_CORRUPT || frame->decode_error_flags) {
      phbatch_film_failure(
        error, "a frame cannot be decoded", code < 0 ? code : AVERROR_INVALIDDATA);
      return -1;
    }
    if (frame->flags & AV_FRAME_FLAG_DISCARD) continue;
    break;
  }
  if (film->width && is_changed(film)) {
    snprintf(error, phbatch_film_text, "the size or the format of its frames changes");
    return -1;
  }
  if (!film->width && phbatch_film_read_coding(film, error)) return -2;
  film->width = film->frame->width;
  film->height = film->frame->height;
  film->pixels = film->frame->format;
  int64_t stamp = film->frame->pts;
  if (stamp == AV_NOPTS_VALUE) stamp = film->frame->best_effort_timestamp;
  if (film->last_time != INT64_MIN && (stamp == AV_NOPTS_VALUE || stamp <= film->last_time))
    stamp = film->last_time + 1;
  if (stamp == AV_NOPTS_VALUE) stamp = 0;
  *time = film->last_time = stamp;
  return 1;
}

int phbatch_film_next(phbatch_film *film, int64_t *time, char *error) {
  int found;
  do found = phbatch_film_decode(film, time, error);
  while (found > 0 && *time < film->first);
  if (found > 0 && *time >= film->end) found = 0;
  if (found > 0 && film->first != INT64_MIN) *time -= film->first;
  if (found == 0 && film->end != INT64_MAX) {
    error[0] = 0;
    const int code = copy_rest(film, error);
    film->is_drained = 1;
    if (code < 0) {
      if (!error[0]) phbatch_film_failure(error, "a track cannot be read", code);
      return -1;
    }
  }
  return found;
}

int64_t phbatch_film_stamp(const phbatch_film *film, double seconds) {
  const AVStream *stream = film->stream;
  const int64_t start = stream->start_time == AV_NOPTS_VALUE ? 0 : stream->start_time;
  const double ticks = seconds / av_q2d(stream->time_base);
  if (!(ticks < 4e18)) return INT64_MAX;
  const int64_t whole = (int64_t)ticks;
  // A time between two timestamps is rounded up to the later one; a difference of a millionth of a
  // tick counts as a rounding error.
  return start + whole + (ticks - (double)whole > 1e-6);
}

int phbatch_film_find(phbatch_film *film, double seconds, char *error) {
  const int64_t wanted = phbatch_film_stamp(film, seconds);
  if (seconds > 0) phbatch_film_move(film, wanted);
  AVFrame *last = av_frame_alloc();
  if (!last) {
    phbatch_film_failure(error, "a frame cannot be decoded", AVERROR(ENOMEM));
    return -1;
  }
  int64_t time = 0;
  int found;
  while ((found = phbatch_film_decode(film, &time, error)) > 0 && time < wanted) {
    av_frame_unref(last);
    if (av_frame_ref(last, film->frame) < 0) {
      phbatch_film_failure(error, "a frame cannot be decoded", AVERROR(ENOMEM));
      found = -1;
      break;
    }
  }
  if (found == 0 && last->buf[0]) {
    av_frame_unref(film->frame);
    av_frame_move_ref(film->frame, last);
    found = 2;
  }
  av_frame_free(&last);
  return found;
}

void phbatch_film_rgb(const phbatch_film *film, void *samples) {
  struct phbatch_planes planes = {0};
  if (!phbatch_film_read_pixels(film->frame->format, &planes)) return;
  planes.coding = film->facts.coding;
  planes.width = film->facts.width;
  planes.height = film->facts.height;
  for (int i = 0; i < 3; i++) {
    planes.data[i] = film->frame->data[i];
    planes.pitch[i] = film->frame->linesize[i];
  }
  phbatch_planes_to_rgb(&planes, samples);
}
