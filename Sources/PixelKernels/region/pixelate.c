#pragma STDC FP_CONTRACT OFF

#include <math.h>
#include <string.h>

#include "base/row_cache.h"

/// The operation `phbatch_pixelate`: divides the image into squares, and gives each square the mean
/// colour of its pixels.
///
/// The image has any number of bands; alpha must be premultiplied. `size` is the side of a square,
/// 1…1000 pixels, not necessarily whole: a pixel belongs to the square that contains its centre.
/// Squares start at the top left; those at the right and the bottom edge may be cut.
///
/// Reach: `size` pixels. Kind of buffers: neighbours (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  double size;
} PhPixelate;

typedef PhKernelClass PhPixelateClass;

PH_DEFINE_OPERATION(PhPixelate, ph_pixelate, ph_kernel_get_type())

/// Returns the first pixel of a square; valid for both axes.
static int first_pixel(const PhPixelate *pixelate, int square) {
  return (int)ceil(square * pixelate->size - 0.5);
}

/// Returns the index of the square that contains a pixel.
static int square_of(const PhPixelate *pixelate, int pixel) {
  int square = (int)((pixel + 0.5) / pixelate->size);
  if (first_pixel(pixelate, square) > pixel) return square - 1;
  return first_pixel(pixelate, square + 1) > pixel ? square : square + 1;
}

/// The pixels of the image that belong to a range of squares.
static VipsRect pixels_of(const PhPixelate *pixelate, const VipsRect *squares) {
  const VipsImage *in = pixelate->parent_instance.in;
  int left = first_pixel(pixelate, squares->left);
  int top = first_pixel(pixelate, squares->top);
  int right = VIPS_MIN(first_pixel(pixelate, VIPS_RECT_RIGHT(squares)), in->Xsize);
  int bottom = VIPS_MIN(first_pixel(pixelate, VIPS_RECT_BOTTOM(squares)), in->Ysize);
  return (VipsRect){left, top, right - left, bottom - top};
}

/// Computes the means of one row of squares; `sums` is scratch for a row of the image.
static int average_row(const PhPixelate *pixelate, VipsRegion *source, const VipsRect *squares,
                       float *sums, float *row, float *to) {
  const PhKernel *kernel = &pixelate->parent_instance;
  int bands = kernel->in->Bands;
  VipsRect need = pixels_of(pixelate, squares);
  int samples = need.width * bands;
  if (vips_region_prepare(source, &need)) return -1;
  memset(sums, 0, (size_t)samples * sizeof(float));
  for (int y = need.top; y < VIPS_RECT_BOTTOM(&need); y++) {
    kernel->loops->read[kernel->from](VIPS_REGION_ADDR(source, need.left, y), row, samples);
    for (int i = 0; i < samples; i++) sums[i] += row[i];
  }
  for (int i = 0; i < squares->width; i++) {
    int start = first_pixel(pixelate, squares->left + i) - need.left;
    int end = VIPS_MIN(first_pixel(pixelate, squares->left + i + 1) - need.left, need.width);
    for (int band = 0; band < bands; band++) {
      float sum = 0;
      for (int x = start; x < end; x++) sum += sums[x * bands + band];
      to[i * bands + band] = sum / (float)((end - start) * need.height);
    }
  }
  return 0;
}

/// Computes the image of means, which has one pixel for each square.
static int ph_pixelate_average(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  const PhPixelate *pixelate = b;
  size_t samples = (size_t)pixels_of(pixelate, &out->valid).width *
                   (size_t)pixelate->parent_instance.in->Bands;
  float *rows = g_try_new(float, 2 * samples);
  int failed = rows ? 0 : -1;
  for (int y = out->valid.top; y < VIPS_RECT_BOTTOM(&out->valid) && !failed; y++) {
    VipsRect squares = {out->valid.left, y, out->valid.width, 1};
    failed = average_row(pixelate, sequence, &squares, rows, rows + samples,
                         (float *)(void *)VIPS_REGION_ADDR(out, squares.left, y));
  }
  g_free(rows);
  return failed;
}

static int ph_pixelate_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  const PhPixelate *pixelate = b;
  const PhKernel *kernel = &pixelate->parent_instance;
  VipsRegion *means = sequence;
  const VipsRect *area = &out->valid;
  int bands = kernel->in->Bands;
  size_t row_size = (size_t)area->width * VIPS_IMAGE_SIZEOF_PEL(kernel->out);
  VipsRect squares = {square_of(pixelate, area->left), square_of(pixelate, area->top), 0, 0};
  squares.width = square_of(pixelate, VIPS_RECT_RIGHT(area) - 1) + 1 - squares.left;
  squares.height = square_of(pixelate, VIPS_RECT_BOTTOM(area) - 1) + 1 - squares.top;
  if (vips_region_prepare(means, &squares)) return -1;
  float *row = g_try_new(float, area->width * bands);
  if (!row) return -1;
  // The number of clipped pixels in the row that was written last, and in all rows.
  int last = 0, clipped = 0;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++) {
    VipsPel *to = VIPS_REGION_ADDR(out, area->left, y);
    int line = square_of(pixelate, y);
    if (y > area->top && y > first_pixel(pixelate, line)) {
      memcpy(to, VIPS_REGION_ADDR(out, area->left, y - 1), row_size);
      clipped += last;
      continue;
    }
    const VipsPel *address = VIPS_REGION_ADDR(means, squares.left, line);
    const float *mean = (const float *)(const void *)address;
    int square = 0;
    for (int x = 0; x < area->width; x++) {
      if (area->left + x >= first_pixel(pixelate, squares.left + square + 1)) square++;
      for (int band = 0; band < bands; band++) row[x * bands + band] = mean[square * bands + band];
    }
    last = ph_kernel_write(kernel, row, to, area->width * bands);
    clipped += last;
  }
  ph_kernel_tally(kernel, area, clipped);
  g_free(row);
  return 0;
}

static int ph_pixelate_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhPixelate *pixelate = (PhPixelate *)object;
  if (VIPS_OBJECT_CLASS(ph_pixelate_parent_class)->build(object)) return -1;
  VipsImage *inputs[] = {kernel->in, NULL};
  VipsImage *source = ph_row_cache_input(kernel, 0, 1);
  VipsImage **means = (VipsImage **)vips_object_local_array(object, 1);
  means[0] = vips_image_new();
  if (!source || vips_image_pipeline_array(means[0], VIPS_DEMAND_STYLE_FATSTRIP, inputs)) return -1;
  means[0]->Xsize = square_of(pixelate, kernel->in->Xsize - 1) + 1;
  means[0]->Ysize = square_of(pixelate, kernel->in->Ysize - 1) + 1;
  means[0]->BandFmt = VIPS_FORMAT_FLOAT;
  if (vips_image_generate(means[0], vips_start_one, ph_pixelate_average, vips_stop_one, source,
                          pixelate))
    return -1;
  VipsImage *cached = ph_row_cache(kernel, means[0], 1, (int)ceil(pixelate->size));
  if (!cached || ph_kernel_open_output(kernel, VIPS_DEMAND_STYLE_FATSTRIP, inputs)) return -1;
  return vips_image_generate(kernel->out, vips_start_one, ph_pixelate_generate, vips_stop_one,
                             cached, pixelate);
}

static void ph_pixelate_class_init(PhPixelateClass *class) {
  ph_kernel_class_describe(class, "phbatch_pixelate", "squares of one colour", ph_pixelate_build);
  VIPS_ARG_DOUBLE(class, "size", 10, "Size", "Pixels a side", VIPS_ARGUMENT_REQUIRED_INPUT,
                  G_STRUCT_OFFSET(PhPixelate, size), 1, 1000, 10);
}

static void ph_pixelate_init(PhPixelate *pixelate) { pixelate->size = 10; }
