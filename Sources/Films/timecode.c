// The timecode with which a part of a film begins.

#include "film.h"

#include <libavutil/timecode.h>
#include <math.h>

// The frames per second that a film's timecode counts: those of its track, or of the picture.
static AVRational rate_of(const phbatch_film *film) {
  for (unsigned i = 0; i < film->format->nb_streams; i++) {
    const AVStream *stream = film->format->streams[i];
    const int is_timecode = stream->codecpar->codec_tag == MKTAG('t', 'm', 'c', 'd');
    if (is_timecode && stream->avg_frame_rate.num > 0) return stream->avg_frame_rate;
  }
  return film->stream->avg_frame_rate;
}

const char *phbatch_film_timecode(const phbatch_film *film, const char *start, char *text) {
  AVTimecode timecode;
  const AVRational rate = rate_of(film);
  if (film->first == INT64_MIN || av_timecode_init_from_string(&timecode, rate, start, NULL) < 0)
    return start;
  const int64_t skipped = film->first - phbatch_film_stamp(film, 0);
  // Containers round times, at most to milliseconds.
  const double margin = 0.1;
  const double seconds = (double)skipped * av_q2d(film->stream->time_base);
  const double frames = floor(seconds * av_q2d(rate) + margin);
  if (!(frames < INT32_MAX - timecode.start)) return start;
  timecode.flags |= AV_TIMECODE_FLAG_24HOURSMAX;
  return av_timecode_make_string(&timecode, text, (int)frames);
}
