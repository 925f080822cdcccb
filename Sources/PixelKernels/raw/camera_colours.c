#pragma STDC FP_CONTRACT OFF

#include "base/kernel.h"

/// The operation `phbatch_camera_colours`: balances the white of camera colours and converts them to
/// linear light.
///
/// The input is three bands of floats: red, green and blue of the camera, with 0 for black. They are
/// multiplied by the white balance `multipliers`, clamped to at least 0, and converted by `matrix`
/// (3 × 3 values, row by row).
///
/// With `stored`, 1 is the level at which each channel of the input is saturated; colours near
/// saturation are changed as in `phbatch_develop`, and clipped at white if `clip` is set. Otherwise
/// no colour counts as saturated.
///
/// Reach: 0 pixels. Kind of buffers: rows (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  VipsArrayDouble *multipliers, *matrix;
  gboolean stored, clip;

  PhCameraColours colours;
  float gain[3];
} PhCamera;

typedef PhKernelClass PhCameraClass;

PH_DEFINE_OPERATION(PhCamera, ph_camera, ph_kernel_get_type())

static const char nickname[] = "phbatch_camera_colours";

/// The number of pixels that are converted together.
enum { PH_CAMERA_RUN = 256 };

static int ph_camera_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  const PhCamera *camera = b;
  const VipsRect *area = &out->valid;
  float plane[3][PH_CAMERA_RUN];
  if (vips_region_prepare(sequence, area)) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++) {
    const float *from = (const float *)(const void *)VIPS_REGION_ADDR((VipsRegion *)sequence,
                                                                       area->left, y);
    float *to = (float *)(void *)VIPS_REGION_ADDR(out, area->left, y);
    for (int x = 0; x < area->width; x += PH_CAMERA_RUN) {
      int count = VIPS_MIN(PH_CAMERA_RUN, area->width - x);
      for (int c = 0; c < 3; c++)
        for (int i = 0; i < count; i++) {
          float value = from[3 * (x + i) + c] * camera->gain[c];
          plane[c][i] = value > 0 ? value : 0;
        }
      camera->parent_instance.loops->camera_colours(&camera->colours, plane[0], plane[1],
                                                    plane[2], count);
      for (int c = 0; c < 3; c++)
        for (int i = 0; i < count; i++) to[3 * (x + i) + c] = plane[c][i];
    }
  }
  return 0;
}

static int fail(const char *words) {
  vips_error(nickname, "%s", words);
  return -1;
}

static int ph_camera_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhCamera *camera = (PhCamera *)object;
  if (VIPS_OBJECT_CLASS(ph_camera_parent_class)->build(object)) return -1;
  if (kernel->in->Bands != 3 || kernel->from != PH_FLOAT || kernel->to != PH_FLOAT)
    return fail("the image must have three bands of floats");
  if (ph_kernel_read_numbers(nickname, camera->multipliers, 3, camera->gain) ||
      ph_kernel_read_numbers(nickname, camera->matrix, 9, camera->colours.matrix))
    return -1;
  for (int i = 0; i < 3; i++) {
    if (!(camera->gain[i] > 0)) return fail("multipliers must be positive");
    camera->colours.per_full[i] = camera->stored ? 1 / camera->gain[i] : 0;
  }
  camera->colours.clips = camera->stored && camera->clip;
  g_object_set(object, "out", vips_image_new(), NULL);
  if (vips_image_pipelinev(kernel->out, VIPS_DEMAND_STYLE_THINSTRIP, kernel->in, NULL)) return -1;
  kernel->out->Type = VIPS_INTERPRETATION_scRGB;
  return vips_image_generate(kernel->out, vips_start_one, ph_camera_generate, vips_stop_one,
                             kernel->in, camera);
}

static void ph_camera_class_init(PhCameraClass *class) {
  ph_kernel_class_describe(class, nickname, "convert the colours of a camera", ph_camera_build);
  VIPS_ARG_BOXED(class, "multipliers", 10, "Multipliers", "For red, green and blue",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhCamera, multipliers),
                 VIPS_TYPE_ARRAY_DOUBLE);
  VIPS_ARG_BOXED(class, "matrix", 11, "Matrix", "From balanced colours to the output",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhCamera, matrix),
                 VIPS_TYPE_ARRAY_DOUBLE);
  VIPS_ARG_BOOL(class, "stored", 12, "Stored", "At 1, a channel is saturated",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhCamera, stored), FALSE);
  VIPS_ARG_BOOL(class, "clip", 13, "Clip", "Clip all channels at white",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhCamera, clip), FALSE);
}

static void ph_camera_init(PhCamera *camera) { (void)camera; }
