#pragma STDC FP_CONTRACT OFF

#include "tilt.h"

#include <math.h>

#include "layers.h"

typedef struct {
  PhKernel parent_instance;
  double sigma;
  double x, y;
  double angle;
  double width;
  double falloff;

  /// Set by `build`: the point, half the band and the falloff in pixels.
  double middle_x, middle_y, half, reach;
} PhTilt;

typedef PhKernelClass PhTiltClass;

G_DEFINE_TYPE(PhTilt, ph_tilt, ph_kernel_get_type())

static void ph_tilt_combine(const PhKernel *kernel, PhBlock *block, PhBlock *const *layers) {
  const PhTilt *tilt = (const PhTilt *)kernel;
  double turn = tilt->angle * (G_PI / 180);
  float across[2] = {(float)sin(turn), (float)cos(turn)};
  double start = block->left + 0.5 - tilt->middle_x;
  double down = block->top + 0.5 - tilt->middle_y;
  float part[PH_BLOCK];
  for (int i = 0; i < block->count; i++)
    part[i] = fabsf((float)(start + i) * across[0] + (float)down * across[1]);
  kernel->loops->tilt(block, layers[0], layers[1], part, (float)tilt->half,
                      (float)(1 / tilt->reach));
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
  VipsImage *source = ph_layers_source(kernel, tilt->sigma);
  if (!source) return -1;
  VipsImage *layers[] = {ph_layers_blurred(kernel, source, tilt->sigma / 3),
                         ph_layers_blurred(kernel, source, tilt->sigma)};
  return layers[0] && layers[1] ? ph_layers_output(kernel, source, layers, 2, ph_tilt_combine) : -1;
}

static void ph_tilt_class_init(PhTiltClass *class) {
  ph_kernel_class_describe(class, "phbatch_tilt", "blur outside a band", ph_tilt_build);
  VIPS_ARG_DOUBLE(class, "sigma", 10, "Sigma", "Standard deviation in pixels",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhTilt, sigma), 0.9, 250, 10);
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
