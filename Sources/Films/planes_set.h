// The loops of one instruction set. Each set includes this file once, with LOOPS as the name of its
// table. FP_CONTRACT must be off where this file is included: if only some CPUs fused
// multiply-adds, their results would differ in the last bits.

#include "planes_loops.h"

// Reduces a row of sums to half of its columns; writes to the elements beside the row, too.
static void phbatch_halve(float *sums, int width, int is_centred, float *halved) {
  sums[-1] = sums[0];
  sums[width] = sums[width - 1];
  const float *restrict sum = sums;
  float *restrict values = halved;
  const int columns = (width + 1) / 2;
  if (is_centred) {
    for (int i = 0; i < columns; i++) values[i] = 0.25f * (sum[2 * i] + sum[2 * i + 1]);
  } else {
    for (int i = 0; i < columns; i++)
      values[i] = 0.125f * (sum[2 * i - 1] + 2 * sum[2 * i] + sum[2 * i + 1]);
  }
}

#define LOOP(name) name##_bytes
#define SAMPLE uint8_t
#define SUM uint16_t
#include "planes_body.h"

#define LOOP(name) name##_deep
#define SAMPLE uint16_t
#define SUM uint32_t
#include "planes_body.h"

const struct phbatch_planes_loops LOOPS = {
  .bytes = {mix_bytes, widen_bytes, to_rgb_bytes, to_luma_bytes, to_chroma_bytes},
  .deep = {mix_deep, widen_deep, to_rgb_deep, to_luma_deep, to_chroma_deep}};
