// The loops over rows of pixels in the conversions between Y'CbCr and RGB.
//
// Interpolated chroma is exact: integers in quarters of a sample between two rows, and in
// sixteenths between two columns.

#ifndef PHBATCH_PLANES_LOOPS_H
#define PHBATCH_PLANES_LOOPS_H

#include <stdint.h>

// The factors by which Y'CbCr samples become RGB samples. Those of chroma are for sixteenths.
struct phbatch_to_rgb {
  float luma_offset, luma_scale;
  float red_to_red, blue_to_green, red_to_green, blue_to_blue;
  float red_offset, green_offset, blue_offset;
};

// The factors by which RGB samples of 0…1 become Y'CbCr samples, whose maximum is `top`.
struct phbatch_from_rgb {
  float kr, kg, kb;
  float luma_scale, luma_offset;
  float blue_scale, red_scale, chroma_offset;
  float top;
};

// The loops for samples of one size, bytes or 16-bit integers, to which the untyped pointers point.
// Sums of chroma are integers of twice this size. `scratch` is memory for one row of RGB, and for
// three halves of a row of floats.
struct phbatch_sample_loops {
  // Adds three times a row of chroma to another row.
  void (*mix)(const void *near, const void *far, int count, void *quarters);
  // Interpolates a row of chroma to all columns; writes to the elements beside the row, too.
  void (*widen)(
    void *quarters, int count, int halves, int is_centred, int width, void *sixteenths);
  // Writes a row of RGB.
  void (*to_rgb)(
    const struct phbatch_to_rgb *factors, const void *luma, const void *blue, const void *red,
    int width, void *scratch, void *rgb);
  // Writes the luma of a row of RGB, and its channels to `sums`, or adds them to `sums`.
  void (*to_luma)(
    const struct phbatch_from_rgb *factors, const void *rgb, int width, int adds,
    float *const sums[3], void *scratch, void *luma);
  // Writes a row of both chromas, from the sums of two rows of RGB; writes to the elements beside
  // the sums, too.
  void (*to_chroma)(
    const struct phbatch_from_rgb *factors, float *const sums[3], int width, int is_centred,
    float *scratch, void *blue, void *red);
};

struct phbatch_planes_loops {
  struct phbatch_sample_loops bytes, deep;
};

extern const struct phbatch_planes_loops phbatch_planes_portable;
#if defined(__x86_64__)
extern const struct phbatch_planes_loops phbatch_planes_v3;
extern const struct phbatch_planes_loops phbatch_planes_v4;
#endif

#endif
