// Sums of samples along lines, for motion and zoom blur.

/// `ph_slide_lanes` has the index of each column of a vector. `ph_slide_masks` has masks: the
/// PH_LANES words from index PH_LANES − n on select the first n columns.
static const float ph_slide_lanes[PH_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
static const uint32_t ph_slide_masks[2 * PH_LANES] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};

/// Returns `number` if all bits of the mask are set, and 0 if no bit is set.
PH_INLINE float ph_masked(float number, uint32_t mask) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  bits &= mask;
  memcpy(&number, &bits, sizeof bits);
  return number;
}

/// Adds the samples in whole vectors, with a mask for the last one, so that short runs need no loop
/// over single pixels.
PH_INLINE void ph_slide_bands(const PhSlide *slide, float (*restrict sums)[PH_ROOM], int start,
                              int count, int bands) {
  float down = slide->down;
  for (int j = 0; j < count; j += PH_LANES) {
    int rest = count - j;
    const uint32_t *mask = ph_slide_masks + (rest < PH_LANES ? PH_LANES - rest : 0);
    float first = (float)(slide->column + j);
    float across[PH_LANES];
    for (int i = 0; i < PH_LANES; i++)
      across[i] = slide->slope * (first + ph_slide_lanes[i] + slide->centre) - slide->whole;
    for (int band = 0; band < bands; band++) {
      const float *upper = slide->corner[band] + j;
      const float *lower = upper + slide->pitch;
      float *sum = sums[band] + start + j;
      for (int i = 0; i < PH_LANES; i++) {
        float left = upper[i] + down * (lower[i] - upper[i]);
        float right = upper[i + 1] + down * (lower[i + 1] - upper[i + 1]);
        sum[i] += ph_masked(left + across[i] * (right - left), mask[i]);
      }
    }
  }
}

static void ph_slide3(const PhSlide *slide, float (*restrict sums)[PH_ROOM], int start,
                      int count) {
  ph_slide_bands(slide, sums, start, count, 3);
}

static void ph_slide4(const PhSlide *slide, float (*restrict sums)[PH_ROOM], int start,
                      int count) {
  ph_slide_bands(slide, sums, start, count, 4);
}
