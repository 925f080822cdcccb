// Reading films.

#include "film.h"

#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The only containers and codecs that are read; files with others are refused.
static const char containers[] = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm";
static const char codecs[] = "h264,hevc,libdav1d,av1,vp8,vp9,mpeg4,mjpeg,h263,prores,dnxhd";

// The EXIF orientation of a display matrix, whose numbers have 16 fractional bits; 1 for matrices
// that do more than rotate and mirror.
static int orientation_of(const int32_t *matrix) {
  static const int8_t turns[8][4] = {
    {1, 0, 0, 1},  {-1, 0, 0, 1},  {-1, 0, 0, -1}, {1, 0, 0, -1},
    {0, 1, 1, 0},  {0, 1, -1, 0},  {0, -1, -1, 0}, {0, -1, 1, 0}};
  const int32_t parts[4] = {matrix[0], matrix[1], matrix[3], matrix[4]};
  for (int turn = 0; turn < 8; turn++) {
    int is_equal = 1;
    for (int i = 0; i < 4; i++) is_equal &= parts[i] == turns[turn][i] * 65536;
    if (is_equal) return turn + 1;
  }
  return 1;
}

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

// Reads the properties of a pixel format that the conversion needs; returns 0 for formats that it
// does not support.
static int read_pixels(enum AVPixelFormat pixels, struct phbatch_planes *planes) {
  const AVPixFmtDescriptor *facts = av_pix_fmt_desc_get(pixels);
  const uint64_t others = AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM |
    AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_ALPHA;
  if (!facts || facts->nb_components < 3 || facts->flags & others) return 0;
  if (!(facts->flags & AV_PIX_FMT_FLAG_PLANAR)) return 0;
  if (facts->log2_chroma_w > 1 || facts->log2_chroma_h > 1) return 0;
  const int depth = facts->comp[0].depth;
  for (int c = 0; c < 3; c++) {
    const AVComponentDescriptor *part = &facts->comp[c];
    if (part->plane != c || part->depth != depth || part->shift || part->offset) return 0;
    if (part->step != (depth > 8 ? 2 : 1)) return 0;
  }
  if (depth < 8 || depth > 16) return 0;
  planes->coding.bits = depth;
  planes->halves_columns = facts->log2_chroma_w;
  planes->halves_rows = facts->log2_chroma_h;
  return 1;
}

static int is_known(int matrix) { return matrix && matrix != AVCOL_SPC_UNSPECIFIED; }

// Reads the facts that the first frame states more exactly than the container.
// Reads data for HDR displays; each may be NULL.
static void read_display(
  struct phbatch_film_facts *facts, const AVMasteringDisplayMetadata *display,
  const AVContentLightMetadata *light) {
  if (display || light) facts->has_display_data = 1;
  if (display && display->has_luminance) facts->peak = av_q2d(display->max_luminance);
  if (light && light->MaxCLL > 0) facts->peak = light->MaxCLL;
}

static const void *data_of(const AVFrame *frame, enum AVFrameSideDataType type) {
  const AVFrameSideData *data = av_frame_get_side_data(frame, type);
  return data ? data->data : NULL;
}

// Reads the data for displays that the frame itself contains.
static void read_frame_data(struct phbatch_film_facts *facts, const AVFrame *frame) {
  read_display(
    facts, data_of(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA),
    data_of(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL));
  if (data_of(frame, AV_FRAME_DATA_DYNAMIC_HDR_PLUS)) facts->has_display_data = 1;
  if (data_of(frame, AV_FRAME_DATA_DOVI_RPU_BUFFER)) facts->has_dolby_vision = 1;
}

static int read_coding(phbatch_film *film, char *error) {
  const AVFrame *frame = film->frame;
  struct phbatch_planes planes = {0};
  if (!read_pixels(frame->format, &planes)) {
    const char *name = av_get_pix_fmt_name(frame->format);
    snprintf(error, phbatch_film_text, "its frames are in a format that is not read: %s", name);
    return -1;
  }
  struct phbatch_film_coding *coding = &film->facts.coding;
  const AVCodecParameters *stated = film->stream->codecpar;
  coding->bits = planes.coding.bits;
  coding->matrix = is_known(frame->colorspace) ? (int)frame->colorspace : (int)stated->color_space;
  coding->primaries = (int)frame->color_primaries;
  if (coding->primaries == AVCOL_PRI_UNSPECIFIED) coding->primaries = (int)stated->color_primaries;
  coding->transfer = (int)frame->color_trc;
  if (coding->transfer == AVCOL_TRC_UNSPECIFIED) coding->transfer = (int)stated->color_trc;
  const int is_bright = coding->transfer == 16 || coding->transfer == 18;
  // If a film states no matrix, players choose it by the other colours and by the frame size.
  if (!is_known(coding->matrix))
    coding->matrix = is_bright || coding->primaries == 9 ? 9 : frame->height < 720 ? 6 : 1;
  read_frame_data(&film->facts, frame);
  const char *name = av_get_pix_fmt_name(frame->format);
  const int is_full_format = name && strncmp(name, "yuvj", 4) == 0;
  const enum AVColorRange range =
    frame->color_range ? frame->color_range : stated->color_range;
  coding->is_full_range = is_full_format || range == AVCOL_RANGE_JPEG;
  enum AVChromaLocation place = frame->chroma_location;
  if (place == AVCHROMA_LOC_UNSPECIFIED) place = stated->chroma_location;
  coding->is_centred = place == AVCHROMA_LOC_CENTER || place == AVCHROMA_LOC_TOP ||
    (place == AVCHROMA_LOC_UNSPECIFIED && stated->codec_id == AV_CODEC_ID_MJPEG);
  film->facts.width = frame->width;
  film->facts.height = frame->height;
  if (frame->colorspace == AVCOL_SPC_RGB || coding->matrix == 8 || coding->matrix > 9) {
    snprintf(
      error, phbatch_film_text, "its colours are in a space that is not read: %d", coding->matrix);
    return -1;
  }
  return 0;
}

static void read_facts(phbatch_film *film) {
  const AVStream *stream = film->stream;
  struct phbatch_film_facts *facts = &film->facts;
  size_t size = 0;
  const uint8_t *matrix = phbatch_stream_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  int32_t numbers[9];
  facts->orientation = 1;
  if (matrix && size >= sizeof numbers) {
    memcpy(numbers, matrix, sizeof numbers);
    facts->orientation = orientation_of(numbers);
  }
  const AVDOVIDecoderConfigurationRecord *dolby =
    (const void *)phbatch_stream_data(stream, AV_PKT_DATA_DOVI_CONF, &size);
  facts->has_dolby_vision = dolby != NULL;
  facts->needs_dolby_vision = dolby && dolby->dv_bl_signal_compatibility_id == 0;
  const void *display =
    phbatch_stream_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, &size);
  const void *light = phbatch_stream_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, &size);
  read_display(facts, display, light);
  facts->unit_numerator = stream->time_base.num;
  facts->unit_denominator = stream->time_base.den;
  AVRational rate = stream->avg_frame_rate.num ? stream->avg_frame_rate : stream->r_frame_rate;
  facts->rate = rate.num && rate.den ? av_q2d(rate) : 0;
  const int64_t duration = film->format->duration;
  facts->microseconds = duration > 0 ? duration : 0;
  facts->frames = stream->nb_frames;
  if (facts->frames <= 0) facts->frames = (int64_t)(facts->rate * (double)duration / 1e6);
  facts->track = stream->id;
  for (unsigned i = 0; i < film->format->nb_streams; i++) {
    facts->sound_tracks += film->format->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
  }
  const enum AVFieldOrder order = stream->codecpar->field_order;
  facts->is_interlaced = order != AV_FIELD_UNKNOWN && order != AV_FIELD_PROGRESSIVE;
  snprintf(facts->codec, sizeof facts->codec, "%s", avcodec_get_name(stream->codecpar->codec_id));
  snprintf(facts->container, sizeof facts->container, "%s", film->format->iformat->name);
}

static int open_container(phbatch_film *film, int descriptor, int ignores_edits) {
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

static int open_decoder(phbatch_film *film, int threads) {
  const AVCodec *codec = avcodec_find_decoder(film->stream->codecpar->codec_id);
  if (!codec) return AVERROR_DECODER_NOT_FOUND;
  film->decoder = avcodec_alloc_context3(codec);
  if (!film->decoder) return AVERROR(ENOMEM);
  const int code = avcodec_parameters_to_context(film->decoder, film->stream->codecpar);
  if (code < 0) return code;
  film->decoder->pkt_timebase = film->stream->time_base;
  film->decoder->thread_count = threads;
  // The decoder reports a damaged frame as an error, and does not conceal the damage.
  film->decoder->err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK;
  AVDictionary *options = NULL;
  av_dict_set(&options, "codec_whitelist", codecs, 0);
  const int opened = avcodec_open2(film->decoder, codec, &options);
  av_dict_free(&options);
  return opened;
}

phbatch_film *phbatch_film_open(int descriptor, int ignores_edits, int threads, char *error) {
  av_log_set_level(AV_LOG_QUIET);
  phbatch_film *film = calloc(1, sizeof *film);
  if (!film) return NULL;
  film->last_time = film->first = INT64_MIN;
  film->end = INT64_MAX;
  int code = open_container(film, descriptor, ignores_edits);
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
  code = film->packet && film->frame ? open_decoder(film, threads) : AVERROR(ENOMEM);
  if (code < 0) {
    char what[96];
    const char *name = avcodec_get_name(film->stream->codecpar->codec_id);
    snprintf(what, sizeof what, "no decoder reads its codec '%s'", name);
    phbatch_film_failure(error, what, code);
    phbatch_film_close(film);
    return NULL;
  }
  read_facts(film);
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
      code = film->packet->flags & AV_PKT_FLAG_CORRUPT
        ? AVERROR_INVALIDDATA
        : avcodec_send_packet(film->decoder, film->packet);
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

// Decodes the next frame of the whole film.
static int decode(phbatch_film *film, int64_t *time, char *error) {
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
    if (code < 0 || film->frame->flags & AV_FRAME_FLAG_CORRUPT) {
      phbatch_film_failure(
        error, "a frame cannot be decoded", code < 0 ? code : AVERROR_INVALIDDATA);
      return -1;
    }
    if (film->frame->flags & AV_FRAME_FLAG_DISCARD) continue;
    break;
  }
  if (film->width && is_changed(film)) {
    snprintf(error, phbatch_film_text, "the size or the format of its frames changes");
    return -1;
  }
  if (!film->width && read_coding(film, error)) return -2;
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
  do found = decode(film, time, error);
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

// Moves to a time stamp; returns 0 if the film has no index.
static int move(phbatch_film *film, int64_t time) {
  if (av_seek_frame(film->format, film->stream->index, time, AVSEEK_FLAG_BACKWARD) < 0) return 0;
  avcodec_flush_buffers(film->decoder);
  film->is_drained = 0;
  film->last_time = INT64_MIN;
  return 1;
}

// Moves to the last key frame that is shown at a time stamp or before. Without an index, the film is
// decoded from its start.
static void move_to_key_frame(phbatch_film *film, int64_t wanted) {
  enum { most_tries = 8 };
  int64_t target = wanted;
  for (int i = 0; i < most_tries; i++) {
    if (!move(film, target)) return;
    int code;
    while ((code = av_read_frame(film->format, film->packet)) >= 0 &&
           film->packet->stream_index != film->stream->index)
      av_packet_unref(film->packet);
    const int64_t shown = film->packet->pts, decoded = film->packet->dts;
    av_packet_unref(film->packet);
    // An index lists the times at which frames are decoded. Such a time may be before the wanted
    // time although the frame is shown after it.
    if (code >= 0 && shown != AV_NOPTS_VALUE && shown > wanted && decoded != AV_NOPTS_VALUE) {
      if (decoded - 1 >= target) break;
      target = decoded - 1;
      continue;
    }
    move(film, target);
    return;
  }
  move(film, film->stream->start_time == AV_NOPTS_VALUE ? 0 : film->stream->start_time);
}

int phbatch_film_cut(phbatch_film *film, int64_t first, int64_t end, char *error) {
  move_to_key_frame(film, first);
  int64_t time = 0;
  int found;
  do found = decode(film, &time, error);
  while (found > 0 && time < first);
  if (found <= 0 || time >= end) return found < 0 ? found : 0;
  move_to_key_frame(film, first);
  film->first = time;
  film->end = end;
  return 1;
}

int phbatch_film_find(phbatch_film *film, double seconds, char *error) {
  const int64_t wanted = phbatch_film_stamp(film, seconds);
  if (seconds > 0) move_to_key_frame(film, wanted);
  AVFrame *last = av_frame_alloc();
  if (!last) {
    phbatch_film_failure(error, "a frame cannot be decoded", AVERROR(ENOMEM));
    return -1;
  }
  int64_t time = 0;
  int found;
  while ((found = decode(film, &time, error)) > 0 && time < wanted) {
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
  if (!read_pixels(film->frame->format, &planes)) return;
  planes.coding = film->facts.coding;
  planes.width = film->facts.width;
  planes.height = film->facts.height;
  for (int i = 0; i < 3; i++) {
    planes.data[i] = film->frame->data[i];
    planes.pitch[i] = film->frame->linesize[i];
  }
  phbatch_planes_to_rgb(&planes, samples);
}
