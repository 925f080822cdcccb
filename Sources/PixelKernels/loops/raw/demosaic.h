// Demosaicing of a tile of a Bayer sensor's samples, and conversion of camera colours.
//
// Source: L. Sanz Rodríguez, "Ratio Corrected Demosaicing", release 2.3, 2017, as described at
// github.com/LuisSR/RCD-Demosaicing; written from the description. It works on roots; see roots.h.
//
// The even and the odd columns of a row are stored in separate halves, so that all pixels of a
// colour in a row are adjacent. The pixel of column 2i + p is at index i of half p. `ph_cross`
// returns the other half, shifted so that index i is the pixel on the right and i − 1 the pixel on
// the left.

/// The number that is added to divisors, which are 0 in areas without gradients.
#define PH_MOSAIC_LEAST 1e-5f

/// Returns half a row of a plane that has both halves; `parity` is 0 for the half with the even
/// columns, and 1 for the half with the odd columns.
PH_INLINE float *ph_half_row(const PhMosaic *tile, float *plane, int y, int parity) {
  return plane + (2 * y + parity) * tile->pitch + PH_MOSAIC_PAD;
}

PH_INLINE const float *ph_cross(const PhMosaic *tile, float *plane, int y, int parity) {
  return ph_half_row(tile, plane, y, 1 - parity) + parity;
}

/// Returns row `y` of a plane that stores only the pixels at which the sensor samples red or blue.
PH_INLINE float *ph_chroma(const PhMosaic *tile, float *plane, int y) {
  return plane + y * tile->pitch + PH_MOSAIC_PAD;
}

/// Returns the parity of the columns at which row `y` samples red or blue.
PH_INLINE int ph_chroma_parity(const PhMosaic *tile, int y) {
  return (y & 1) == tile->red_row ? tile->red_column : 1 - tile->red_column;
}

PH_INLINE float ph_square_of_detail(float a3, float a2, float a1, float a0, float b1, float b2,
                                    float b3) {
  const float detail = (a3 - a1 - b1 + b3) - 3 * (a2 + b2) + 6 * a0;
  return detail * detail;
}

/// Mixes the estimates from two opposite neighbours. The weight of each estimate is the change on
/// the other side, so that the estimate from the smoother side dominates.
PH_INLINE float ph_outweighed(float a, float a_change, float b, float b_change) {
  return (a * b_change + b * a_change) / (a_change + b_change);
}

/// Returns the direction (0…1) of a pixel, or the mean direction of its diagonal neighbours if that
/// mean is farther from ½.
PH_INLINE float ph_decided(float own, float others) {
  return __builtin_fabsf(0.5f - own) < __builtin_fabsf(0.5f - others) ? others : own;
}

/// Writes to `detail` the square of the vertical high-pass at each pixel.
static void ph_mosaic_vertical(const PhMosaic *tile) {
  const int half = tile->columns / 2, pitch = 2 * tile->pitch;
  for (int y = 3; y < tile->rows - 3; y++)
    for (int parity = 0; parity < 2; parity++) {
      PhSource c = ph_half_row(tile, tile->mosaic, y, parity);
      PhRow to = ph_half_row(tile, tile->detail, y, parity);
      for (int i = 0; i < half; i++)
        to[i] = ph_square_of_detail(c[i - 3 * pitch], c[i - 2 * pitch], c[i - pitch], c[i],
                                    c[i + pitch], c[i + 2 * pitch], c[i + 3 * pitch]);
    }
}

/// Writes to `direction` the direction of each pixel: 0 if the samples change only along the row, 1
/// if only along the column.
static void ph_mosaic_direction(const PhMosaic *tile) {
  const int half = tile->columns / 2, pitch = 2 * tile->pitch;
  for (int y = 4; y < tile->rows - 4; y++) {
    for (int parity = 0; parity < 2; parity++) {
      PhSource c = ph_half_row(tile, tile->mosaic, y, parity);
      PhSource q = ph_cross(tile, tile->mosaic, y, parity);
      PhRow to = ph_half_row(tile, tile->scratch, 0, parity);
      for (int i = 0; i < half; i++)
        to[i] = ph_square_of_detail(q[i - 2], c[i - 1], q[i - 1], c[i], q[i], c[i + 1], q[i + 1]);
    }
    for (int parity = 0; parity < 2; parity++) {
      PhSource own = ph_half_row(tile, tile->scratch, 0, parity);
      PhSource side = ph_cross(tile, tile->scratch, 0, parity);
      PhSource down = ph_half_row(tile, tile->detail, y, parity);
      PhRow to = ph_half_row(tile, tile->direction, y, parity);
      for (int i = 0; i < half; i++) {
        const float across = side[i - 1] + own[i] + side[i] + 1e-10f;
        const float along = down[i - pitch] + down[i] + down[i + pitch] + 1e-10f;
        to[i] = along / (along + across);
      }
    }
  }
}

/// Writes to `chroma` a low pass of the mosaic at the pixels that sample red or blue.
static void ph_mosaic_smooth(const PhMosaic *tile) {
  const int half = tile->columns / 2, pitch = 2 * tile->pitch;
  for (int y = 1; y < tile->rows - 1; y++) {
    const int parity = ph_chroma_parity(tile, y);
    PhSource c = ph_half_row(tile, tile->mosaic, y, parity);
    PhSource q = ph_cross(tile, tile->mosaic, y, parity);
    PhRow to = ph_chroma(tile, tile->chroma, y);
    for (int i = 0; i < half; i++)
      to[i] = c[i] + 0.5f * (c[i - pitch] + c[i + pitch] + q[i - 1] + q[i]) +
              0.25f * (q[i - 1 - pitch] + q[i - pitch] + q[i - 1 + pitch] + q[i + pitch]);
  }
}

/// Writes to `green` the green samples, and interpolates green at the pixels that sample red or
/// blue.
static void ph_mosaic_green(const PhMosaic *tile) {
  const int half = tile->columns / 2, pitch = 2 * tile->pitch, line = tile->pitch;
  for (int y = 5; y < tile->rows - 5; y++) {
    const int parity = ph_chroma_parity(tile, y);
    PhSource c = ph_half_row(tile, tile->mosaic, y, parity);
    PhSource q = ph_cross(tile, tile->mosaic, y, parity);
    PhSource d = ph_half_row(tile, tile->direction, y, parity);
    PhSource e = ph_cross(tile, tile->direction, y, parity);
    PhSource low = ph_chroma(tile, tile->chroma, y);
    PhRow to = ph_half_row(tile, tile->green, y, parity);
    memcpy(ph_half_row(tile, tile->green, y, 1 - parity), ph_half_row(tile, tile->mosaic, y, 1 - parity),
           (size_t)half * sizeof(float));
    for (int i = 0; i < half; i++) {
      const float here = c[i], smooth = low[i], least = PH_MOSAIC_LEAST;
      const float n = c[i - pitch], s = c[i + pitch], w = q[i - 1], r = q[i];
      const float down = __builtin_fabsf(n - s), across = __builtin_fabsf(w - r);
      const float up_change = least + down + __builtin_fabsf(here - c[i - 2 * pitch]) +
                              __builtin_fabsf(n - c[i - 3 * pitch]) +
                              __builtin_fabsf(c[i - 2 * pitch] - c[i - 4 * pitch]);
      const float down_change = least + down + __builtin_fabsf(here - c[i + 2 * pitch]) +
                                __builtin_fabsf(s - c[i + 3 * pitch]) +
                                __builtin_fabsf(c[i + 2 * pitch] - c[i + 4 * pitch]);
      const float left_change = least + across + __builtin_fabsf(here - c[i - 1]) + __builtin_fabsf(w - q[i - 2]) +
                                __builtin_fabsf(c[i - 1] - c[i - 2]);
      const float right_change = least + across + __builtin_fabsf(here - c[i + 1]) + __builtin_fabsf(r - q[i + 1]) +
                                 __builtin_fabsf(c[i + 1] - c[i + 2]);
      const float twice = 2 * smooth, base = least + smooth;
      const float up = n * twice / (base + low[i - 2 * line]);
      const float under = s * twice / (base + low[i + 2 * line]);
      const float left = w * twice / (base + low[i - 1]);
      const float right = r * twice / (base + low[i + 1]);
      const float vertical = ph_outweighed(up, up_change, under, down_change);
      const float horizontal = ph_outweighed(left, left_change, right, right_change);
      const float others = 0.25f * (e[i - 1 - pitch] + e[i - pitch] + e[i - 1 + pitch] + e[i + pitch]);
      const float part = ph_decided(d[i], others);
      to[i] = vertical + part * (horizontal - vertical);
    }
  }
}

/// Writes to `detail` the squares of the diagonal high-passes at the pixels that sample red or
/// blue: along the diagonal that falls to the right in the first half, along the one that rises in
/// the second.
static void ph_mosaic_diagonals(const PhMosaic *tile) {
  const int half = tile->columns / 2, pitch = 2 * tile->pitch;
  for (int y = 3; y < tile->rows - 3; y++) {
    const int parity = ph_chroma_parity(tile, y);
    PhSource c = ph_half_row(tile, tile->mosaic, y, parity);
    PhSource q = ph_cross(tile, tile->mosaic, y, parity);
    PhRow falling = ph_half_row(tile, tile->detail, y, 0);
    PhRow rising = ph_half_row(tile, tile->detail, y, 1);
    for (int i = 0; i < half; i++) {
      falling[i] = ph_square_of_detail(q[i - 2 - 3 * pitch], c[i - 1 - 2 * pitch], q[i - 1 - pitch],
                                       c[i], q[i + pitch], c[i + 1 + 2 * pitch],
                                       q[i + 1 + 3 * pitch]);
      rising[i] = ph_square_of_detail(q[i + 1 - 3 * pitch], c[i + 1 - 2 * pitch], q[i - pitch],
                                      c[i], q[i - 1 + pitch], c[i - 1 + 2 * pitch],
                                      q[i - 2 + 3 * pitch]);
    }
  }
}

/// Writes to `chroma` the diagonal direction at the pixels that sample red or blue: 0 if the
/// samples change only along the rising diagonal, 1 if only along the falling one.
static void ph_mosaic_diagonal_direction(const PhMosaic *tile) {
  const int half = tile->columns / 2, pitch = 2 * tile->pitch;
  for (int y = 4; y < tile->rows - 4; y++) {
    const int right = ph_chroma_parity(tile, y), left = right - 1;
    PhSource falling = ph_half_row(tile, tile->detail, y, 0);
    PhSource rising = ph_half_row(tile, tile->detail, y, 1);
    PhRow to = ph_chroma(tile, tile->chroma, y);
    for (int i = 0; i < half; i++) {
      const float down = falling[i + left - pitch] + falling[i] + falling[i + right + pitch] + 1e-10f;
      const float up = rising[i + right - pitch] + rising[i] + rising[i + left + pitch] + 1e-10f;
      to[i] = down / (down + up);
    }
  }
}

/// Interpolates red at blue pixels, and blue at red pixels, from differences to green along the
/// diagonals.
static void ph_mosaic_opposite(const PhMosaic *tile) {
  const int half = tile->columns / 2, pitch = 2 * tile->pitch, line = tile->pitch;
  for (int y = 7; y < tile->rows - 7; y++) {
    const int parity = ph_chroma_parity(tile, y), right = parity, left = right - 1;
    const int is_red = (y & 1) == tile->red_row;
    PhSource q = ph_cross(tile, tile->mosaic, y, parity);
    PhSource g = ph_half_row(tile, tile->green, y, parity);
    PhSource h = ph_cross(tile, tile->green, y, parity);
    PhSource d = ph_chroma(tile, tile->chroma, y);
    PhRow to = ph_half_row(tile, is_red ? tile->blue : tile->red, y, parity);
    memcpy(ph_half_row(tile, is_red ? tile->red : tile->blue, y, parity),
           ph_half_row(tile, tile->mosaic, y, parity), (size_t)half * sizeof(float));
    for (int i = 0; i < half; i++) {
      const float least = PH_MOSAIC_LEAST;
      const float nw = q[i - 1 - pitch], ne = q[i - pitch];
      const float sw = q[i - 1 + pitch], se = q[i + pitch];
      const float falls = __builtin_fabsf(nw - se), rises = __builtin_fabsf(ne - sw);
      const float nw_change = least + falls + __builtin_fabsf(nw - q[i - 2 - 3 * pitch]) +
                              __builtin_fabsf(g[i] - g[i - 1 - 2 * pitch]);
      const float ne_change = least + rises + __builtin_fabsf(ne - q[i + 1 - 3 * pitch]) +
                              __builtin_fabsf(g[i] - g[i + 1 - 2 * pitch]);
      const float sw_change = least + rises + __builtin_fabsf(sw - q[i - 2 + 3 * pitch]) +
                              __builtin_fabsf(g[i] - g[i - 1 + 2 * pitch]);
      const float se_change = least + falls + __builtin_fabsf(se - q[i + 1 + 3 * pitch]) +
                              __builtin_fabsf(g[i] - g[i + 1 + 2 * pitch]);
      const float falling =
          ph_outweighed(nw - h[i - 1 - pitch], nw_change, se - h[i + pitch], se_change);
      const float rising =
          ph_outweighed(ne - h[i - pitch], ne_change, sw - h[i - 1 + pitch], sw_change);
      const float others = 0.25f * (d[i + left - line] + d[i + right - line] + d[i + left + line] +
                                    d[i + right + line]);
      const float part = ph_decided(d[i], others);
      to[i] = g[i] + falling + part * (rising - falling);
    }
  }
}

/// Interpolates `plane`, red or blue, at green pixels, from differences to green along rows and
/// columns.
static void ph_mosaic_at_green(const PhMosaic *tile, float *plane) {
  const int half = tile->columns / 2, pitch = 2 * tile->pitch;
  for (int y = PH_MOSAIC_REACH; y < tile->rows - PH_MOSAIC_REACH; y++) {
    const int parity = 1 - ph_chroma_parity(tile, y);
    PhSource g = ph_half_row(tile, tile->green, y, parity);
    PhSource h = ph_cross(tile, tile->green, y, parity);
    PhSource d = ph_half_row(tile, tile->direction, y, parity);
    PhSource e = ph_cross(tile, tile->direction, y, parity);
    // The loop writes only the green pixels of each row. Around a green pixel, it reads red or blue
    // pixels of the same plane: those in the other half of this row, and those in the same half of
    // the rows above and below.
    const float *x = ph_half_row(tile, plane, y, parity);
    PhSource z = ph_cross(tile, plane, y, parity);
    PhRow to = ph_half_row(tile, tile->scratch, 0, 0);
    for (int i = 0; i < half; i++) {
      const float least = PH_MOSAIC_LEAST, here = g[i];
      const float n = x[i - pitch], s = x[i + pitch], w = z[i - 1], r = z[i];
      const float down = __builtin_fabsf(n - s), across = __builtin_fabsf(w - r);
      const float up_change =
          least + __builtin_fabsf(here - g[i - 2 * pitch]) + down + __builtin_fabsf(n - x[i - 3 * pitch]);
      const float down_change =
          least + __builtin_fabsf(here - g[i + 2 * pitch]) + down + __builtin_fabsf(s - x[i + 3 * pitch]);
      const float left_change = least + __builtin_fabsf(here - g[i - 1]) + across + __builtin_fabsf(w - z[i - 2]);
      const float right_change = least + __builtin_fabsf(here - g[i + 1]) + across + __builtin_fabsf(r - z[i + 1]);
      const float vertical = ph_outweighed(n - g[i - pitch], up_change, s - g[i + pitch], down_change);
      const float horizontal = ph_outweighed(w - h[i - 1], left_change, r - h[i], right_change);
      const float others = 0.25f * (e[i - 1 - pitch] + e[i - pitch] + e[i - 1 + pitch] + e[i + pitch]);
      const float part = ph_decided(d[i], others);
      to[i] = here + vertical + part * (horizontal - vertical);
    }
    memcpy(ph_half_row(tile, plane, y, parity), to, (size_t)half * sizeof(float));
  }
}

/// Replaces roots by light, in the tile without its margin.
static void ph_mosaic_light(const PhMosaic *tile, float *plane) {
  const int half = tile->columns / 2;
  for (int y = PH_MOSAIC_REACH; y < tile->rows - PH_MOSAIC_REACH; y++)
    for (int parity = 0; parity < 2; parity++) {
      PhRow row = ph_half_row(tile, plane, y, parity);
      for (int i = 0; i < half; i++) row[i] = ph_light(row[i]);
    }
}

static void ph_demosaic(const PhMosaic *tile) {
  for (int y = 0; y < tile->rows; y++)
    for (int parity = 0; parity < 2; parity++)
      ph_take_roots(ph_half_row(tile, tile->mosaic, y, parity), tile->columns / 2);
  ph_mosaic_vertical(tile);
  ph_mosaic_direction(tile);
  ph_mosaic_smooth(tile);
  ph_mosaic_green(tile);
  ph_mosaic_diagonals(tile);
  ph_mosaic_diagonal_direction(tile);
  ph_mosaic_opposite(tile);
  ph_mosaic_at_green(tile, tile->red);
  ph_mosaic_at_green(tile, tile->blue);
  ph_mosaic_light(tile, tile->red);
  ph_mosaic_light(tile, tile->green);
  ph_mosaic_light(tile, tile->blue);
}

/// The share of a channel's saturation level above which a pixel counts as nearly clipped.
#define PH_HIGHLIGHT_START 0.9f

/// Converts the balanced camera colours of `count` pixels, in place, to the output's colours; see
/// PhCameraColours.
static void ph_camera_colours(const PhCameraColours *by, float *restrict red, float *restrict green,
                              float *restrict blue, int count) {
  const float *m = by->matrix;
  const float slope = 1 / (1 - PH_HIGHLIGHT_START);
  for (int i = 0; i < count; i++) {
    float r = red[i], g = green[i], b = blue[i];
    const float cr = r < 1 ? r : 1, cg = g < 1 ? g : 1, cb = b < 1 ? b : 1;
    if (by->clips) {
      r = cr, g = cg, b = cb;
    } else {
      float fill = r * by->per_full[0];
      fill = g * by->per_full[1] > fill ? g * by->per_full[1] : fill;
      fill = b * by->per_full[2] > fill ? b * by->per_full[2] : fill;
      float part = (fill - PH_HIGHLIGHT_START) * slope;
      part = part > 0 ? part : 0;
      part = part < 1 ? part : 1;
      const float mean = (r + g + b) * (1.0f / 3), clipped = (cr + cg + cb) * (1.0f / 3);
      const float dr = r - mean, dg = g - mean, db = b - mean;
      const float er = cr - clipped, eg = cg - clipped, eb = cb - clipped;
      const float all = dr * dr + dg * dg + db * db + 1e-12f;
      const float rest = er * er + eg * eg + eb * eb;
      float keep = rest / all;
      keep = keep < 1 ? __builtin_elementwise_sqrt(keep) : 1;
      keep = 1 + part * (keep - 1);
      r = mean + dr * keep, g = mean + dg * keep, b = mean + db * keep;
    }
    red[i] = m[0] * r + m[1] * g + m[2] * b;
    green[i] = m[3] * r + m[4] * g + m[5] * b;
    blue[i] = m[6] * r + m[7] * g + m[8] * b;
  }
}
