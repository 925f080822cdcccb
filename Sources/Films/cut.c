// Parts of films: moving in a film, and the packets with which a part begins.

#include "film.h"

// Moves to a time stamp; returns 0 if the film has no index.
static int move(phbatch_film *film, int64_t time) {
  if (av_seek_frame(film->format, film->stream->index, time, AVSEEK_FLAG_BACKWARD) < 0) return 0;
  avcodec_flush_buffers(film->decoder);
  film->is_drained = film->is_begun = 0;
  film->last_time = INT64_MIN;
  return 1;
}

void phbatch_film_move(phbatch_film *film, int64_t wanted) {
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

// The time in seconds that a decoder needs before it returns the right samples of a track.
static double warm_up(const AVStream *stream) {
  const AVCodecParameters *facts = stream->codecpar;
  const double rate = facts->sample_rate > 0 ? facts->sample_rate : 48000;
  switch (facts->codec_id) {
    // RFC 7845, 4.6.
    case AV_CODEC_ID_OPUS: return 0.08;
    // A packet uses up to 511 bytes of those before it; at 32 kbit/s, these are eight packets.
    case AV_CODEC_ID_MP3: return 9 * (facts->frame_size > 0 ? facts->frame_size : 1152) / rate;
    // A packet is added to half of the packet before it.
    case AV_CODEC_ID_AAC: return (facts->frame_size > 0 ? facts->frame_size : 1024) / rate;
    default: return 0;
  }
}

// The longest time in seconds from the start of a packet of sound, with the time before it that its
// decoder needs, to the end of the packet.
static const double longest_lead = 1;

// Finds, for each track with sound, the time stamp of the packet with which it must begin so that
// its sound is complete from a time stamp of the picture on.
static int find_leads(phbatch_film *film, int64_t first) {
  enum { most_packets = 4096, open = 1, complete = 2 };
  const unsigned count = film->format->nb_streams;
  const AVRational unit = film->stream->time_base;
  film->leads = av_malloc_array(count, sizeof *film->leads);
  char *states = av_calloc(count, 1);
  if (!film->leads || !states) {
    av_free(states);
    return AVERROR(ENOMEM);
  }
  unsigned waiting = 0;
  for (unsigned i = 0; i < count; i++) {
    film->leads[i] = INT64_MAX;
    if (film->format->streams[i]->codecpar->codec_type != AVMEDIA_TYPE_AUDIO) continue;
    states[i] = open;
    waiting++;
  }
  AVPacket *packet = film->packet;
  for (int i = 0; waiting && i < most_packets; i++) {
    if (av_read_frame(film->format, packet) < 0) break;
    const int number = packet->stream_index;
    // A container can announce a track after its header.
    if ((unsigned)number < count && states[number] == open && packet->pts != AV_NOPTS_VALUE) {
      const AVStream *stream = film->format->streams[number];
      const int64_t wanted = av_rescale_q(first, unit, stream->time_base) -
        (int64_t)(warm_up(stream) / av_q2d(stream->time_base));
      // Containers round times to milliseconds.
      const int64_t margin = (int64_t)(0.002 / av_q2d(stream->time_base));
      const int has_duration = packet->duration > 0;
      const int64_t ends = packet->pts + (has_duration ? packet->duration + margin : 0);
      // A packet that ends earlier is not needed, as before a gap; without a stated duration, it may
      // last until the next one.
      const int is_early = ends <= wanted;
      if (is_early) {
        if (!has_duration) film->leads[number] = packet->pts;
      } else {
        if (film->leads[number] == INT64_MAX) film->leads[number] = packet->pts;
        states[number] = complete;
        waiting--;
      }
    }
    av_packet_unref(packet);
  }
  av_free(states);
  film->lead_count = count;
  return 0;
}

int phbatch_film_cut(phbatch_film *film, int64_t first, int64_t end, char *error) {
  phbatch_film_move(film, first);
  int64_t time = 0;
  int found;
  do found = phbatch_film_decode(film, &time, error);
  while (found > 0 && time < first);
  if (found <= 0 || time >= end) return found < 0 ? found : 0;
  // Packets of sound can lie before the key frame of their time in the file.
  const int64_t start = time - (int64_t)(longest_lead / av_q2d(film->stream->time_base));
  phbatch_film_move(film, start);
  const int code = find_leads(film, time);
  if (code < 0) {
    phbatch_film_failure(error, "a track cannot be read", code);
    return -1;
  }
  phbatch_film_move(film, start);
  film->first = time;
  film->end = end;
  return 1;
}
