#include "knots.h"

#include <string.h>

#include "base/row_cache.h"

/// The number of pixels in a row whose columns are averaged at a time.
enum { PH_COLUMNS = 256 };

/// The parameters of one of two operations: the reduction of an image to knots, or the
/// interpolation between knots.
typedef struct {
  const PhKernel *kernel;
  int step;
  /// The weights of the tent filter along one axis, from the centre outwards.
  float weight[];
} PhKnots;

/// The state of one thread: a region of the input, and some rows of floats.
typedef struct {
  VipsRegion *region;
  float *rows;
  const float **lines;
  size_t room;
} PhKnotsSequence;

static int ph_knots_stop(void *sequence, void *a, void *b) {
  (void)a, (void)b;
  PhKnotsSequence *own = sequence;
  VIPS_UNREF(own->region);
  g_free(own->rows);
  g_free(own->lines);
  g_free(own);
  return 0;
}

static void *ph_knots_start(VipsImage *out, void *a, void *b) {
  (void)out;
  const PhKnots *knots = b;
  PhKnotsSequence *own = g_new0(PhKnotsSequence, 1);
  own->region = vips_region_new(a);
  own->lines = g_new(const float *, 2 * knots->step);
  return own;
}

static int ensure(PhKnotsSequence *own, size_t count) {
  if (count <= own->room) return 0;
  g_free(own->rows);
  own->rows = g_try_new(float, count);
  own->room = own->rows ? count : 0;
  if (own->rows) return 0;
  vips_error("phbatch_kernel", "out of memory");
  return -1;
}

/// Computes the weighted means of the columns around row `y` of the image, from pixel `left` on.
static int average_columns(PhKnotsSequence *own, const PhKnots *knots, int left, int width, int y,
                           float *to, float *scratch) {
  const PhKernel *kernel = knots->kernel;
  int step = knots->step;
  int bands = kernel->in->Bands;
  int last = kernel->in->Ysize - 1;
  VipsRect need = {left, VIPS_CLIP(0, y - step + 1, last), width, 0};
  need.height = VIPS_CLIP(0, y + step - 1, last) - need.top + 1;
  if (vips_region_prepare(own->region, &need)) return -1;
  int pitch = PH_COLUMNS * bands;
  for (int x = 0; x < width; x += PH_COLUMNS) {
    int samples = VIPS_MIN(PH_COLUMNS, width - x) * bands;
    for (int i = 0; i < need.height; i++)
      kernel->loops->read[kernel->from](VIPS_REGION_ADDR(own->region, left + x, need.top + i),
                                        scratch + i * pitch, samples);
    for (int k = 1 - step; k < step; k++)
      own->lines[k + step - 1] = scratch + (VIPS_CLIP(0, y + k, last) - need.top) * pitch;
    kernel->loops->filter(own->lines + step - 1, knots->weight, step - 1, to + x * bands, samples);
  }
  return 0;
}

static int ph_knots_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  PhKnotsSequence *own = sequence;
  const PhKnots *knots = b;
  const PhKernel *kernel = knots->kernel;
  int step = knots->step;
  int bands = kernel->in->Bands;
  const VipsRect *area = &out->valid;
  // The pixels that the tent filters of the area's knots cover; some may be outside the image.
  int first = (area->left - 2) * step + 1;
  int count = (area->width + 1) * step - 1;
  int left = VIPS_CLIP(0, first, kernel->in->Xsize - 1);
  int right = VIPS_CLIP(0, first + count - 1, kernel->in->Xsize - 1);
  size_t wide = (size_t)count * (size_t)bands;
  if (ensure(own, wide + (size_t)(2 * step * PH_COLUMNS * bands))) return -1;
  for (int row = area->top; row < VIPS_RECT_BOTTOM(area); row++) {
    float *inside = own->rows + (left - first) * bands;
    if (average_columns(own, knots, left, right - left + 1, (row - 1) * step, inside,
                        own->rows + wide))
      return -1;
    for (int i = (left - first) * bands - 1; i >= 0; i--) own->rows[i] = own->rows[i + bands];
    for (int i = (right + 1 - first) * bands; i < count * bands; i++)
      own->rows[i] = own->rows[i - bands];
    kernel->loops->gather(own->rows, knots->weight, step, bands,
                          (float *)(void *)VIPS_REGION_ADDR(out, area->left, row), area->width);
  }
  return 0;
}

static PhKnots *new_knots(PhKernel *kernel, int step) {
  PhKnots *knots = vips_malloc(VIPS_OBJECT(kernel), sizeof(PhKnots) + (size_t)step * sizeof(float));
  if (!knots) return NULL;
  *knots = (PhKnots){.kernel = kernel, .step = step};
  for (int k = 0; k < step; k++)
    knots->weight[k] = (float)((double)(step - k) / ((double)step * (double)step));
  return knots;
}

/// The number of knots along an axis of `pixels` pixels. The second last knot is at the last pixel
/// or beyond it, so that the tent filter of the last knot covers only repetitions of the last
/// pixel.
static int knots_along(int pixels, int step) { return (pixels + step - 2) / step + 3; }

VipsImage *ph_knots_new(PhKernel *kernel, VipsImage *source, int step) {
  PhKnots *knots = new_knots(kernel, step);
  VipsImage **image = (VipsImage **)vips_object_local_array(VIPS_OBJECT(kernel), 1);
  image[0] = vips_image_new();
  if (!knots || vips_image_pipelinev(image[0], VIPS_DEMAND_STYLE_FATSTRIP, kernel->in, NULL))
    return NULL;
  image[0]->Xsize = knots_along(kernel->in->Xsize, step);
  image[0]->Ysize = knots_along(kernel->in->Ysize, step);
  image[0]->BandFmt = VIPS_FORMAT_FLOAT;
  return vips_image_generate(image[0], ph_knots_start, ph_knots_generate, ph_knots_stop, source,
                             knots)
             ? NULL
             : image[0];
}

/// Interpolates between the knots to compute one row of pixels of the area.
static void stretch(const PhKnotsSequence *own, const PhKnots *knots, const VipsRect *area, int row,
                    float *to) {
  int first = area->left / knots->step + 1;
  const VipsPel *from = VIPS_REGION_ADDR(own->region, first, row);
  knots->kernel->loops->stretch((const float *)(const void *)from, knots->step,
                                area->left % knots->step, knots->kernel->in->Bands, to,
                                area->width);
}

static int ph_knots_expand(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  PhKnotsSequence *own = sequence;
  const PhKnots *knots = b;
  const PhKernel *kernel = knots->kernel;
  int step = knots->step;
  const VipsRect *area = &out->valid;
  int clipped = 0;
  int left = area->left / step + 1;
  int top = area->top / step + 1;
  VipsRect need = {left, top, (VIPS_RECT_RIGHT(area) - 1) / step + 3 - left,
                   (VIPS_RECT_BOTTOM(area) - 1) / step + 3 - top};
  int samples = area->width * kernel->in->Bands;
  if (vips_region_prepare(own->region, &need) || ensure(own, 3 * (size_t)samples)) return -1;
  float *upper = own->rows;
  float *lower = upper + samples;
  float *row = lower + samples;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++) {
    if (y == area->top || y % step == 0) {
      stretch(own, knots, area, y / step + 1, upper);
      stretch(own, knots, area, y / step + 2, lower);
    }
    memcpy(row, upper, (size_t)samples * sizeof(float));
    kernel->loops->approach(row, lower, (float)(y % step) / (float)step, samples);
    clipped += ph_kernel_write(kernel, row, VIPS_REGION_ADDR(out, area->left, y), samples);
  }
  ph_kernel_tally(kernel, area, clipped);
  return 0;
}

int ph_knots_output(PhKernel *kernel, VipsImage *knots, int step) {
  PhKnots *own = new_knots(kernel, step);
  VipsImage *cached = ph_row_cache(kernel, knots, 2, step);
  if (!own || !cached ||
      ph_kernel_open_output(kernel, VIPS_DEMAND_STYLE_FATSTRIP, (VipsImage *[]){kernel->in, NULL}))
    return -1;
  return vips_image_generate(kernel->out, ph_knots_start, ph_knots_expand, ph_knots_stop, cached,
                             own);
}
