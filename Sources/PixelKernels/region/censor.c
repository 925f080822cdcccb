#include <math.h>
#include <string.h>

#include "area/layers/layers.h"
#include "base/row_cache.h"

/// The operation `phbatch_censor`: makes a rectangle of the image unrecognisable.
///
/// `left`, `top`, `width` and `height` are fractions of the image. The part that is covered
/// consists of every pixel that the rectangle touches. If `size` is above 0, the part is pixelated
/// into squares with sides of `size` pixels; else if `sigma` is above 0, it is blurred; else it
/// gets the `colour` (R, G, B, 0…1). Pixelation and blur read only pixels of the part itself. The
/// input is RGB, with or without premultiplied alpha; a colour makes the part opaque.
///
/// Reach within the part: 3 × sigma pixels for the blur, `size` pixels for pixelation. Kind of
/// buffers: neighbours (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  double left, top, width, height;
  double size;
  double sigma;
  VipsArea *colour;

  /// Set by `build`: the covered rectangle in pixels, and the colour as R, G, B and alpha.
  VipsRect part;
  float ink[4];
  /// The source; then the pixelated or blurred image that covers the part, unless the part gets a
  /// colour; then NULL.
  VipsImage *images[3];
} PhCensor;

typedef PhKernelClass PhCensorClass;

PH_DEFINE_OPERATION(PhCensor, ph_censor, ph_kernel_get_type())

/// Computes the range of pixels that a range of an axis touches; `start` and `length` are fractions
/// of the axis.
static void touched(double start, double length, int pixels, int *first, int *count) {
  // Fractions are inexact, so a pixel is touched only if more than a millionth of its width is
  // covered.
  int from = VIPS_CLIP(0, (int)floor(start * pixels + 1e-6), pixels);
  int end = VIPS_CLIP(from, (int)ceil((start + length) * pixels - 1e-6), pixels);
  *first = from;
  *count = end - from;
}

/// Writes the covered part (pixelated, blurred or in one colour) over its rows in the output.
static int cover(const PhCensor *censor, VipsRegion *out, VipsRegion *covered) {
  const PhKernel *kernel = &censor->parent_instance;
  size_t pixel = VIPS_IMAGE_SIZEOF_PEL(kernel->out);
  VipsRect hit;
  vips_rect_intersectrect(&out->valid, &censor->part, &hit);
  if (vips_rect_isempty(&hit)) return 0;
  VipsRect inside = hit;
  inside.left -= censor->part.left;
  inside.top -= censor->part.top;
  if (covered && vips_region_prepare(covered, &inside)) return -1;
  for (int y = 0; y < hit.height; y++) {
    VipsPel *to = VIPS_REGION_ADDR(out, hit.left, hit.top + y);
    if (covered)
      memcpy(to, VIPS_REGION_ADDR(covered, inside.left, inside.top + y),
             (size_t)hit.width * pixel);
    for (int x = 0; x < hit.width && !covered; x++)
      kernel->loops->write[kernel->to](censor->ink, to + (size_t)x * pixel, kernel->in->Bands);
  }
  return 0;
}

static int ph_censor_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  const PhCensor *censor = b;
  const PhKernel *kernel = &censor->parent_instance;
  VipsRegion **regions = sequence;
  const VipsRect *area = &out->valid;
  int bands = kernel->in->Bands;
  int clipped = 0;
  if (cover(censor, out, regions[1]) || vips_region_prepare(regions[0], area)) return -1;
  VipsRect hit;
  vips_rect_intersectrect(area, &censor->part, &hit);
  float row[PH_BLOCK * 4];
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    for (int x = area->left; x < VIPS_RECT_RIGHT(area);) {
      gboolean crossing = y >= hit.top && y < VIPS_RECT_BOTTOM(&hit) && !vips_rect_isempty(&hit);
      if (crossing && x == hit.left) x += hit.width;
      int end = crossing && x < hit.left ? hit.left : VIPS_RECT_RIGHT(area);
      int count = VIPS_MIN(PH_BLOCK, end - x);
      if (count == 0) break;
      kernel->loops->read[kernel->from](VIPS_REGION_ADDR(regions[0], x, y), row, count * bands);
      clipped += ph_kernel_write(kernel, row, VIPS_REGION_ADDR(out, x, y), count * bands);
      x += count;
    }
  // Pixels of the covered part are not counted as clipped.
  ph_kernel_tally(kernel, area, clipped);
  return 0;
}

/// Creates the pixelated or blurred part.
static int cover_with_kernel(PhCensor *censor, VipsImage *source) {
  PhKernel *kernel = &censor->parent_instance;
  VipsImage **images = (VipsImage **)vips_object_local_array(VIPS_OBJECT(kernel), 2);
  if (vips_extract_area(source, &images[0], censor->part.left, censor->part.top,
                        censor->part.width, censor->part.height, NULL))
    return -1;
  int failed = censor->size > 0
                   ? vips_call("phbatch_pixelate", images[0], &images[1], kernel->format,
                               censor->size, "portable", kernel->portable, NULL)
                   : vips_call("phbatch_blur", images[0], &images[1], kernel->format,
                               VIPS_MAX(0.3, censor->sigma), "portable", kernel->portable, NULL);
  censor->images[1] = images[1];
  return failed;
}

static int ph_censor_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhCensor *censor = (PhCensor *)object;
  if (VIPS_OBJECT_CLASS(ph_censor_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  touched(censor->left, censor->width, kernel->in->Xsize, &censor->part.left,
          &censor->part.width);
  touched(censor->top, censor->height, kernel->in->Ysize, &censor->part.top,
          &censor->part.height);
  int numbers = 0;
  const double *colour =
      censor->colour ? vips_array_double_get((VipsArrayDouble *)censor->colour, &numbers) : NULL;
  for (int c = 0; c < 4; c++) censor->ink[c] = c == 3 ? 1 : c < numbers ? (float)colour[c] : 0;

  double ahead = VIPS_MAX(censor->sigma, censor->size);
  VipsImage *source = ph_layers_source(kernel, ahead);
  if (!source) return -1;
  censor->images[0] = source;
  gboolean computed = censor->size > 0 || censor->sigma > 0;
  if (computed && !vips_rect_isempty(&censor->part) && cover_with_kernel(censor, source)) return -1;
  if (ph_kernel_open_output(kernel, VIPS_DEMAND_STYLE_FATSTRIP, (VipsImage *[]){kernel->in, NULL}))
    return -1;
  return vips_image_generate(kernel->out, vips_start_many, ph_censor_generate, vips_stop_many,
                             censor->images, censor);
}

static void ph_censor_class_init(PhCensorClass *class) {
  ph_kernel_class_describe(class, "phbatch_censor", "cover a part", ph_censor_build);
  VIPS_ARG_DOUBLE(class, "left", 10, "Left", "Fraction of the width",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhCensor, left), 0, 1, 0);
  VIPS_ARG_DOUBLE(class, "top", 11, "Top", "Fraction of the height",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhCensor, top), 0, 1, 0);
  VIPS_ARG_DOUBLE(class, "width", 12, "Width", "Fraction of the width",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhCensor, width), 0, 1, 1);
  VIPS_ARG_DOUBLE(class, "height", 13, "Height", "Fraction of the height",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhCensor, height), 0, 1, 1);
  VIPS_ARG_DOUBLE(class, "size", 14, "Size", "Pixels of a square", VIPS_ARGUMENT_OPTIONAL_INPUT,
                  G_STRUCT_OFFSET(PhCensor, size), 0, 1000, 0);
  VIPS_ARG_DOUBLE(class, "sigma", 15, "Sigma", "Standard deviation of a blur, in pixels",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhCensor, sigma), 0, 250, 0);
  VIPS_ARG_BOXED(class, "colour", 16, "Colour", "R, G, B", VIPS_ARGUMENT_OPTIONAL_INPUT,
                 G_STRUCT_OFFSET(PhCensor, colour), VIPS_TYPE_ARRAY_DOUBLE);
}

static void ph_censor_init(PhCensor *censor) { censor->width = censor->height = 1; }
