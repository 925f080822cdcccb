// Sound that is decoded and encoded anew, because the container of the new film cannot store it.
//
// The samples keep their times: a gap between the source's time stamps becomes silence, samples
// that overlap are dropped, and sound whose clock drifts is stretched.

#include "sound.h"

#include <libavutil/opt.h>
#include <stdio.h>
#include <string.h>

// Differences between a time stamp and the number of samples before it, in milliseconds. Containers
// round time stamps, Matroska to 1 ms. A lost packet lasts longer than 15 ms.
enum { rounding = 2, gap = 15 };

// The most seconds of silence that all gaps of a track get, so that a damaged time stamp does not
// make the film endless.
enum { most_silence = 3600 };

// The rates of sound in the source that are converted.
enum { lowest_rate = 1000, highest_rate = 768000 };

static int64_t samples(const struct phbatch_film_sound *sound, int64_t milliseconds) {
  return milliseconds * sound->encoder->sample_rate / 1000;
}

// A time of the source in samples of the encoder; INT64_MIN for times that no film reaches.
static int64_t converted(const struct phbatch_film_sound *sound, int64_t time, AVRational unit) {
  const int64_t most = INT64_C(1) << 48;
  const int64_t position = av_rescale_q(time, unit, sound->encoder->time_base);
  return position < -most || position > most ? INT64_MIN : position;
}

// The position of a time stamp of the source's sound; INT64_MIN if it is unknown.
static int64_t position_of(const struct phbatch_film_sound *sound, int64_t time) {
  if (time == AV_NOPTS_VALUE) return INT64_MIN;
  const int64_t position = converted(sound, time, sound->unit);
  return position == INT64_MIN ? position : position - sound->origin;
}

// Writes the packets that the encoder has finished.
static int write_packets(phbatch_film_writer *writer, struct phbatch_film_sound *sound) {
  AVPacket *packet = sound->packet;
  const AVRational from = sound->encoder->time_base;
  const AVRational to = writer->format->streams[sound->place]->time_base;
  const int64_t padding = sound->encoder->initial_padding;
  const int64_t delay = phbatch_film_needs_delay(writer) ? 0 : av_rescale_q(padding, from, to);
  int code;
  while ((code = avcodec_receive_packet(sound->encoder, packet)) >= 0) {
    // The start of the sound, after the padding, is rounded, not that of the padding.
    packet->pts = av_rescale_q(packet->pts + padding, from, to) - delay;
    packet->dts = packet->pts;
    packet->duration = av_rescale_q(packet->duration, from, to);
    packet->stream_index = sound->place;
    if ((code = av_interleaved_write_frame(writer->format, packet)) < 0) return code;
  }
  return code == AVERROR(EAGAIN) || code == AVERROR_EOF ? 0 : code;
}

// Makes the encoder's frame one of `count` samples.
static int make_frame(struct phbatch_film_sound *sound, int count) {
  const AVCodecContext *encoder = sound->encoder;
  AVFrame *frame = sound->frame;
  av_frame_unref(frame);
  frame->nb_samples = count;
  frame->format = encoder->sample_fmt;
  frame->sample_rate = encoder->sample_rate;
  const int code = av_channel_layout_copy(&frame->ch_layout, &encoder->ch_layout);
  return code < 0 ? code : av_frame_get_buffer(frame, 0);
}

// Encodes the waiting samples in whole frames, at the end also the rest.
static int encode(phbatch_film_writer *writer, struct phbatch_film_sound *sound, int is_end) {
  const int size = sound->encoder->frame_size;
  int left;
  while ((left = av_audio_fifo_size(sound->waiting)) >= (is_end ? 1 : size)) {
    const int count = FFMIN(left, size);
    int code = make_frame(sound, count);
    if (code < 0) return code;
    AVFrame *frame = sound->frame;
    code = av_audio_fifo_read(sound->waiting, (void **)frame->extended_data, count);
    if (code < 0) return code;
    frame->pts = sound->written - left;
    if ((code = avcodec_send_frame(sound->encoder, frame)) < 0) return code;
    sound->frames++;
    if ((code = write_packets(writer, sound)) < 0) return code;
  }
  return 0;
}

// Adds samples in the encoder's format, and encodes whole frames.
static int append(
  phbatch_film_writer *writer, struct phbatch_film_sound *sound, uint8_t **planes, int count) {
  const int code = av_audio_fifo_write(sound->waiting, (void **)planes, count);
  if (code < 0) return code;
  sound->written += count;
  return encode(writer, sound, 0);
}

static int append_silence(
  phbatch_film_writer *writer, struct phbatch_film_sound *sound, int64_t count) {
  while (count > 0) {
    const int part = (int)FFMIN(count, sound->encoder->frame_size);
    int code = make_frame(sound, part);
    if (code < 0) return code;
    AVFrame *frame = sound->frame;
    av_samples_set_silence(
      frame->extended_data, 0, part, frame->ch_layout.nb_channels, frame->format);
    if ((code = append(writer, sound, frame->extended_data, part)) < 0) return code;
    count -= part;
  }
  return 0;
}

// Fills the gap up to a position with silence. If the gap is too long, only the waiting frame is
// filled, and the time stamps of the packets have the rest of the gap.
static int fill_gap(
  phbatch_film_writer *writer, struct phbatch_film_sound *sound, int64_t position) {
  const int waiting = av_audio_fifo_size(sound->waiting);
  int64_t filled = position - sound->written;
  if (filled <= sound->silence) sound->silence -= filled;
  else filled = waiting ? FFMIN(filled, sound->encoder->frame_size - waiting) : 0;
  const int code = append_silence(writer, sound, filled);
  sound->written = position;
  return code;
}

// Adds the resampled frame at its position: without samples that overlap others, or that are
// outside the part of the film.
static int store(phbatch_film_writer *writer, struct phbatch_film_sound *sound) {
  AVFrame *frame = sound->resampled;
  const int64_t first = sound->position, end = FFMIN(first + frame->nb_samples, sound->end);
  sound->position += frame->nb_samples;
  if (first >= end || sound->written >= end) return 0;
  const int code = first > sound->written ? fill_gap(writer, sound, first) : 0;
  if (code < 0) return code;
  const int64_t skipped = sound->written - first;
  const int is_planar = av_sample_fmt_is_planar(frame->format);
  const int channels = frame->ch_layout.nb_channels;
  const int64_t bytes = skipped * av_get_bytes_per_sample(frame->format);
  for (int i = 0; i < (is_planar ? channels : 1); i++)
    frame->extended_data[i] += is_planar ? bytes : bytes * channels;
  return append(writer, sound, frame->extended_data, (int)(end - sound->written));
}

// Resamples a frame, or with NULL what the resampler still has.
static int resample(struct phbatch_film_sound *sound, const AVFrame *frame) {
  AVFrame *resampled = sound->resampled;
  av_frame_unref(resampled);
  resampled->format = sound->encoder->sample_fmt;
  resampled->sample_rate = sound->encoder->sample_rate;
  const int code = av_channel_layout_copy(&resampled->ch_layout, &sound->encoder->ch_layout);
  return code < 0 ? code : swr_convert_frame(sound->resampler, resampled, frame);
}

// Stores the samples that the resampler still has, and resets it.
static int drain(phbatch_film_writer *writer, struct phbatch_film_sound *sound) {
  int code = 0;
  while (code >= 0 && swr_is_initialized(sound->resampler)) {
    code = resample(sound, NULL);
    if (code >= 0 && sound->resampled->nb_samples == 0) swr_close(sound->resampler);
    else if (code >= 0) code = store(writer, sound);
  }
  return code;
}

// Compares the position of the decoded frame with the number of samples before it.
static int follow_clock(phbatch_film_writer *writer, struct phbatch_film_sound *sound) {
  const int64_t wanted = position_of(sound, sound->decoded->pts);
  const int rate = sound->encoder->sample_rate;
  const int is_running = swr_is_initialized(sound->resampler);
  if (wanted == INT64_MIN) {
    if (sound->position == INT64_MIN) sound->position = 0;
  } else if (!is_running) {
    sound->position = wanted;
  } else {
    const int64_t late = wanted - sound->position - swr_get_delay(sound->resampler, rate);
    if (FFABS(late) >= samples(sound, gap)) {
      const int code = drain(writer, sound);
      sound->position = wanted;
      return code;
    }
    if (FFABS(late) > samples(sound, rounding))
      return swr_set_compensation(sound->resampler, (int)late, rate);
  }
  return 0;
}

// Converts the decoded frame; `AVERROR_INVALIDDATA` if it is of a kind that is not converted.
static int convert(phbatch_film_writer *writer, struct phbatch_film_sound *sound) {
  AVFrame *frame = sound->decoded;
  if (frame->sample_rate < lowest_rate || frame->sample_rate > highest_rate ||
      !phbatch_film_name_channels(&frame->ch_layout))
    return AVERROR_INVALIDDATA;
  int code = follow_clock(writer, sound);
  if (code < 0) return code;
  const int is_first = sound->frames == 0 && av_audio_fifo_size(sound->waiting) == 0;
  if (is_first) sound->written = FFMAX(sound->position, 0);
  code = resample(sound, frame);
  if (code == AVERROR_INPUT_CHANGED) {
    if ((code = drain(writer, sound)) < 0) return code;
    code = resample(sound, frame);
  }
  if (code == AVERROR(ENOMEM)) return code;
  if (code < 0) {
    swr_close(sound->resampler);
    return AVERROR_INVALIDDATA;
  }
  return store(writer, sound);
}

// Decodes a packet, or with NULL what the decoder still has; damaged packets are counted.
static int decode(
  phbatch_film_writer *writer, struct phbatch_film_sound *sound, const AVPacket *packet) {
  const int sent = avcodec_send_packet(sound->decoder, packet);
  int read, code = 0;
  while ((read = avcodec_receive_frame(sound->decoder, sound->decoded)) >= 0) {
    const int converted = convert(writer, sound);
    if (converted == AVERROR_INVALIDDATA) code = converted;
    else if (converted < 0) return converted;
  }
  if (sent < 0) code = sent;
  else if (read != AVERROR(EAGAIN) && read != AVERROR_EOF) code = read;
  if (code == AVERROR(ENOMEM)) return code;
  sound->damaged += code < 0;
  return 0;
}

int phbatch_film_add_sound(
  phbatch_film_writer *writer, struct phbatch_film_sound *sound, const AVPacket *packet) {
  const int64_t time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
  const int64_t position = position_of(sound, time);
  return position != INT64_MIN && position >= sound->end ? 0 : decode(writer, sound, packet);
}

int phbatch_film_begin_sound(struct phbatch_film_sound *sound, AVStream *track) {
  sound->place = track->index;
  track->time_base = sound->encoder->time_base;
  return avcodec_parameters_from_context(track->codecpar, sound->encoder);
}

int phbatch_film_finish_sound(phbatch_film_writer *writer, struct phbatch_film_sound *sound) {
  int code = decode(writer, sound, NULL);
  if (code >= 0) code = drain(writer, sound);
  if (code >= 0) code = encode(writer, sound, 1);
  if (code < 0) return code;
  // Without a decoded frame, the position is unknown.
  if (sound->position == INT64_MIN && sound->damaged) return AVERROR_INVALIDDATA;
  if (sound->frames == 0) return 0;
  code = avcodec_send_frame(sound->encoder, NULL);
  return code < 0 ? code : write_packets(writer, sound);
}

void phbatch_film_free_sound(struct phbatch_film_sound *sound) {
  if (!sound) return;
  avcodec_free_context(&sound->decoder);
  avcodec_free_context(&sound->encoder);
  swr_free(&sound->resampler);
  av_audio_fifo_free(sound->waiting);
  av_frame_free(&sound->decoded);
  av_frame_free(&sound->resampled);
  av_frame_free(&sound->frame);
  av_packet_free(&sound->packet);
  av_free(sound);
}

// Allocates what converts the samples between the open decoder and the open encoder.
static int allocate(struct phbatch_film_sound *sound) {
  const AVCodecContext *encoder = sound->encoder;
  sound->decoded = av_frame_alloc();
  sound->resampled = av_frame_alloc();
  sound->frame = av_frame_alloc();
  sound->packet = av_packet_alloc();
  sound->resampler = swr_alloc();
  sound->waiting = av_audio_fifo_alloc(
    encoder->sample_fmt, encoder->ch_layout.nb_channels, encoder->frame_size);
  if (!sound->decoded || !sound->resampled || !sound->frame || !sound->packet ||
      !sound->resampler || !sound->waiting)
    return AVERROR(ENOMEM);
  // Channels that are mixed do not become louder than the loudest sample.
  return av_opt_set_double(sound->resampler, "rematrix_maxval", 1, 0);
}

// Sets the part of the sound that belongs to the film.
static int set_part(struct phbatch_film_sound *sound, const phbatch_film *source) {
  const AVRational unit = source->stream->time_base;
  if (source->first == INT64_MIN) return 0;
  sound->origin = converted(sound, source->first, unit);
  if (sound->origin == INT64_MIN) return AVERROR(ERANGE);
  const int64_t end = source->end == INT64_MAX ? INT64_MIN : converted(sound, source->end, unit);
  if (end != INT64_MIN) sound->end = end - sound->origin;
  return 0;
}

int phbatch_film_open_sound(
  struct phbatch_film_sound **opened, const phbatch_film *source, const AVStream *track,
  const AVOutputFormat *container) {
  struct phbatch_film_sound *sound = *opened = av_mallocz(sizeof *sound);
  if (!sound) return AVERROR(ENOMEM);
  sound->unit = track->time_base;
  sound->position = INT64_MIN;
  sound->end = INT64_MAX;
  int code = phbatch_film_open_sound_decoder(sound, track);
  if (code >= 0) code = phbatch_film_open_sound_encoder(sound, container);
  if (code >= 0) code = allocate(sound);
  if (code >= 0) code = set_part(sound, source);
  if (code >= 0) {
    sound->silence = samples(sound, 1000 * most_silence);
    return 0;
  }
  phbatch_film_free_sound(sound);
  *opened = NULL;
  return code;
}

void phbatch_film_read_sound(
  const phbatch_film_writer *writer, struct phbatch_film_sound_change *change) {
  *change = (struct phbatch_film_sound_change){0};
  for (unsigned i = 0; i < writer->place_count; i++) {
    const struct phbatch_film_sound *sound = writer->sounds[i];
    if (!sound) continue;
    char *from = change->from;
    const size_t used = strlen(from);
    if (!strstr(from, sound->old))
      snprintf(from + used, sizeof change->from - used, "%s%s", used ? ", " : "", sound->old);
    snprintf(change->to, sizeof change->to, "%s", sound->new);
    change->is_mixed |= sound->is_mixed;
    change->damaged += sound->damaged;
  }
}
