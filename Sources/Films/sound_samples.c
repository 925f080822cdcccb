// Samples of sound that is re-encoded: they are resampled, stored at their positions, and encoded.

#include "sound.h"

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

int phbatch_film_has_samples(const struct phbatch_film_sound *sound) {
  return sound->frames > 0 || av_audio_fifo_size(sound->waiting) > 0;
}

// Adds the resampled frame at its position, after silence if there is a gap: without samples that
// overlap others, or that are outside the part of the film. A frame without other samples is
// damage, unless it lies before the start.
static int store(phbatch_film_writer *writer, struct phbatch_film_sound *sound) {
  AVFrame *frame = sound->resampled;
  const int64_t first = sound->position, end = FFMIN(first + frame->nb_samples, sound->end);
  sound->position += frame->nb_samples;
  if (first >= end) return 0;
  if (!phbatch_film_has_samples(sound)) sound->written = FFMAX(first, 0);
  else if (sound->written >= end) sound->damaged++;
  if (sound->written >= end) return 0;
  if (first > sound->written) {
    sound->silence -= first - sound->written;
    const int code = append_silence(writer, sound, first - sound->written);
    if (code < 0) return code;
  }
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

int phbatch_film_drain_samples(
  phbatch_film_writer *writer, struct phbatch_film_sound *sound) {
  int code = 0;
  while (code >= 0 && swr_is_initialized(sound->resampler)) {
    code = resample(sound, NULL);
    if (code >= 0 && sound->resampled->nb_samples == 0) swr_close(sound->resampler);
    else if (code >= 0) code = store(writer, sound);
  }
  return code;
}

int phbatch_film_add_samples(
  phbatch_film_writer *writer, struct phbatch_film_sound *sound, const AVFrame *frame) {
  int code = resample(sound, frame);
  if (code == AVERROR_INPUT_CHANGED) {
    if ((code = phbatch_film_drain_samples(writer, sound)) < 0) return code;
    code = resample(sound, frame);
  }
  if (code == AVERROR(ENOMEM)) return code;
  if (code < 0) {
    swr_close(sound->resampler);
    return 1;
  }
  sound->is_decoded = 1;
  return store(writer, sound);
}

int phbatch_film_end_samples(phbatch_film_writer *writer, struct phbatch_film_sound *sound) {
  int code = phbatch_film_drain_samples(writer, sound);
  if (code >= 0) code = encode(writer, sound, 1);
  if (code < 0 || sound->frames == 0) return code;
  code = avcodec_send_frame(sound->encoder, NULL);
  return code < 0 ? code : write_packets(writer, sound);
}
