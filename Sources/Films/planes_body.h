// The loops for one size of samples. Each inclusion defines, before it, LOOP(name) as the name of a
// loop, SAMPLE as the type of a sample, and SUM as the type of its sixteenths.

static void LOOP(mix)(const void *near, const void *far, int count, void *quarters) {
  const SAMPLE *restrict upper = near, *restrict lower = far;
  SUM *restrict sums = quarters;
  for (int x = 0; x < count; x++) sums[x] = (SUM)(3 * (SUM)upper[x] + lower[x]);
}

static void LOOP(widen)(
  void *quarters, int count, int halves, int is_centred, int width, void *wide) {
  SUM *row = quarters;
  SUM *restrict values = wide;
  row[-1] = row[0];
  row[count] = row[count - 1];
  const SUM *restrict before = row - 1, *restrict at = row, *restrict after = row + 1;
  const int pairs = width / 2;
  if (!halves) {
    for (int x = 0; x < width; x++) values[x] = (SUM)(4 * at[x]);
  } else if (is_centred) {
    for (int i = 0; i < pairs; i++) {
      values[2 * i] = (SUM)(3 * at[i] + before[i]);
      values[2 * i + 1] = (SUM)(3 * at[i] + after[i]);
    }
    if (width % 2) values[width - 1] = (SUM)(3 * at[pairs] + before[pairs]);
  } else {
    for (int i = 0; i < pairs; i++) {
      values[2 * i] = (SUM)(4 * at[i]);
      values[2 * i + 1] = (SUM)(2 * (at[i] + after[i]));
    }
    if (width % 2) values[width - 1] = (SUM)(4 * at[pairs]);
  }
}

static inline SAMPLE LOOP(rounded)(float value, float top) {
  value = value < 0 ? 0 : value;
  value = value > top ? top : value;
  return (SAMPLE)(int32_t)(value + 0.5f);
}

// Interleaves three rows of channels.
static inline void LOOP(interleave)(const SAMPLE *channels, int width, void *rgb) {
  const SAMPLE *restrict reds = channels, *restrict greens = channels + width;
  const SAMPLE *restrict blues = greens + width;
  SAMPLE *restrict pixels = rgb;
  for (int x = 0; x < width; x++) {
    pixels[3 * x] = reds[x];
    pixels[3 * x + 1] = greens[x];
    pixels[3 * x + 2] = blues[x];
  }
}

static inline void LOOP(separate)(const void *rgb, int width, SAMPLE *channels) {
  const SAMPLE *restrict pixels = rgb;
  SAMPLE *restrict reds = channels, *restrict greens = channels + width;
  SAMPLE *restrict blues = greens + width;
  for (int x = 0; x < width; x++) {
    reds[x] = pixels[3 * x];
    greens[x] = pixels[3 * x + 1];
    blues[x] = pixels[3 * x + 2];
  }
}

static void LOOP(to_rgb)(
  const struct phbatch_to_rgb *factors, const void *luma, const void *blue, const void *red,
  int width, void *scratch, void *rgb) {
  const SAMPLE *restrict ys = luma;
  const SUM *restrict bs = blue, *restrict rs = red;
  SAMPLE *restrict reds = scratch, *restrict greens = reds + width;
  SAMPLE *restrict blues = greens + width;
  const struct phbatch_to_rgb by = *factors;
  const float top = (float)(SAMPLE)-1;
  for (int x = 0; x < width; x++) {
    const float y = ((float)ys[x] - by.luma_offset) * by.luma_scale;
    const float cb = (float)(int32_t)bs[x], cr = (float)(int32_t)rs[x];
    reds[x] = LOOP(rounded)(y + cr * by.red_to_red + by.red_offset, top);
    greens[x] = LOOP(rounded)(
      y + cb * by.blue_to_green + cr * by.red_to_green + by.green_offset, top);
    blues[x] = LOOP(rounded)(y + cb * by.blue_to_blue + by.blue_offset, top);
  }
  LOOP(interleave)(scratch, width, rgb);
}

static void LOOP(to_luma)(
  const struct phbatch_from_rgb *factors, const void *rgb, int width, int adds,
  float *const sums[3], void *scratch, void *luma) {
  LOOP(separate)(rgb, width, scratch);
  const SAMPLE *restrict reds = scratch, *restrict greens = reds + width;
  const SAMPLE *restrict blues = greens + width;
  SAMPLE *restrict ys = luma;
  float *restrict r_sums = sums[0], *restrict g_sums = sums[1], *restrict b_sums = sums[2];
  const struct phbatch_from_rgb by = *factors;
  const float scale = 1 / (float)(SAMPLE)-1;
  if (adds) {
    for (int x = 0; x < width; x++) {
      const float r = reds[x] * scale, g = greens[x] * scale, b = blues[x] * scale;
      ys[x] = LOOP(rounded)(
        (by.kr * r + by.kg * g + by.kb * b) * by.luma_scale + by.luma_offset, by.top);
      r_sums[x] += r;
      g_sums[x] += g;
      b_sums[x] += b;
    }
  } else {
    for (int x = 0; x < width; x++) {
      const float r = reds[x] * scale, g = greens[x] * scale, b = blues[x] * scale;
      ys[x] = LOOP(rounded)(
        (by.kr * r + by.kg * g + by.kb * b) * by.luma_scale + by.luma_offset, by.top);
      r_sums[x] = r;
      g_sums[x] = g;
      b_sums[x] = b;
    }
  }
}

static void LOOP(to_chroma)(
  const struct phbatch_from_rgb *factors, float *const sums[3], int width, int is_centred,
  float *scratch, void *blue, void *red) {
  const int columns = (width + 1) / 2;
  for (int c = 0; c < 3; c++)
    phbatch_halve(sums[c], width, is_centred, scratch + c * columns);
  const float *restrict reds = scratch, *restrict greens = reds + columns;
  const float *restrict blues = greens + columns;
  SAMPLE *restrict bs = blue, *restrict rs = red;
  const struct phbatch_from_rgb by = *factors;
  for (int i = 0; i < columns; i++) {
    const float y = by.kr * reds[i] + by.kg * greens[i] + by.kb * blues[i];
    bs[i] = LOOP(rounded)((blues[i] - y) * by.blue_scale + by.chroma_offset, by.top);
    rs[i] = LOOP(rounded)((reds[i] - y) * by.red_scale + by.chroma_offset, by.top);
  }
}

#undef LOOP
#undef SAMPLE
#undef SUM
