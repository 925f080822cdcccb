// The duration of films whose containers state none, such as recordings made by browsers.

#include "film.h"

// In seconds: a year.
static const double longest_film = 366.0 * 86400;

// Lists the packets of the picture. A context of its own reads them, so that the film stays at its
// start.
void phbatch_film_measure(phbatch_film *film, int ignores_edits) {
  struct phbatch_film list = {0};
  AVPacket *packet = av_packet_alloc();
  if (!packet || phbatch_film_open_container(&list, film->file.descriptor, ignores_edits) < 0)
    goto close;
  const AVStream *stream = film->stream;
  int64_t first = INT64_MAX, last = INT64_MIN, count = 0;
  int code;
  while ((code = av_read_frame(list.format, packet)) >= 0) {
    if (packet->stream_index == stream->index && packet->pts != AV_NOPTS_VALUE) {
      if (packet->pts < first) first = packet->pts;
      if (packet->pts > last) last = packet->pts;
      count++;
    }
    av_packet_unref(packet);
  }
  // The rest of a file that cannot be read has a duration, too.
  if (code != AVERROR_EOF || count == 0) goto close;
  const double span = ((double)last - (double)first) * av_q2d(stream->time_base);
  if (count > 1 && span > 0) film->facts.rate = (double)(count - 1) / span;
  // The last frame is shown as long as the others on average.
  const double seconds = span + (film->facts.rate > 0 ? 1 / film->facts.rate : 0);
  // Damaged time stamps give no duration.
  if (seconds > longest_film) goto close;
  film->facts.microseconds = (int64_t)(seconds * 1e6);
  film->facts.frames = count;
close:
  avformat_close_input(&list.format);
  phbatch_film_file_close(&list.file);
  av_packet_free(&packet);
}
