#pragma once
#include <brotli/decode.h>

enum {
  cbrotli_truncated = -1,
  cbrotli_damaged = -2,
  cbrotli_full = -3,
  cbrotli_no_memory = -4,
};

// Expands a Brotli stream (RFC 7932) into a buffer. Returns the number of bytes written, or one of
// the error codes that are defined above.
static inline long cbrotli_expand(
    const unsigned char *source, size_t size, unsigned char *target, size_t capacity) {
  BrotliDecoderState *state = BrotliDecoderCreateInstance(0, 0, 0);
  if (!state) return cbrotli_no_memory;
  size_t left = capacity;
  BrotliDecoderResult result =
      BrotliDecoderDecompressStream(state, &size, &source, &left, &target, 0);
  BrotliDecoderDestroyInstance(state);
  switch (result) {
    case BROTLI_DECODER_RESULT_SUCCESS: return (long)(capacity - left);
    case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: return cbrotli_truncated;
    case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: return cbrotli_full;
    default: return cbrotli_damaged;
  }
}
