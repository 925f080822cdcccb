// The facts that a film's container and its first frame state.

#include "film.h"

#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <string.h>

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

int phbatch_film_read_pixels(enum AVPixelFormat pixels, struct phbatch_planes *planes) {
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

int phbatch_film_read_coding(phbatch_film *film, char *error) {
  const AVFrame *frame = film->frame;
  if (film->has_alpha) {
    snprintf(error, phbatch_film_text, "its frames have an alpha channel, which is not read");
    return -1;
  }
  struct phbatch_planes planes = {0};
  if (!phbatch_film_read_pixels(frame->format, &planes)) {
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

void phbatch_film_read_header(phbatch_film *film) {
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
