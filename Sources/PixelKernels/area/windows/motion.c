#include <math.h>

#include "window.h"

/// The operation `phbatch_motion`: motion blur of a camera that moves along a straight line.
///
/// Each pixel becomes the mean along a line of `length` (0…250 pixels) through it; `angle` is the
/// line's direction, in degrees counter-clockwise from the horizontal. The line is sampled at
/// points at most half a pixel apart by bilinear interpolation. The input is RGB, with or without
/// premultiplied alpha; alpha is blurred like a colour.
///
/// Reach: length ÷ 2. Kind of buffers: windows (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  double length;
  double angle;

  /// Set by `build`: the number of sampled pixels, their positions relative to the computed pixel,
  /// and their weights, which sum to 1.
  int count;
  int *x, *y;
  float *weight;
  PhWindowPlan plan;
} PhMotion;

typedef PhKernelClass PhMotionClass;

PH_DEFINE_OPERATION(PhMotion, ph_motion, ph_kernel_get_type())

static void ph_motion_filter(const PhKernel *kernel, const PhWindow *window) {
  const PhMotion *motion = (const PhMotion *)kernel;
  const float **line = (const float **)(void *)window->scratch;
  for (int band = 0; band < window->bands; band++)
    for (int y = 0; y < window->height; y++) {
      for (int i = 0; i < motion->count; i++)
        line[i] = window->in[band] + (y + motion->y[i]) * window->pitch + motion->x[i];
      kernel->loops->gather_lines(line, motion->weight, motion->count,
                                  window->out[band] + y * window->width, window->width);
    }
}

static size_t ph_motion_scratch(const PhKernel *kernel, int width, int height) {
  (void)width, (void)height;
  size_t bytes = (size_t)((const PhMotion *)kernel)->count * sizeof(const float *);
  return bytes / sizeof(float) + 1;
}

/// Distributes the line's points over a square of pixels, and stores the pixels that have a weight.
static void draw_line(PhMotion *motion, int reach) {
  int side = 2 * reach + 1;
  double turn = motion->angle * (G_PI / 180);
  int points = 2 * (int)ceil(motion->length) + 1;
  double *square = g_new0(double, side * side);
  for (int i = 0; i < points; i++) {
    double along = points > 1 ? motion->length * ((double)i / (points - 1) - 0.5) : 0;
    double x = reach + along * cos(turn);
    double y = reach - along * sin(turn);
    int left = VIPS_MIN((int)x, side - 2);
    int top = VIPS_MIN((int)y, side - 2);
    double right_part = x - left, lower_part = y - top;
    double *corner = square + top * side + left;
    corner[0] += (1 - right_part) * (1 - lower_part) / points;
    corner[1] += right_part * (1 - lower_part) / points;
    corner[side] += (1 - right_part) * lower_part / points;
    corner[side + 1] += right_part * lower_part / points;
  }
  motion->x = g_new(int, side * side);
  motion->y = g_new(int, side * side);
  motion->weight = g_new(float, side * side);
  for (int i = 0; i < side * side; i++) {
    if (square[i] < 1e-9) continue;
    motion->x[motion->count] = i % side - reach;
    motion->y[motion->count] = i / side - reach;
    motion->weight[motion->count++] = (float)square[i];
  }
  g_free(square);
}

static int ph_motion_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhMotion *motion = (PhMotion *)object;
  if (VIPS_OBJECT_CLASS(ph_motion_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  int reach = (int)(motion->length / 2) + 1;
  draw_line(motion, reach);
  motion->plan = (PhWindowPlan){.margin = reach, .rows = reach > 16 ? 128 : 0, .columns = 512,
                                    .scratch = ph_motion_scratch, .filter = ph_motion_filter};
  return ph_window_output(kernel, &motion->plan);
}

static void ph_motion_finalize(GObject *object) {
  PhMotion *motion = (PhMotion *)object;
  g_free(motion->x);
  g_free(motion->y);
  g_free(motion->weight);
  G_OBJECT_CLASS(ph_motion_parent_class)->finalize(object);
}

static void ph_motion_class_init(PhMotionClass *class) {
  G_OBJECT_CLASS(class)->finalize = ph_motion_finalize;
  ph_kernel_class_describe(class, "phbatch_motion", "motion blur", ph_motion_build);
  VIPS_ARG_DOUBLE(class, "length", 10, "Length", "Pixels", VIPS_ARGUMENT_REQUIRED_INPUT,
                  G_STRUCT_OFFSET(PhMotion, length), 0, 250, 0);
  VIPS_ARG_DOUBLE(class, "angle", 11, "Angle", "Degrees counter-clockwise",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhMotion, angle), -360, 360, 0);
}

static void ph_motion_init(PhMotion *motion) { (void)motion; }
