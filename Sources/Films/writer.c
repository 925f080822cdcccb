// Writing films.

#include "film.h"

#include <libavutil/display.h>
#include <libavutil/opt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An encoder, and how its settings follow from a quality 1…100 and an effort 0…8.
struct codec {
  const char *name, *encoder;
  // The constant rate factor at quality 0, and its change for one step of quality.
  double worst, step;
  int usual_effort;
};

static const struct codec codecs[] = {
  {"h264", "libx264", 43, -1.0 / 3, 5},
  {"hevc", "libx265", 47, -1.0 / 3, 4},
  {"av1", "libsvtav1", 60, -0.45, 3},
  {"vp9", "libvpx-vp9", 60, -0.4, 3},
};

static const char *const presets[] = {
  "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow"};

static const struct codec *codec_named(const char *name) {
  for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++)
    if (strcmp(codecs[i].name, name) == 0) return &codecs[i];
  return NULL;
}

int phbatch_film_encodes(const char *name) {
  const struct codec *codec = codec_named(name);
  return codec && avcodec_find_encoder_by_name(codec->encoder);
}

// True if x264 must not use AVX-512: the macroblock tree of version 0.164 then reads memory that is
// not initialised, so that the same frames give different bytes.
static int avoids_avx512(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx2");
#else
  return 0;
#endif
}

// The encoder's settings for a quality and an effort.
static void set_options(
  AVDictionary **options, const struct codec *codec, const struct phbatch_film_format *wanted) {
  const int effort = wanted->effort < 0 ? codec->usual_effort : wanted->effort;
  char text[64];
  snprintf(text, sizeof text, "%d", (int)(codec->worst + codec->step * wanted->quality + 0.5));
  av_dict_set(options, "crf", text, 0);
  if (strcmp(codec->name, "h264") == 0 || strcmp(codec->name, "hevc") == 0) {
    av_dict_set(options, "preset", presets[effort], 0);
  }
  if (strcmp(codec->name, "h264") == 0) {
    // With fewer frames in the encoder's queue, the encoder needs half of the memory, and files
    // grow by 1 %.
    av_dict_set(options, "rc-lookahead", "24", 0);
    if (avoids_avx512()) av_dict_set(options, "x264-params", "asm=AVX2,FMA3,BMI2,LZCNT", 0);
  } else if (strcmp(codec->name, "hevc") == 0) {
    const int pools = wanted->threads > 1 ? wanted->threads : 1;
    snprintf(
      text, sizeof text, "log-level=none:rc-lookahead=16:frame-threads=1:pools=%d", pools);
    av_dict_set(options, "x265-params", text, 0);
  } else if (strcmp(codec->name, "av1") == 0) {
    snprintf(text, sizeof text, "%d", 12 - effort);
    av_dict_set(options, "preset", text, 0);
    snprintf(text, sizeof text, "lp=%d", wanted->threads);
    av_dict_set(options, "svtav1-params", text, 0);
  } else {
    snprintf(text, sizeof text, "%d", 8 - effort);
    av_dict_set(options, "cpu-used", text, 0);
    av_dict_set(options, "deadline", "good", 0);
    av_dict_set(options, "row-mt", "1", 0);
    av_dict_set(options, "b", "0", 0);
  }
}

// The width of the new film's pixels to their height.
static AVRational aspect_ratio(const phbatch_film_writer *writer, const phbatch_film *source) {
  const AVRational stored = av_guess_sample_aspect_ratio(source->format, source->stream, NULL);
  size_t size = 0;
  const enum AVPacketSideDataType type = AV_PKT_DATA_DISPLAYMATRIX;
  const uint8_t *bytes = phbatch_stream_data(source->stream, type, &size);
  int32_t matrix[9];
  if (!writer->wanted.is_upright || !bytes || size < sizeof matrix || stored.num == 0) return stored;
  memcpy(matrix, bytes, sizeof matrix);
  const double angle = fabs(av_display_rotation_get(matrix));
  return angle > 45 && angle < 135 ? av_inv_q(stored) : stored;
}

static int open_encoder(phbatch_film_writer *writer, const struct codec *codec) {
  const phbatch_film *source = writer->source;
  const struct phbatch_film_format *wanted = &writer->wanted;
  const AVCodec *encoder = avcodec_find_encoder_by_name(codec->encoder);
  if (!encoder) return AVERROR_ENCODER_NOT_FOUND;
  AVCodecContext *context = writer->encoder = avcodec_alloc_context3(encoder);
  if (!context) return AVERROR(ENOMEM);
  context->width = wanted->width;
  context->height = wanted->height;
  context->pix_fmt = wanted->coding.bits > 8 ? AV_PIX_FMT_YUV420P10 : AV_PIX_FMT_YUV420P;
  context->time_base = source->stream->time_base;
  context->framerate = source->stream->avg_frame_rate;
  if (!context->framerate.num) context->framerate = (AVRational){30, 1};
  context->sample_aspect_ratio = aspect_ratio(writer, source);
  context->colorspace = (enum AVColorSpace)wanted->coding.matrix;
  context->color_primaries = (enum AVColorPrimaries)wanted->coding.primaries;
  context->color_trc = (enum AVColorTransferCharacteristic)wanted->coding.transfer;
  context->color_range = wanted->coding.is_full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  context->chroma_sample_location =
    wanted->coding.is_centred ? AVCHROMA_LOC_CENTER : AVCHROMA_LOC_LEFT;
  context->thread_count = wanted->threads;
  context->gop_size = 250;
  if (strcmp(codec->name, "hevc") == 0) context->codec_tag = MKTAG('h', 'v', 'c', '1');
  if (writer->format->oformat->flags & AVFMT_GLOBALHEADER)
    context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  AVDictionary *options = NULL;
  set_options(&options, codec, wanted);
  const int code = avcodec_open2(context, encoder, &options);
  av_dict_free(&options);
  return code;
}

static int add_picture(
  phbatch_film_writer *writer, const phbatch_film *source,
  const struct phbatch_film_format *wanted) {
  AVStream *stream = writer->stream = avformat_new_stream(writer->format, NULL);
  if (!stream) return AVERROR(ENOMEM);
  int code = avcodec_parameters_from_context(stream->codecpar, writer->encoder);
  if (code < 0) return code;
  stream->time_base = writer->encoder->time_base;
  stream->avg_frame_rate = source->stream->avg_frame_rate;
  stream->sample_aspect_ratio = writer->encoder->sample_aspect_ratio;
  if (!wanted->copies) return 0;
  stream->disposition = source->stream->disposition;
  code = phbatch_film_set_tags(&stream->metadata, source, wanted, source->stream->index);
  // The name of the source's encoder does not apply to the new film.
  av_dict_set(&stream->metadata, "encoder", NULL, 0);
  av_dict_set(&stream->metadata, "vendor_id", NULL, 0);
  size_t size = 0;
  const enum AVPacketSideDataType type = AV_PKT_DATA_DISPLAYMATRIX;
  const uint8_t *matrix = phbatch_stream_data(source->stream, type, &size);
  if (!matrix || code < 0 || writer->wanted.is_upright) return code;
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  AVCodecParameters *target = stream->codecpar;
  AVPacketSideData *data = av_packet_side_data_new(
    &target->coded_side_data, &target->nb_coded_side_data, type, size, 0);
  uint8_t *copy = data ? data->data : NULL;
#else
  uint8_t *copy = av_stream_new_side_data(stream, type, size);
#endif
  if (!copy) return AVERROR(ENOMEM);
  memcpy(copy, matrix, size);
  return 0;
}

static int begin(
  phbatch_film_writer *writer, int descriptor, phbatch_film *source,
  const struct phbatch_film_format *wanted, char *warning, char *error) {
  const struct codec *codec = codec_named(wanted->codec);
  if (!codec) return AVERROR_ENCODER_NOT_FOUND;
  int code = avformat_alloc_output_context2(&writer->format, NULL, wanted->container, NULL);
  if (code < 0) return code;
  // The names and the texts belong to the caller.
  writer->wanted.codec = codec->name;
  writer->wanted.container = writer->format->oformat->name;
  writer->wanted.tags = NULL;
  writer->wanted.tag_count = 0;
  writer->format->io_open = phbatch_refuse_file;
  writer->place_count = source->format->nb_streams;
  writer->places = av_calloc(writer->place_count, sizeof *writer->places);
  writer->units = av_calloc(writer->place_count, sizeof *writer->units);
  writer->sounds = av_calloc(writer->place_count, sizeof *writer->sounds);
  writer->packet = av_packet_alloc();
  writer->frame = av_frame_alloc();
  if (!writer->places || !writer->units || !writer->sounds || !writer->packet || !writer->frame)
    return AVERROR(ENOMEM);
  for (unsigned i = 0; i < writer->place_count; i++) writer->places[i] = -1;
  if ((code = open_encoder(writer, codec)) < 0) return code;
  if ((code = add_picture(writer, source, wanted)) < 0) return code;
  if (wanted->copies) {
    code = phbatch_film_add_tracks(writer, source, wanted, warning, error);
    if (code < 0) return code;
    if ((code = phbatch_film_add_chapters(writer, source)) < 0) return code;
  }
  if ((code = phbatch_film_file_open(&writer->file, descriptor, 1)) < 0) return code;
  writer->format->pb = writer->file.context;
  AVDictionary *options = NULL;
  const AVRational unit = writer->encoder->time_base;
  if (unit.num == 1) {
    char text[16];
    snprintf(text, sizeof text, "%d", unit.den);
    av_dict_set(&options, "video_track_timescale", text, 0);
  }
  av_dict_set(&options, "movflags", "+write_colr", 0);
  // Opus sound begins before time 0. Matroska can store such times, so the timestamps need not be
  // shifted.
  if (strcmp(wanted->container, "webm") == 0) writer->format->avoid_negative_ts = 0;
  // Without this flag, the muxer would write random numbers, and files with the same pixels would
  // differ.
  writer->format->flags |= AVFMT_FLAG_BITEXACT;
  code = avformat_write_header(writer->format, &options);
  av_dict_free(&options);
  return code < 0 ? code : 0;
}

phbatch_film_writer *phbatch_film_write(
  int descriptor, phbatch_film *source, const struct phbatch_film_format *wanted, char *warning,
  char *error) {
  warning[0] = error[0] = 0;
  phbatch_film_writer *writer = calloc(1, sizeof *writer);
  if (!writer) return NULL;
  writer->coding = wanted->coding;
  writer->source = source;
  writer->wanted = *wanted;
  writer->segment = wanted->segment > 0 ? wanted->segment : INT64_MAX;
  writer->last_time = INT64_MIN;
  const int code = begin(writer, descriptor, source, wanted, warning, error);
  if (code < 0 || source->writer_count >= phbatch_most_writers) {
    char what[96];
    snprintf(what, sizeof what, "%s in %s cannot be written", wanted->codec, wanted->container);
    if (!error[0]) phbatch_film_failure(error, what, code);
    phbatch_film_writer_close(writer);
    return NULL;
  }
  if (wanted->copies) source->writers[source->writer_count++] = writer;
  phbatch_film_record_open(writer, wanted->record);
  return writer;
}

int phbatch_film_mux(phbatch_film_writer *writer) {
  AVPacket *packet = writer->packet;
  writer->last_time = packet->dts;
  av_packet_rescale_ts(packet, writer->encoder->time_base, writer->stream->time_base);
  packet->stream_index = writer->stream->index;
  return av_interleaved_write_frame(writer->format, packet);
}

// Writes the packets that the encoder has finished.
static int write_packets(phbatch_film_writer *writer) {
  while (1) {
    int code = avcodec_receive_packet(writer->encoder, writer->packet);
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return 0;
    if (code < 0) return code;
    // The first time stamps of a segment with frames of other distances can lie before the last ones
    // of the segment before it.
    AVPacket *packet = writer->packet;
    if (packet->dts == AV_NOPTS_VALUE) packet->dts = packet->pts;
    if (packet->dts <= writer->last_time) packet->dts = writer->last_time + 1;
    phbatch_film_record_packet(writer);
    code = phbatch_film_mux(writer);
    if (code < 0) return code;
  }
}

// Ends a segment of the picture, and begins the next one with a new encoder.
static int begin_segment(phbatch_film_writer *writer) {
  int code = avcodec_send_frame(writer->encoder, NULL);
  if (code >= 0) code = write_packets(writer);
  if (code < 0) return code;
  phbatch_film_record_segment(writer);
  writer->frames = 0;
  avcodec_free_context(&writer->encoder);
  if ((code = open_encoder(writer, codec_named(writer->wanted.codec))) < 0) return code;
  // All segments of a track share the extradata.
  const AVCodecParameters *facts = writer->stream->codecpar;
  const AVCodecContext *encoder = writer->encoder;
  const size_t size = (size_t)encoder->extradata_size;
  const int is_same = encoder->extradata_size == facts->extradata_size &&
    (size == 0 || memcmp(encoder->extradata, facts->extradata, size) == 0);
  return is_same ? 0 : AVERROR_EXTERNAL;
}

// Makes the writer's frame one of the encoder's size and format.
static int allocate_frame(phbatch_film_writer *writer) {
  AVFrame *frame = writer->frame;
  av_frame_unref(frame);
  frame->format = writer->encoder->pix_fmt;
  frame->width = writer->encoder->width;
  frame->height = writer->encoder->height;
  return av_frame_get_buffer(frame, 0);
}

static int make_frame(phbatch_film_writer *writer, const void *samples, int64_t time) {
  const AVCodecContext *encoder = writer->encoder;
  AVFrame *frame = writer->frame;
  const int code = allocate_frame(writer);
  if (code < 0) return code;
  frame->pts = time;
  frame->colorspace = encoder->colorspace;
  frame->color_primaries = encoder->color_primaries;
  frame->color_trc = encoder->color_trc;
  frame->color_range = encoder->color_range;
  frame->chroma_location = encoder->chroma_sample_location;
  struct phbatch_planes planes = {
    .width = frame->width,
    .height = frame->height,
    .halves_columns = 1,
    .halves_rows = 1,
    .coding = writer->coding};
  for (int i = 0; i < 3; i++) {
    planes.data[i] = frame->data[i];
    planes.pitch[i] = frame->linesize[i];
  }
  return phbatch_rgb_to_planes(samples, &planes) ? AVERROR(EINVAL) : 0;
}

int phbatch_film_add(
  phbatch_film_writer *writer, const void *samples, int64_t time, char *error) {
  int code = writer->frames == writer->segment ? begin_segment(writer) : 0;
  if (code >= 0) code = make_frame(writer, samples, time);
  if (code >= 0) code = avcodec_send_frame(writer->encoder, writer->frame);
  if (code >= 0) {
    writer->frames++;
    code = write_packets(writer);
  }
  if (code < 0) phbatch_film_failure(error, "a frame cannot be encoded", code);
  return code < 0 ? -1 : 0;
}

// Writes the end of the sound that is re-encoded. It is an error if the film has only sound that
// cannot be decoded.
static int finish_sounds(phbatch_film_writer *writer, char *error) {
  int is_lost = 0, has_sound = 0;
  for (unsigned i = 0; i < writer->place_count; i++) {
    const int place = writer->places[i];
    if (writer->sounds[i]) {
      const int code = phbatch_film_finish_sound(writer, writer->sounds[i]);
      if (code < 0) return code;
      *(code ? &is_lost : &has_sound) = 1;
    } else if (place >= 0) {
      const AVCodecParameters *facts = writer->format->streams[place]->codecpar;
      has_sound |= facts->codec_type == AVMEDIA_TYPE_AUDIO;
    }
  }
  if (!is_lost || has_sound) return 0;
  snprintf(error, phbatch_film_text, "the film's sound is damaged and cannot be decoded");
  return AVERROR_INVALIDDATA;
}

int phbatch_film_finish(phbatch_film_writer *writer, char *error) {
  error[0] = 0;
  int code = finish_sounds(writer, error);
  if (code >= 0 && writer->frames > 0) {
    code = avcodec_send_frame(writer->encoder, NULL);
    if (code >= 0) code = write_packets(writer);
  }
  if (code >= 0) code = av_write_trailer(writer->format);
  if (code >= 0) {
    avio_flush(writer->file.context);
    code = writer->file.context->error;
  }
  if (code >= 0) phbatch_film_write_languages(writer);
  if (code < 0 && !error[0]) phbatch_film_failure(error, "the film cannot be completed", code);
  return code < 0 ? -1 : 0;
}

// Frees the encoder. SVT-AV1 1.4 waits forever if it is freed without having got a frame, so it gets
// one, with any content.
static void free_encoder(phbatch_film_writer *writer) {
  AVCodecContext *encoder = writer->encoder;
  const int waits = encoder && encoder->codec_id == AV_CODEC_ID_AV1 && avcodec_is_open(encoder) &&
    writer->frames == 0;
  if (waits && allocate_frame(writer) >= 0) avcodec_send_frame(encoder, writer->frame);
  avcodec_free_context(&writer->encoder);
}

void phbatch_film_writer_close(phbatch_film_writer *writer) {
  if (!writer) return;
  free_encoder(writer);
  av_frame_free(&writer->frame);
  av_packet_free(&writer->packet);
  if (writer->format) writer->format->pb = NULL;
  avformat_free_context(writer->format);
  phbatch_film_file_close(&writer->file);
  for (unsigned i = 0; writer->sounds && i < writer->place_count; i++)
    phbatch_film_free_sound(writer->sounds[i]);
  av_free(writer->sounds);
  av_free(writer->places);
  av_free(writer->units);
  free(writer);
}
