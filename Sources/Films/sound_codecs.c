// The decoders and encoders of sound that is re-encoded.

#include "sound.h"

#include <string.h>

// The only decoders of sound that are used, besides those of PCM.
static const char *const decoders[] = {
  "aac", "mp3float", "mp3", "ac3", "eac3", "alac", "flac", "opus", "vorbis", "amrnb", "amrwb"};

// An encoder, the name of its codec, its format of samples, its bits per second and channel, and
// its sample rates; a list ends with 0.
struct encoder {
  const char *encoder, *name;
  enum AVSampleFormat format;
  int bits;
  const int *rates;
};

static const int opus_rates[] = {48000, 0};
static const int vorbis_rates[] = {48000, 44100, 32000, 22050, 16000, 11025, 8000, 0};
static const int aac_rates[] = {
  48000, 96000, 88200, 64000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 0};

static const struct encoder opus = {"libopus", "Opus", AV_SAMPLE_FMT_FLT, 64000, opus_rates};
static const struct encoder vorbis = {
  "libvorbis", "Vorbis", AV_SAMPLE_FMT_FLTP, 64000, vorbis_rates};
static const struct encoder aac = {"aac", "AAC", AV_SAMPLE_FMT_FLTP, 96000, aac_rates};

static const struct encoder *encoder_for(const AVOutputFormat *container) {
  if (strcmp(container->name, "webm") != 0) return &aac;
  return avcodec_find_encoder_by_name(opus.encoder) ? &opus : &vorbis;
}

static int is_used(const AVCodec *decoder) {
  if (strncmp(decoder->name, "pcm_", 4) == 0) return 1;
  for (size_t i = 0; i < sizeof decoders / sizeof decoders[0]; i++)
    if (strcmp(decoders[i], decoder->name) == 0) return 1;
  return 0;
}

int phbatch_film_open_sound_decoder(struct phbatch_film_sound *sound, const AVStream *track) {
  // The most samples of all channels in a frame: those of 5 s with eight channels at 96 kHz.
  // Containers can have long packets of PCM.
  enum { most_samples = 1 << 22 };
  const AVCodec *codec = avcodec_find_decoder(track->codecpar->codec_id);
  if (!codec || !is_used(codec)) return AVERROR_DECODER_NOT_FOUND;
  AVCodecContext *decoder = sound->decoder = avcodec_alloc_context3(codec);
  if (!decoder) return AVERROR(ENOMEM);
  const int code = avcodec_parameters_to_context(decoder, track->codecpar);
  if (code < 0) return code;
  decoder->pkt_timebase = track->time_base;
  decoder->max_samples = most_samples;
  // The decoder reports a damaged packet as an error, and does not conceal the damage.
  decoder->err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK;
  return avcodec_open2(decoder, codec, NULL);
}

// True if the resampler can mix a layout down to stereo: it refuses layouts without a front channel,
// and those with one channel of a pair.
static int can_be_mixed(AVChannelLayout *layout) {
  AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO;
  if (layout->order != AV_CHANNEL_ORDER_NATIVE) return 0;
  if (layout->u.mask == AV_CH_LAYOUT_MONO || layout->u.mask == AV_CH_LAYOUT_STEREO) return 1;
  SwrContext *trial = NULL;
  const enum AVSampleFormat format = AV_SAMPLE_FMT_FLTP;
  int code = swr_alloc_set_opts2(&trial, &stereo, format, 48000, layout, format, 48000, 0, NULL);
  if (code >= 0) code = swr_init(trial);
  swr_free(&trial);
  return code >= 0;
}

int phbatch_film_name_channels(AVChannelLayout *layout) {
  if (can_be_mixed(layout)) return 1;
  const int count = layout->nb_channels;
  av_channel_layout_uninit(layout);
  if (count > 0) av_channel_layout_default(layout, count);
  return can_be_mixed(layout);
}

// The rate of a list for sound of another rate: the same, or the first one.
static int rate_for(const int *rates, int rate) {
  for (int i = 0; rates[i]; i++)
    if (rates[i] == rate) return rate;
  return rates[0];
}

static int open_with(
  struct phbatch_film_sound *sound, const struct encoder *facts, const AVChannelLayout *layout) {
  const AVCodec *codec = avcodec_find_encoder_by_name(facts->encoder);
  if (!codec) return AVERROR_ENCODER_NOT_FOUND;
  avcodec_free_context(&sound->encoder);
  AVCodecContext *encoder = sound->encoder = avcodec_alloc_context3(codec);
  if (!encoder) return AVERROR(ENOMEM);
  const int code = av_channel_layout_copy(&encoder->ch_layout, layout);
  if (code < 0) return code;
  encoder->sample_fmt = facts->format;
  encoder->sample_rate = rate_for(facts->rates, sound->decoder->sample_rate);
  encoder->time_base = (AVRational){1, encoder->sample_rate};
  encoder->bit_rate = (int64_t)facts->bits * layout->nb_channels;
  // Without the first flag, the muxer of MP4 gets no header of AAC; without the second one, the
  // encoder writes the version of its library.
  encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT;
  return avcodec_open2(encoder, codec, NULL);
}

// A layout whose channels at the sides are those at the back, if there are none at the back: the
// encoders know surround sound only in this form.
static AVChannelLayout with_back_channels(const AVChannelLayout *layout) {
  const uint64_t sides = AV_CH_SIDE_LEFT | AV_CH_SIDE_RIGHT;
  const uint64_t back = AV_CH_BACK_LEFT | AV_CH_BACK_RIGHT;
  AVChannelLayout named = *layout;
  if ((named.u.mask & sides) == sides && !(named.u.mask & (back | AV_CH_BACK_CENTER)))
    named.u.mask ^= sides | back;
  return named;
}

// The layout that an encoder gets for a layout. libavcodec 5.1 passes five and seven channels to libopus
// in a wrong order, so that these get a channel more: a silent one, or a second one at the back.
static AVChannelLayout encoded_as(const struct encoder *facts, const AVChannelLayout *layout) {
  const AVChannelLayout six = AV_CHANNEL_LAYOUT_5POINT1_BACK;
  const AVChannelLayout eight = AV_CHANNEL_LAYOUT_7POINT1;
  if (facts == &opus && layout->nb_channels == 5) return six;
  if (facts == &opus && layout->nb_channels == 7) return eight;
  return with_back_channels(layout);
}

int phbatch_film_open_sound_encoder(
  struct phbatch_film_sound *sound, const AVOutputFormat *container) {
  const struct encoder *facts = encoder_for(container);
  const AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO;
  AVChannelLayout source = {0};
  int code = av_channel_layout_copy(&source, &sound->decoder->ch_layout);
  if (code < 0) return code;
  // Sound whose header does not state its channels is stereo.
  if (source.nb_channels == 0) source = stereo;
  if (!phbatch_film_name_channels(&source)) {
    av_channel_layout_uninit(&source);
    return AVERROR(EINVAL);
  }
  const AVChannelLayout layouts[] = {encoded_as(facts, &source), source, stereo};
  enum { count = sizeof layouts / sizeof layouts[0] };
  code = AVERROR(EINVAL);
  for (int i = 0; i < count && code < 0 && code != AVERROR(ENOMEM); i++)
    code = open_with(sound, facts, &layouts[i]);
  if (code < 0) return code;
  sound->codec = facts->name;
  sound->is_mixed = sound->encoder->ch_layout.nb_channels < source.nb_channels;
  return 0;
}
