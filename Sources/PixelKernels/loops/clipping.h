// Counts the pixels that are clipped when their samples are converted to integers.

/// True if a colour is NaN, or outside 0…1 by more than half an 8-bit step.
PH_INLINE int ph_is_outside(float colour) {
  return !(colour >= -0.5f / 255.0f) | !(colour <= 255.5f / 255.0f);
}

static int ph_clipped_pixels(const PhBlock *block) {
  int clipped = 0;
  for (int i = 0; i < block->count; i++)
    clipped += ph_is_outside(block->plane[0][i]) | ph_is_outside(block->plane[1][i]) |
               ph_is_outside(block->plane[2][i]);
  return clipped;
}

#define PH_CLIPPED_RUN(bands, colours)                              \
  static int ph_clipped_run##bands(const float *from, int pixels) { \
    int clipped = 0;                                                \
    for (int i = 0; i < pixels; i++) {                              \
      int outside = 0;                                              \
      for (int band = 0; band < colours; band++)                    \
        outside |= ph_is_outside(from[bands * i + band]);           \
      clipped += outside;                                           \
    }                                                               \
    return clipped;                                                 \
  }

PH_CLIPPED_RUN(1, 1)
PH_CLIPPED_RUN(2, 1)
PH_CLIPPED_RUN(3, 3)
PH_CLIPPED_RUN(4, 3)
#undef PH_CLIPPED_RUN
