// Demosaicing of a tile of an X-Trans sensor's samples.
//
// The method is adaptive homogeneity-directed demosaicing (K. Hirakawa and T. W. Parks, "Adaptive
// homogeneity-directed demosaicing algorithm", IEEE Transactions on Image Processing 14, 2005) with
// four directions and a mixture instead of a choice:
//
// 1. Green is interpolated along each direction. Differences of red and blue from it are
//    interpolated by local linear regression with a kernel that is long in the direction (H. Takeda,
//    S. Farsiu and P. Milanfar, "Kernel regression for image processing and reconstruction", IEEE
//    Transactions on Image Processing 16, 2007); see raw/xtrans_taps.c.
// 2. The direction along which the picture is most even around a pixel has the largest weight.
// 3. The mixture of the greens gives better differences. They are interpolated again, by the
//    mixture of the kernels, and green is what they leave of the samples (successive approximation:
//    X. Li, "Demosaicing by successive approximation", IEEE Transactions on Image Processing 14,
//    2005).
//
// All this is done on the square roots of the samples; see roots.h.
//
// A row is stored as six runs, one for each column of the sensor's cell of 6 × 6 pixels: the pixel
// of column 6i + p is at index i of run p. All pixels of a run have the same neighbourhood.

/// The weights of chroma and of slopes in the unevenness, and the number that is added to it.
#define PH_XTRANS_CHROMA 1.5f
#define PH_XTRANS_SLOPE 0.1f
#define PH_XTRANS_LEAST 1e-5f

PH_INLINE float *ph_xtrans_run(const PhXTrans *tile, float *plane, int y, int phase) {
  return plane + (ptrdiff_t)(6 * y + phase) * tile->pitch + PH_XTRANS_PAD;
}

/// Returns the distance in memory of the pixel `down` rows below and `right` columns beside a pixel
/// of a run. `right` is at least −12.
PH_INLINE ptrdiff_t ph_xtrans_step(const PhXTrans *tile, int phase, int down, int right) {
  const int to = phase + right + 12;
  return (ptrdiff_t)(6 * down + to % 6 - phase) * tile->pitch + to / 6 - 2;
}

/// True if the sensor samples green in this row and column of a cell.
PH_INLINE int ph_xtrans_is_green(int y, int phase) { return (y % 3 == 1) == (phase % 3 == 1); }

/// Writes to `to` the difference of `count` samples from the sum of `taps` weighted samples.
PH_INLINE void ph_xtrans_subtract(PhSource from, const ptrdiff_t *offset, const float *weight,
                                  int taps, PhRow to, int count) {
  for (int i = 0; i < count; i++) {
    float sum = weight[0] * from[i + offset[0]];
    for (int k = 1; k < taps; k++) sum += weight[k] * from[i + offset[k]];
    to[i] = from[i] - sum;
  }
}

/// The interpolation of green along one direction: the steps to the samples, as multiples of the
/// direction, and their weights.
///
/// A red or blue sample has green on three sides; `ahead` is the direction to the green sample
/// whose opposite is not green.
enum { PH_XTRANS_ACROSS = 4, PH_XTRANS_AHEAD = 8, PH_XTRANS_DIAGONAL = 5 };
// Green at −2, −1, 1 and 2.
static const int ph_xtrans_across_steps[PH_XTRANS_ACROSS] = {-1, 1, -2, 2};
static const float ph_xtrans_across_weights[PH_XTRANS_ACROSS] = {0.7f, 0.7f, -0.2f, -0.2f};
// Green at 1 and −2, the pixel's own colour at 0, 2 and −4, and the other colour at −1, −3 and 3.
// The weights of each but green have the sum and the first moment 0.
static const int ph_xtrans_ahead_steps[PH_XTRANS_AHEAD] = {1, -2, 0, 2, -4, -1, -3, 3};
static const float ph_xtrans_ahead_weights[PH_XTRANS_AHEAD] = {
    2 / 3.0f, 1 / 3.0f, 0.1f, -0.2f / 3, -0.1f / 3, 0.23f, -0.46f / 3, -0.23f / 3};
// Green at −1 and 2, and the other colour at 1, −2 and 4; the direction is one with a part ahead.
static const int ph_xtrans_diagonal_steps[PH_XTRANS_DIAGONAL] = {-1, 2, 1, -2, 4};
static const float ph_xtrans_diagonal_weights[PH_XTRANS_DIAGONAL] = {2 / 3.0f, 1 / 3.0f, 0.22f,
                                                                     -0.11f, -0.11f};

/// The directions: right, down, right and down, left and down.
static const int ph_xtrans_down[PH_XTRANS_DIRECTIONS] = {0, 1, 1, 1};
static const int ph_xtrans_right[PH_XTRANS_DIRECTIONS] = {1, 0, 1, -1};

/// Writes to `difference` the differences of the red and blue samples of a run from the green that
/// is interpolated along each direction.
static void ph_xtrans_differences(const PhXTrans *tile, int y, int phase) {
  const int count = tile->columns / 6;
  PhSource from = ph_xtrans_run(tile, tile->mosaic, y, phase);
  // The green sample in the middle of the block of 3 × 3 pixels is ahead.
  const int down = 1 - y % 3, right = 1 - phase % 3;
  for (int k = 0; k < PH_XTRANS_DIRECTIONS; k++) {
    PhRow to = ph_xtrans_run(tile, tile->difference[k], y, phase);
    const int part = down * ph_xtrans_down[k] + right * ph_xtrans_right[k];
    const int sign = part < 0 ? -1 : 1;
    const int dy = sign * ph_xtrans_down[k], dx = sign * ph_xtrans_right[k];
    const int *steps = k > 1  ? ph_xtrans_diagonal_steps
                       : part ? ph_xtrans_ahead_steps
                              : ph_xtrans_across_steps;
    const int taps = k > 1 ? PH_XTRANS_DIAGONAL : part ? PH_XTRANS_AHEAD : PH_XTRANS_ACROSS;
    ptrdiff_t offset[PH_XTRANS_AHEAD] = {0};
    for (int j = 0; j < taps; j++)
      offset[j] = ph_xtrans_step(tile, phase, steps[j] * dy, steps[j] * dx);
    if (k > 1)
      ph_xtrans_subtract(from, offset, ph_xtrans_diagonal_weights, PH_XTRANS_DIAGONAL, to, count);
    else if (part)
      ph_xtrans_subtract(from, offset, ph_xtrans_ahead_weights, PH_XTRANS_AHEAD, to, count);
    else
      ph_xtrans_subtract(from, offset, ph_xtrans_across_weights, PH_XTRANS_ACROSS, to, count);
  }
}

/// Writes to `to` the differences of one colour, interpolated along one direction.
static void ph_xtrans_interpolate(const PhXTransTaps *taps, PhSource from, PhRow to, int count) {
  ptrdiff_t offset[PH_XTRANS_TAPS];
  float weight[PH_XTRANS_TAPS];
  for (int k = 0; k < PH_XTRANS_TAPS; k++) offset[k] = taps->offset[k], weight[k] = taps->weight[k];
  for (int i = 0; i < count; i++) {
    float sum = weight[0] * from[i + offset[0]];
    for (int k = 1; k < PH_XTRANS_TAPS; k++) sum += weight[k] * from[i + offset[k]];
    to[i] = sum;
  }
}

/// Adds to `to` what `ph_xtrans_interpolate` computes, multiplied by `part`.
static void ph_xtrans_add(const PhXTransTaps *taps, PhSource from, PhSource part, PhRow to,
                          int count) {
  ptrdiff_t offset[PH_XTRANS_TAPS];
  float weight[PH_XTRANS_TAPS];
  for (int k = 0; k < PH_XTRANS_TAPS; k++) offset[k] = taps->offset[k], weight[k] = taps->weight[k];
  for (int i = 0; i < count; i++) {
    float sum = weight[0] * from[i + offset[0]];
    for (int k = 1; k < PH_XTRANS_TAPS; k++) sum += weight[k] * from[i + offset[k]];
    to[i] += part[i] * sum;
  }
}

/// The square of a second difference, and a part of the square of the first difference.
PH_INLINE float ph_xtrans_unevenness(float before, float here, float after) {
  const float bend = before + after - 2 * here, slope = after - before;
  return bend * bend + PH_XTRANS_SLOPE * (slope * slope);
}

/// Writes to `uneven[k]` how uneven the picture of direction k is along this direction. `green` is
/// used for its luma, `red` and `blue` for its colour differences.
static void ph_xtrans_measure(const PhXTrans *tile, int k) {
  const int count = tile->columns / 6;
  for (int y = 7; y < tile->rows - 7; y++)
    for (int phase = 0; phase < 6; phase++) {
      const PhXTransTaps(*taps)[2] = tile->taps[y % 6 * 6 + phase];
      PhSource from = ph_xtrans_run(tile, tile->difference[k], y, phase);
      PhSource sample = ph_xtrans_run(tile, tile->mosaic, y, phase);
      PhRow red = ph_xtrans_run(tile, tile->red, y, phase);
      PhRow blue = ph_xtrans_run(tile, tile->blue, y, phase);
      PhRow luma = ph_xtrans_run(tile, tile->green, y, phase);
      const int colour = ph_xtrans_colour(y % 6, phase);
      if (colour == 0)
        memcpy(red, from, (size_t)count * sizeof(float));
      else
        ph_xtrans_interpolate(&taps[k][0], from, red, count);
      if (colour == 2)
        memcpy(blue, from, (size_t)count * sizeof(float));
      else
        ph_xtrans_interpolate(&taps[k][1], from, blue, count);
      // The differences of green samples are 0.
      for (int i = 0; i < count; i++) luma[i] = sample[i] - from[i] + 0.25f * (red[i] + blue[i]);
    }
  for (int y = 8; y < tile->rows - 8; y++)
    for (int phase = 0; phase < 6; phase++) {
      const ptrdiff_t after = ph_xtrans_step(tile, phase, ph_xtrans_down[k], ph_xtrans_right[k]);
      const ptrdiff_t before = ph_xtrans_step(tile, phase, -ph_xtrans_down[k], -ph_xtrans_right[k]);
      PhSource luma = ph_xtrans_run(tile, tile->green, y, phase);
      PhSource red = ph_xtrans_run(tile, tile->red, y, phase);
      PhSource blue = ph_xtrans_run(tile, tile->blue, y, phase);
      PhRow to = ph_xtrans_run(tile, tile->uneven[k], y, phase);
      for (int i = 0; i < count; i++)
        to[i] = ph_xtrans_unevenness(luma[i + before], luma[i], luma[i + after]) +
                PH_XTRANS_CHROMA *
                    (ph_xtrans_unevenness(red[i + before], red[i], red[i + after]) +
                     ph_xtrans_unevenness(blue[i + before], blue[i], blue[i + after]));
    }
}

/// Writes to `part` the share of each direction at the pixels of a row: the inverse of the third
/// power of its unevenness in the 5 × 5 pixels around.
static void ph_xtrans_shares(const PhXTrans *tile, int y) {
  const int count = tile->columns / 6;
  const ptrdiff_t line = 6 * (ptrdiff_t)tile->pitch;
  const float middle = 1, near = 0.8f, far = 0.45f;
  for (int k = 0; k < PH_XTRANS_DIRECTIONS; k++) {
    float *sums = tile->scratch + k * line;
    PhSource from = tile->uneven[k] + y * line;
    PhRow to = sums;
    for (int i = 0; i < line; i++)
      to[i] = middle * from[i] + near * (from[i - line] + from[i + line]) +
              far * (from[i - 2 * line] + from[i + 2 * line]);
  }
  for (int phase = 0; phase < 6; phase++) {
    const ptrdiff_t a = ph_xtrans_step(tile, phase, 0, -2), b = ph_xtrans_step(tile, phase, 0, -1);
    const ptrdiff_t c = ph_xtrans_step(tile, phase, 0, 1), d = ph_xtrans_step(tile, phase, 0, 2);
    for (int k = 0; k < PH_XTRANS_DIRECTIONS; k++) {
      PhSource sum = ph_xtrans_run(tile, tile->scratch + k * line, 0, phase);
      PhRow to = ph_xtrans_run(tile, tile->part[k], y, phase);
      for (int i = 0; i < count; i++) {
        const float all = middle * sum[i] + near * (sum[i + b] + sum[i + c]) +
                          far * (sum[i + a] + sum[i + d]) + PH_XTRANS_LEAST;
        to[i] = 1 / (all * all * all);
      }
    }
    PhRow p0 = ph_xtrans_run(tile, tile->part[0], y, phase);
    PhRow p1 = ph_xtrans_run(tile, tile->part[1], y, phase);
    PhRow p2 = ph_xtrans_run(tile, tile->part[2], y, phase);
    PhRow p3 = ph_xtrans_run(tile, tile->part[3], y, phase);
    for (int i = 0; i < count; i++) {
      const float scale = 1 / (p0[i] + p1[i] + p2[i] + p3[i]);
      p0[i] *= scale, p1[i] *= scale, p2[i] *= scale, p3[i] *= scale;
    }
    // The mixture of the differences replaces those of direction 0; both are 0 at green samples.
    PhRow d0 = ph_xtrans_run(tile, tile->difference[0], y, phase);
    PhSource d1 = ph_xtrans_run(tile, tile->difference[1], y, phase);
    PhSource d2 = ph_xtrans_run(tile, tile->difference[2], y, phase);
    PhSource d3 = ph_xtrans_run(tile, tile->difference[3], y, phase);
    for (int i = 0; i < count; i++)
      d0[i] = p0[i] * d0[i] + p1[i] * d1[i] + p2[i] * d2[i] + p3[i] * d3[i];
  }
}

/// Writes the colours of a run.
static void ph_xtrans_finish(const PhXTrans *tile, int y, int phase) {
  const int count = tile->columns / 6;
  PhSource from = ph_xtrans_run(tile, tile->difference[0], y, phase);
  PhSource sample = ph_xtrans_run(tile, tile->mosaic, y, phase);
  float *planes[2] = {tile->red, tile->blue};
  for (int c = 0; c < 2; c++) {
    float *to = ph_xtrans_run(tile, planes[c], y, phase);
    memset(to, 0, (size_t)count * sizeof(float));
    for (int k = 0; k < PH_XTRANS_DIRECTIONS; k++)
      ph_xtrans_add(&tile->taps[y % 6 * 6 + phase][k][c], from,
                    ph_xtrans_run(tile, tile->part[k], y, phase), to, count);
  }
  PhRow red = ph_xtrans_run(tile, tile->red, y, phase);
  PhRow green = ph_xtrans_run(tile, tile->green, y, phase);
  PhRow blue = ph_xtrans_run(tile, tile->blue, y, phase);
  const int colour = ph_xtrans_colour(y % 6, phase);
  const float of_red = colour == 0, of_blue = colour == 2;
  for (int i = 0; i < count; i++) {
    const float g = sample[i] - of_red * red[i] - of_blue * blue[i];
    const float r = g + red[i], b = g + blue[i];
    green[i] = ph_light(g);
    red[i] = ph_light(r);
    blue[i] = ph_light(b);
  }
}

static void ph_demosaic_xtrans(const PhXTrans *tile) {
  const int line = 6 * tile->pitch, reach = PH_XTRANS_REACH;
  for (int y = 0; y < tile->rows; y++) ph_take_roots(tile->mosaic + (ptrdiff_t)y * line, line);
  for (int y = 4; y < tile->rows - 4; y++)
    for (int phase = 0; phase < 6; phase++)
      if (!ph_xtrans_is_green(y, phase)) ph_xtrans_differences(tile, y, phase);
  for (int k = 0; k < PH_XTRANS_DIRECTIONS; k++) ph_xtrans_measure(tile, k);
  for (int y = 10; y < tile->rows - 10; y++) ph_xtrans_shares(tile, y);
  for (int y = reach; y < tile->rows - reach; y++)
    for (int phase = 0; phase < 6; phase++) ph_xtrans_finish(tile, y, phase);
}
