#include "jp2k/jp2k_stream.h"

#include <string.h>

static OPJ_SIZE_T read_bytes(void *to, OPJ_SIZE_T count, void *user) {
  PhJp2kStream *from = user;
  size_t rest = from->length - from->position;
  if (rest == 0) return (OPJ_SIZE_T)-1;
  size_t read = MIN(count, rest);
  memcpy(to, from->bytes + from->position, read);
  from->position += read;
  return read;
}

/// Moves forward, at most to the end of the file. Returns the number of skipped bytes; −1 if none
/// are left.
static OPJ_OFF_T skip_bytes(OPJ_OFF_T count, void *user) {
  PhJp2kStream *from = user;
  size_t rest = from->length - from->position;
  if (count < 0 || rest == 0) return -1;
  size_t skipped = MIN((size_t)count, rest);
  from->position += skipped;
  return (OPJ_OFF_T)skipped;
}

static OPJ_BOOL seek_to(OPJ_OFF_T position, void *user) {
  PhJp2kStream *from = user;
  if (position < 0 || (size_t)position > from->length) return OPJ_FALSE;
  from->position = (size_t)position;
  return OPJ_TRUE;
}

opj_stream_t *ph_jp2k_stream_open(PhJp2kStream *from) {
  opj_stream_t *stream = opj_stream_default_create(OPJ_TRUE);
  if (!stream) return NULL;
  opj_stream_set_user_data(stream, from, NULL);
  opj_stream_set_user_data_length(stream, from->length);
  opj_stream_set_read_function(stream, read_bytes);
  opj_stream_set_skip_function(stream, skip_bytes);
  opj_stream_set_seek_function(stream, seek_to);
  return stream;
}

OPJ_CODEC_FORMAT ph_jp2k_stream_codec(const PhJp2kStream *from) {
  static const guint8 signature[] = {0, 0, 0, 12, 'j', 'P', ' ', ' '};
  gboolean has_boxes = from->length >= sizeof signature &&
                       memcmp(from->bytes, signature, sizeof signature) == 0;
  return has_boxes ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K;
}
