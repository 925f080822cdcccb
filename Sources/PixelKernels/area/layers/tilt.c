#pragma STDC FP_CONTRACT OFF

#include <math.h>

#include "layers.h"

/// The operation `phbatch_tilt`: a sharp band across a blurred image, as from a tilt-shift lens.
///
/// The middle of the band is the line through (`x`, `y`), fractions of the width and the height, at
/// `angle` degrees counter-clockwise from the horizontal. Up to a distance of half of `width` from
/// the line the image stays unchanged; over the next `falloff` the standard deviation of the blur
/// rises by a smoothstep from 0 to `sigma` (0.3…250 pixels). `width` (0…2) and `falloff` (0.001…2)
/// are fractions of the image's shorter edge. The input is RGB, with or without premultiplied
/// alpha; alpha is kept.
///
/// Reach: 3 × sigma pixels. Kind of buffers: blurs (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  double sigma;
  double x, y;
  double angle;
  double width;
  double falloff;

  /// Set by `build`: the point on the middle line, half the band's width and the falloff, all in
  /// pixels; the direction across the band; and the standard deviations of the blurs, each half the
  /// next.
  double middle_x, middle_y, half, reach;
  float across[2];
  float sigmas[PH_LAYERS];
  int count;
} PhTilt;

typedef PhKernelClass PhTiltClass;

PH_DEFINE_OPERATION(PhTilt, ph_tilt, ph_kernel_get_type())

/// The signed distance of a pixel from the middle line of the band.
static float distance_at(const PhTilt *tilt, int x, int y) {
  float right = (float)(x + 0.5 - tilt->middle_x);
  float down = (float)(y + 0.5 - tilt->middle_y);
  return right * tilt->across[0] + down * tilt->across[1];
}

/// The standard deviation of the blur at a distance from the middle line, both in pixels.
static float sigma_at(const PhTilt *tilt, float distance) {
  float way = (distance - (float)tilt->half) * (float)(1 / tilt->reach);
  way = way < 0 ? 0 : way > 1 ? 1 : way;
  return (float)tilt->sigma * (way * way * (3 - 2 * way));
}

/// Returns the weight 0…1 of the larger of two successive blurs, for a variance at the fraction
/// `way` of the way from the smaller to the larger variance. A fraction within a thousandth of 0 or
/// 1 is treated as 0 or 1, so that rounding errors never require another blur.
static float part_of(float way) {
  float part = way * 1.002f - 0.001f;
  return part < 0 ? 0 : part > 1 ? 1 : part;
}

/// Returns the set of blurs that are needed to reach the standard deviations in an area.
static unsigned ph_tilt_needs(const PhKernel *kernel, const VipsRect *area) {
  const PhTilt *tilt = (const PhTilt *)kernel;
  int right = VIPS_RECT_RIGHT(area) - 1, bottom = VIPS_RECT_BOTTOM(area) - 1;
  float corners[4] = {distance_at(tilt, area->left, area->top), distance_at(tilt, right, area->top),
                      distance_at(tilt, area->left, bottom), distance_at(tilt, right, bottom)};
  float low = corners[0], high = corners[0];
  for (int i = 1; i < 4; i++) {
    low = fminf(low, corners[i]);
    high = fmaxf(high, corners[i]);
  }
  float least = sigma_at(tilt, low <= 0 && high >= 0 ? 0 : fminf(fabsf(low), fabsf(high)));
  float most = sigma_at(tilt, fmaxf(fabsf(low), fabsf(high)));
  unsigned needed = 0;
  for (int k = 0; k < tilt->count; k++) {
    int reached = k == 0 ? most > 0 : most > 1.0001f * tilt->sigmas[k - 1];
    int covered = k + 1 < tilt->count && least >= 0.9998f * tilt->sigmas[k + 1];
    if (reached && !covered) needed |= 1u << k;
  }
  return needed;
}

/// Replaces each pixel by a mix of the two blurs with the next smaller and the next larger standard
/// deviation; the variance of the pixel's own blur determines the mix.
static void ph_tilt_combine(const PhKernel *kernel, PhBlock *block, PhBlock *const *layers) {
  const PhTilt *tilt = (const PhTilt *)kernel;
  float variance[PH_BLOCK], part[PH_BLOCK];
  for (int i = 0; i < block->count; i++) {
    float sigma = sigma_at(tilt, fabsf(distance_at(tilt, block->left + i, block->top)));
    variance[i] = sigma * sigma;
  }
  float from = 0;
  for (int k = 0; k < tilt->count; k++) {
    float to = tilt->sigmas[k] * tilt->sigmas[k];
    for (int i = 0; i < block->count; i++) part[i] = part_of((variance[i] - from) / (to - from));
    if (layers[k]) kernel->loops->crossfade(block, layers[k], part);
    from = to;
  }
}

static int ph_tilt_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhTilt *tilt = (PhTilt *)object;
  if (VIPS_OBJECT_CLASS(ph_tilt_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  int shorter = VIPS_MIN(kernel->in->Xsize, kernel->in->Ysize);
  tilt->middle_x = tilt->x * kernel->in->Xsize;
  tilt->middle_y = tilt->y * kernel->in->Ysize;
  tilt->half = tilt->width / 2 * shorter;
  tilt->reach = tilt->falloff * shorter;
  double turn = tilt->angle * (G_PI / 180);
  tilt->across[0] = (float)sin(turn);
  tilt->across[1] = (float)cos(turn);
  // A blur may be skipped for some rows. When the blur is needed again, it may go back in the
  // source by as many rows as it reads ahead. The cache therefore has rows for twice the sigma.
  VipsImage *source = ph_layers_source(kernel, 2 * tilt->sigma + 20);
  if (!source) return -1;
  tilt->count = 1;
  while (tilt->count < PH_LAYERS && ldexp(tilt->sigma, 1 - tilt->count) > 1.5) tilt->count++;
  VipsImage *layers[PH_LAYERS];
  for (int k = 0; k < tilt->count; k++) {
    tilt->sigmas[k] = (float)ldexp(tilt->sigma, k + 1 - tilt->count);
    layers[k] = ph_layers_blurred(kernel, source, tilt->sigmas[k]);
    if (!layers[k]) return -1;
  }
  return ph_layers_output(kernel, source, layers, tilt->count, ph_tilt_combine, ph_tilt_needs);
}

static void ph_tilt_class_init(PhTiltClass *class) {
  ph_kernel_class_describe(class, "phbatch_tilt", "blur outside a band", ph_tilt_build);
  VIPS_ARG_DOUBLE(class, "sigma", 10, "Sigma", "Standard deviation in pixels",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhTilt, sigma), 0.3, 250, 10);
  VIPS_ARG_DOUBLE(class, "x", 11, "x", "A point on the middle of the band",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhTilt, x), 0, 1, 0.5);
  VIPS_ARG_DOUBLE(class, "y", 12, "y", "A point on the middle of the band",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhTilt, y), 0, 1, 0.5);
  VIPS_ARG_DOUBLE(class, "angle", 13, "Angle", "Degrees counter-clockwise",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhTilt, angle), -360, 360, 0);
  VIPS_ARG_DOUBLE(class, "width", 14, "Width", "What stays sharp",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhTilt, width), 0, 2, 0);
  VIPS_ARG_DOUBLE(class, "falloff", 15, "Falloff", "From sharp to blurred",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhTilt, falloff), 0.001, 2, 0.25);
}

static void ph_tilt_init(PhTilt *tilt) {
  tilt->sigma = 10;
  tilt->x = tilt->y = 0.5;
  tilt->falloff = 0.25;
}
