// Sound that a container cannot store, and that is re-encoded.

#ifndef PHBATCH_SOUND_H
#define PHBATCH_SOUND_H

#include "film.h"

#include <libavutil/audio_fifo.h>
#include <libswresample/swresample.h>

// The conversion of one track. Positions count samples of the encoder from time 0 of the new film.
struct phbatch_film_sound {
  AVCodecContext *decoder, *encoder;
  SwrContext *resampler;
  // The samples that wait for the encoder, in its format.
  AVAudioFifo *waiting;
  // The last decoded frame; the frame before it if its time stamp is a jump; a frame in the
  // encoder's format; and the frame for the encoder.
  AVFrame *decoded, *held, *resampled, *frame;
  AVPacket *packet;
  // The unit of the source's time stamps, and the time stamp of time 0 of the new film.
  AVRational unit;
  int64_t origin;
  // The number of the track in the new film.
  int place;
  // The position of the next sample that the resampler returns; INT64_MIN before the first one.
  int64_t position;
  // The position after the last waiting sample, and that of the end of the sound.
  int64_t written, end;
  // The number of samples of silence that gaps can still get.
  int64_t silence;
  // The number of packets that could not be decoded or placed, and of frames that the encoder has
  // got.
  int64_t damaged, frames;
  // The name of the encoder's codec in messages.
  const char *codec;
  // 1 if the encoder has fewer channels than the source.
  int is_mixed;
  // 1 if a frame has been decoded and resampled.
  int is_decoded;
};

// Resamples a decoded frame, and stores its samples at the sound's position; returns 1 if that is not
// possible.
int phbatch_film_add_samples(
  phbatch_film_writer *writer, struct phbatch_film_sound *sound, const AVFrame *frame);

// True if samples have been stored.
int phbatch_film_has_samples(const struct phbatch_film_sound *sound);

// Stores the samples that the resampler still has, and resets it.
int phbatch_film_drain_samples(phbatch_film_writer *writer, struct phbatch_film_sound *sound);

// Encodes all samples that wait, and writes the last packets.
int phbatch_film_end_samples(phbatch_film_writer *writer, struct phbatch_film_sound *sound);

// Opens the decoder of a track; an error if it has no decoder that is used.
int phbatch_film_open_sound_decoder(struct phbatch_film_sound *sound, const AVStream *track);

// Opens an encoder for the decoder's sound in a container.
int phbatch_film_open_sound_encoder(
  struct phbatch_film_sound *sound, const AVOutputFormat *container);

// Replaces a layout that cannot be mixed down to stereo, because its places are unknown or unusual,
// by the usual one for the number of its channels; returns 0 if there is none.
int phbatch_film_name_channels(AVChannelLayout *layout);

#endif
