// Sound that is decoded and re-encoded, because the container of the new film cannot store it: its
// packets, and the positions of their samples.
//
// The samples keep their times: a gap between the source's time stamps becomes silence, samples
// that overlap are dropped, and sound whose clock drifts is stretched. A single time stamp that the
// next one contradicts is ignored.

#include "sound.h"

#include <libavutil/opt.h>
#include <stdio.h>

// Differences between a time stamp and the number of samples before it, in milliseconds. Containers
// round time stamps, Matroska to 1 ms. A larger difference is a drift, which is stretched away, or
// from half of a frame on, within limits, a gap.
enum { rounding = 2, shortest_gap = 5, longest_gap = 15 };

// The most milliseconds of silence that all gaps of a track get if the duration of the film is
// unknown.
enum { most_silence = 3600 * 1000 };

// The rates of sound in the source that are converted.
enum { lowest_rate = 1000, highest_rate = 768000 };

static int64_t samples(const struct phbatch_film_sound *sound, int64_t milliseconds) {
  return av_rescale(milliseconds, sound->encoder->sample_rate, 1000);
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

// The duration of a frame of the source in samples of the encoder.
static int64_t length_of(const struct phbatch_film_sound *sound, const AVFrame *frame) {
  return av_rescale(frame->nb_samples, sound->encoder->sample_rate, frame->sample_rate);
}

// The difference from which on the time stamp of a frame is a jump.
static int64_t gap_at(const struct phbatch_film_sound *sound, const AVFrame *frame) {
  const int64_t least = samples(sound, shortest_gap), most = samples(sound, longest_gap);
  return av_clip64(length_of(sound, frame) / 2, least, most);
}

// The position after all frames until now; INT64_MIN before the first one.
static int64_t next_position(const struct phbatch_film_sound *sound) {
  if (sound->position == INT64_MIN || !swr_is_initialized(sound->resampler)) return sound->position;
  return sound->position + swr_get_delay(sound->resampler, sound->encoder->sample_rate);
}

// Moves the position to that of a frame; INT64_MIN is that after all frames until now.
static int follow_clock(
  phbatch_film_writer *writer, struct phbatch_film_sound *sound, const AVFrame *frame,
  int64_t wanted) {
  const int64_t next = next_position(sound);
  if (wanted == INT64_MIN || next == INT64_MIN) {
    if (next == INT64_MIN) sound->position = wanted == INT64_MIN ? 0 : wanted;
    return 0;
  }
  const int64_t late = wanted - next;
  const int is_jump = FFABS(late) >= gap_at(sound, frame);
  if (is_jump && late > sound->silence && phbatch_film_has_samples(sound)) {
    sound->damaged++;
    return 0;
  }
  if (is_jump || !swr_is_initialized(sound->resampler)) {
    const int code = phbatch_film_drain_samples(writer, sound);
    sound->position = wanted;
    return code;
  }
  if (FFABS(late) <= samples(sound, rounding)) return 0;
  return swr_set_compensation(sound->resampler, (int)late, sound->encoder->sample_rate);
}

// Resamples and stores a frame at a position; returns 1 if that is not possible.
static int place(
  phbatch_film_writer *writer, struct phbatch_film_sound *sound, const AVFrame *frame,
  int64_t position) {
  const int code = follow_clock(writer, sound, frame, position);
  return code < 0 ? code : phbatch_film_add_samples(writer, sound, frame);
}

// Places the frame whose time stamp is a jump, if there is one. The time stamp is wrong if the next
// one, `following`, lies before the end of the frame, or follows without the jump; INT64_MIN is no
// time stamp.
static int place_held(
  phbatch_film_writer *writer, struct phbatch_film_sound *sound, int64_t following) {
  AVFrame *frame = sound->held;
  if (frame->nb_samples == 0) return 0;
  const int64_t length = length_of(sound, frame), gap = gap_at(sound, frame);
  const int64_t next = next_position(sound);
  int64_t position = position_of(sound, frame->pts);
  if (following != INT64_MIN) {
    const int is_early = following <= position + length - gap;
    if (next == INT64_MIN) position = is_early ? following - length : position;
    else if (is_early || FFABS(following - next - length) < gap) position = INT64_MIN;
  }
  const int code = place(writer, sound, frame, position);
  av_frame_unref(frame);
  return code;
}

// Names the channels of a frame; returns 0 if their layout is not converted.
static int name_channels(AVFrame *frame) {
#if FF_API_OLD_CHANNEL_LAYOUT
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  // The resamplers of FFmpeg 5 and 6 would prefer the old field to the new one.
  frame->channel_layout = 0;
#pragma GCC diagnostic pop
#endif
  return phbatch_film_name_channels(&frame->ch_layout);
}

// Converts the decoded frame, or holds it until the next one if its time stamp is a jump; returns 1
// if a frame is of a kind that is not converted.
static int convert(phbatch_film_writer *writer, struct phbatch_film_sound *sound) {
  AVFrame *frame = sound->decoded;
  if (frame->sample_rate < lowest_rate || frame->sample_rate > highest_rate ||
      !name_channels(frame))
    return 1;
  const int64_t position = position_of(sound, frame->pts);
  const int held = place_held(writer, sound, position);
  if (held < 0) return held;
  const int64_t next = next_position(sound);
  if (position != INT64_MIN &&
      (next == INT64_MIN || FFABS(position - next) >= gap_at(sound, frame))) {
    av_frame_move_ref(sound->held, frame);
    return held;
  }
  const int code = place(writer, sound, frame, position);
  return code < 0 ? code : FFMAX(code, held);
}

// Decodes a packet, or with NULL what the decoder still has; damaged packets are counted.
static int decode(
  phbatch_film_writer *writer, struct phbatch_film_sound *sound, const AVPacket *packet) {
  const int sent = avcodec_send_packet(sound->decoder, packet);
  int read, is_damaged = 0;
  while ((read = avcodec_receive_frame(sound->decoder, sound->decoded)) >= 0) {
    const int code = convert(writer, sound);
    if (code < 0) return code;
    is_damaged |= code;
  }
  if (sent == AVERROR(ENOMEM) || read == AVERROR(ENOMEM)) return AVERROR(ENOMEM);
  is_damaged |= sent < 0 || (read != AVERROR(EAGAIN) && read != AVERROR_EOF);
  sound->damaged += is_damaged;
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
  if (code >= 0) code = place_held(writer, sound, INT64_MIN);
  if (code > 0) sound->damaged++;
  if (code >= 0) code = phbatch_film_end_samples(writer, sound);
  if (code < 0) return code;
  return sound->frames == 0 && !sound->is_decoded && sound->damaged;
}

void phbatch_film_free_sound(struct phbatch_film_sound *sound) {
  if (!sound) return;
  avcodec_free_context(&sound->decoder);
  avcodec_free_context(&sound->encoder);
  swr_free(&sound->resampler);
  av_audio_fifo_free(sound->waiting);
  av_frame_free(&sound->decoded);
  av_frame_free(&sound->held);
  av_frame_free(&sound->resampled);
  av_frame_free(&sound->frame);
  av_packet_free(&sound->packet);
  av_free(sound);
}

// Allocates what converts the samples between the open decoder and the open encoder.
static int allocate(struct phbatch_film_sound *sound) {
  const AVCodecContext *encoder = sound->encoder;
  sound->decoded = av_frame_alloc();
  sound->held = av_frame_alloc();
  sound->resampled = av_frame_alloc();
  sound->frame = av_frame_alloc();
  sound->packet = av_packet_alloc();
  sound->resampler = swr_alloc();
  sound->waiting = av_audio_fifo_alloc(
    encoder->sample_fmt, encoder->ch_layout.nb_channels, encoder->frame_size);
  if (!sound->decoded || !sound->held || !sound->resampled || !sound->frame ||
      !sound->packet || !sound->resampler || !sound->waiting)
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
    const int64_t duration = source->facts.microseconds / 1000;
    sound->silence = samples(sound, duration > 0 ? duration : most_silence);
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
    snprintf(change->codec, sizeof change->codec, "%s", sound->codec);
    change->is_mixed |= sound->is_mixed;
    change->damaged += sound->damaged;
  }
}
