#pragma STDC FP_CONTRACT OFF

#include <string.h>

#include "base/kernel.h"

/// The operation `phbatch_develop`: the picture of a Bayer mosaic, in linear light.
///
/// The mosaic is one band of floats, 0 for black and 1 for full light of each colour, as
/// `phbatch_rawload` makes it. `width` × `height` pixels from (`left`, `top`) on are developed.
/// `red-left` and `red-top` are the column and the row, 0 or 1, of red in each cell of 2 × 2 pixels.
/// The colours are balanced by `multipliers`, the smallest of which is 1, interpolated, and
/// converted by `matrix`, 3 × 3 row by row. Light above white is kept; see PhCameraColours for
/// colours near the sensor's limit, and for `clip`. With a `shrink` of 2, 4 or 8 the output is
/// smaller: each of its pixels is the mean of a square of pixels, colour by colour, and nothing is
/// interpolated. Pixels outside the mosaic are reflections of those inside.
///
/// The output is computed in strips of PH_STRIP rows, and the last strips are kept. Rows can be read
/// in any order, by any number of threads; one thread at a time computes.
///
/// Reach: PH_MOSAIC_REACH × shrink. Buffers: the kept strips, a tile, and the rows of a strip.
typedef struct {
  PhKernel parent_instance;
  int left, top, width, height, shrink, red_left, red_top;
  VipsArrayDouble *multipliers, *matrix;
  gboolean clip;

  PhCameraColours colours;
  float gain[3];
  GMutex lock;
  /// The kept strips, and their numbers; −1 for none. The next strip replaces `oldest`.
  float *strip[2];
  int number[2];
  int oldest;
  /// The tile with all its planes, and the size of a plane in floats.
  PhMosaic tile;
  float *planes;
  float *line;
} PhDevelop;

typedef PhKernelClass PhDevelopClass;

G_DEFINE_TYPE(PhDevelop, ph_develop, ph_kernel_get_type())

/// The rows of a strip, and the columns of a tile. A tile's planes fit into the L2 cache.
enum { PH_STRIP = 64, PH_TILE = 256, PH_KEPT = 2 };
enum {
  PH_TILE_ROWS = PH_STRIP + 2 * PH_MOSAIC_REACH,
  PH_TILE_COLUMNS = PH_TILE + 2 * PH_MOSAIC_REACH,
  PH_TILE_PITCH = PH_TILE_COLUMNS / 2 + 2 * PH_MOSAIC_PAD,
  PH_TILE_PLANE = 2 * PH_TILE_ROWS * PH_TILE_PITCH,
};

static const char nickname[] = "phbatch_develop";

static int fail(const char *words) {
  vips_error(nickname, "%s", words);
  return -1;
}

/// Returns the pixel inside 0 ..< `count` of which the pixel `at` is a reflection at the edge
/// pixel; it has the same parity.
static int reflected(int at, int count) {
  int period = 2 * (count - 1);
  at %= period;
  if (at < 0) at += period;
  return at < count ? at : period - at;
}

/// The colour of a pixel of the mosaic: 0 red, 1 green, 2 blue.
static int colour_at(const PhDevelop *develop, int x, int y) {
  int is_red_row = (y & 1) == develop->red_top, is_red_column = (x & 1) == develop->red_left;
  return is_red_row == is_red_column ? (is_red_row ? 0 : 2) : 1;
}

static const float *row_of(VipsRegion *source, int y) {
  return (const float *)(const void *)VIPS_REGION_ADDR(source, 0, y);
}

/// Prepares the rows of the mosaic from `top` on, as far as they are inside it.
static int prepare(VipsRegion *source, int top, int rows) {
  int height = source->im->Ysize;
  // Reflections at an edge read rows near it.
  int first = VIPS_CLIP(0, top, height - 1), end = VIPS_CLIP(1, top + rows, height);
  if (top < 0) end = VIPS_MIN(height, VIPS_MAX(end, 1 - top));
  if (top + rows > height)
    first = VIPS_MAX(0, VIPS_MIN(first, 2 * (height - 1) - (top + rows - 1)));
  if (end - first < 1) first = 0, end = height;
  VipsRect area = {0, first, source->im->Xsize, end - first};
  return vips_region_prepare(source, &area);
}

/// Copies the balanced samples of a tile, whose first pixel is (x0, y0) of the mosaic.
static void fill_tile(PhDevelop *develop, VipsRegion *source, int x0, int y0) {
  PhMosaic *tile = &develop->tile;
  int width = source->im->Xsize, height = source->im->Ysize;
  tile->red_row = (develop->red_top - y0) & 1;
  tile->red_column = (develop->red_left - x0) & 1;
  for (int y = 0; y < tile->rows; y++) {
    const float *from = row_of(source, reflected(y0 + y, height));
    for (int parity = 0; parity < 2; parity++) {
      float *to = tile->mosaic + (2 * y + parity) * tile->pitch + PH_MOSAIC_PAD;
      float gain = develop->gain[colour_at(develop, x0 + parity, y0 + y)];
      int count = tile->columns / 2;
      gboolean is_inside = x0 >= 0 && x0 + tile->columns <= width;
      if (is_inside) {
        const float *pixel = from + x0 + parity;
        for (int i = 0; i < count; i++) {
          float sample = pixel[2 * i] * gain;
          to[i] = sample > 0 ? sample : 0;
        }
      } else {
        for (int i = 0; i < count; i++) {
          float sample = from[reflected(x0 + 2 * i + parity, width)] * gain;
          to[i] = sample > 0 ? sample : 0;
        }
      }
    }
  }
}

/// Writes `count` pixels of one parity, from the half rows on, to every second pixel.
static void interleave(const float *red, const float *green, const float *blue, int count,
                       float *to) {
  for (int i = 0; i < count; i++) {
    to[6 * i] = red[i];
    to[6 * i + 1] = green[i];
    to[6 * i + 2] = blue[i];
  }
}

/// Develops `rows` rows of the output, from `top` on, by the demosaic.
static int develop_strip(PhDevelop *develop, VipsRegion *source, int top, int rows, float *to) {
  PhKernel *kernel = &develop->parent_instance;
  PhMosaic *tile = &develop->tile;
  int y0 = develop->top + top - PH_MOSAIC_REACH;
  tile->rows = rows + 2 * PH_MOSAIC_REACH;
  if (prepare(source, y0, tile->rows)) return -1;
  for (int left = 0; left < develop->width; left += PH_TILE) {
    int columns = VIPS_MIN(PH_TILE, develop->width - left);
    tile->columns = (columns + 2 * PH_MOSAIC_REACH + 1) & ~1;
    fill_tile(develop, source, develop->left + left - PH_MOSAIC_REACH, y0);
    kernel->loops->demosaic(tile);
    for (int y = 0; y < rows; y++)
      for (int parity = 0; parity < 2; parity++) {
        int at = (2 * (y + PH_MOSAIC_REACH) + parity) * tile->pitch + PH_MOSAIC_PAD +
                 PH_MOSAIC_REACH / 2;
        int count = (columns + 1 - parity) / 2;
        float *red = tile->red + at, *green = tile->green + at, *blue = tile->blue + at;
        kernel->loops->camera_colours(&develop->colours, red, green, blue, count);
        interleave(red, green, blue, count,
                   to + ((size_t)y * (size_t)develop->width + (size_t)(left + parity)) * 3);
      }
  }
  return 0;
}

/// The weight of the samples of one colour along one axis of a square of `shrink` pixels, for the
/// sample `step` of `shrink / 2 + 1`. The mean of the weighted samples is at the middle of the
/// square, although the colour's samples are at one side of each cell.
static float weight_of(int step, int shrink, gboolean is_first) {
  float first = is_first ? 0.75f : 0.25f;
  if (step == 0) return first;
  return step == shrink / 2 ? 1 - first : 1;
}

/// Adds the samples of red or blue of a square, from the row buffer `sums` of the whole width.
static float across(const float *sums, int x, int shrink, gboolean is_first, int width) {
  int start = is_first ? x : x - 1;
  float sum = 0;
  for (int step = 0; step <= shrink / 2; step++)
    sum += weight_of(step, shrink, is_first) * sums[reflected(start + 2 * step, width)];
  return sum;
}

/// Adds a row, times a weight, to the sums of a row.
static void add_row(float *restrict sums, const float *from, float weight, int width) {
  for (int x = 0; x < width; x++) sums[x] += weight * from[x];
}

/// Develops `rows` rows of the reduced output, from `top` on.
static int reduce_strip(PhDevelop *develop, VipsRegion *source, int top, int rows, float *to) {
  PhKernel *kernel = &develop->parent_instance;
  int width = source->im->Xsize, height = source->im->Ysize, shrink = develop->shrink;
  if (prepare(source, develop->top + top * shrink - 2, rows * shrink + 4)) return -1;
  // Sums of the rows of red and of blue, and of both kinds of rows for green.
  float *red = develop->line, *blue = red + width, *even = blue + width, *odd = even + width;
  float *out = odd + width;
  int outputs = kernel->out->Xsize;
  float half = 2 / (float)shrink, quarter = half * half;
  for (int y = 0; y < rows; y++) {
    int y0 = develop->top + (top + y) * shrink;
    memset(develop->line, 0, 4 * (size_t)width * sizeof(float));
    for (int colour = 0; colour < 2; colour++) {
      int row = colour ? 1 - develop->red_top : develop->red_top;
      gboolean is_first = (y0 & 1) == row;
      int start = is_first ? y0 : y0 - 1;
      for (int step = 0; step <= shrink / 2; step++)
        add_row(colour ? blue : red, row_of(source, reflected(start + 2 * step, height)),
                weight_of(step, shrink, is_first), width);
    }
    for (int step = 0; step < shrink; step++) {
      // Green is in the other columns than red in red's rows.
      gboolean is_red_row = ((y0 + step) & 1) == develop->red_top;
      gboolean is_odd = is_red_row ? !develop->red_left : develop->red_left;
      add_row(is_odd ? odd : even, row_of(source, reflected(y0 + step, height)), 1, width);
    }
    for (int x = 0; x < outputs; x++) {
      int x0 = develop->left + x * shrink;
      gboolean is_red_first = (x0 & 1) == develop->red_left;
      float green = 0;
      for (int step = 0; step < shrink; step++) {
        int column = reflected(x0 + step, width);
        green += (column & 1) ? odd[column] : even[column];
      }
      float r = across(red, x0, shrink, is_red_first, width) * quarter * develop->gain[0];
      float g = green * quarter * 0.5f * develop->gain[1];
      float b = across(blue, x0, shrink, !is_red_first, width) * quarter * develop->gain[2];
      out[x] = r > 0 ? r : 0;
      out[outputs + x] = g > 0 ? g : 0;
      out[2 * outputs + x] = b > 0 ? b : 0;
    }
    kernel->loops->camera_colours(&develop->colours, out, out + outputs, out + 2 * outputs,
                                  outputs);
    float *pixel = to + (size_t)y * (size_t)outputs * 3;
    for (int x = 0; x < outputs; x++)
      for (int band = 0; band < 3; band++) pixel[3 * x + band] = out[band * outputs + x];
  }
  return 0;
}

/// Returns a strip, and computes it unless it is kept; NULL on failure. The lock must be held.
static const float *strip_of(PhDevelop *develop, VipsRegion *source, int number) {
  for (int i = 0; i < PH_KEPT; i++)
    if (develop->number[i] == number) {
      develop->oldest = (i + 1) % PH_KEPT;
      return develop->strip[i];
    }
  int slot = develop->oldest;
  int top = number * PH_STRIP;
  int rows = VIPS_MIN(PH_STRIP, develop->parent_instance.out->Ysize - top);
  develop->number[slot] = -1;
  int failed = develop->shrink > 1
                   ? reduce_strip(develop, source, top, rows, develop->strip[slot])
                   : develop_strip(develop, source, top, rows, develop->strip[slot]);
  if (failed) return NULL;
  develop->number[slot] = number;
  develop->oldest = (slot + 1) % PH_KEPT;
  return develop->strip[slot];
}

static int ph_develop_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  PhDevelop *develop = b;
  const VipsRect *area = &out->valid;
  size_t width = (size_t)develop->parent_instance.out->Xsize;
  int failed = 0;
  g_mutex_lock(&develop->lock);
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area) && !failed; y++) {
    const float *strip = strip_of(develop, sequence, y / PH_STRIP);
    failed = strip ? 0 : -1;
    if (strip)
      memcpy(VIPS_REGION_ADDR(out, area->left, y),
             strip + ((size_t)(y % PH_STRIP) * width + (size_t)area->left) * 3,
             (size_t)area->width * 3 * sizeof(float));
  }
  g_mutex_unlock(&develop->lock);
  return failed;
}

/// Allocates the strips, and the tile or the sums of rows.
static int allocate(PhDevelop *develop) {
  size_t width = (size_t)develop->parent_instance.out->Xsize;
  for (int i = 0; i < PH_KEPT; i++) {
    develop->strip[i] = g_try_new(float, PH_STRIP * width * 3);
    if (!develop->strip[i]) return fail("memory is short");
  }
  if (develop->shrink > 1) {
    size_t sums = 4 * (size_t)develop->parent_instance.in->Xsize + 3 * width;
    develop->line = g_try_new0(float, sums);
    return develop->line ? 0 : fail("memory is short");
  }
  // Six planes with both halves, one with a half, and a row.
  enum { planes = 6 };
  develop->planes = g_try_new0(float, (planes + 1) * PH_TILE_PLANE);
  if (!develop->planes) return fail("memory is short");
  float *plane = develop->planes;
  PhMosaic *tile = &develop->tile;
  float **const all[planes] = {&tile->mosaic, &tile->red,    &tile->green,
                               &tile->blue,   &tile->detail, &tile->direction};
  for (int i = 0; i < planes; i++, plane += PH_TILE_PLANE) *all[i] = plane;
  tile->chroma = plane;
  tile->scratch = plane + PH_TILE_PLANE / 2;
  tile->pitch = PH_TILE_PITCH;
  return 0;
}

static int read_numbers(const VipsArrayDouble *array, int count, float *to) {
  int length;
  const double *from = vips_array_double_get((VipsArrayDouble *)(size_t)array, &length);
  if (length != count) return fail("multipliers or matrix have another length");
  for (int i = 0; i < count; i++) to[i] = (float)from[i];
  return 0;
}

static int ph_develop_build(VipsObject *object) {
  PhDevelop *develop = (PhDevelop *)object;
  PhKernel *kernel = PH_KERNEL(object);
  if (VIPS_OBJECT_CLASS(ph_develop_parent_class)->build(object)) return -1;
  if (kernel->in->Bands != 1 || kernel->from != PH_FLOAT || kernel->to != PH_FLOAT)
    return fail("the mosaic must be one band of floats, and the picture floats");
  if (kernel->in->Xsize < 2 || kernel->in->Ysize < 2 ||
      develop->left + develop->width > kernel->in->Xsize ||
      develop->top + develop->height > kernel->in->Ysize)
    return fail("the frame does not fit into the mosaic");
  if (read_numbers(develop->multipliers, 3, develop->gain) ||
      read_numbers(develop->matrix, 9, develop->colours.matrix))
    return -1;
  for (int i = 0; i < 3; i++) {
    if (!(develop->gain[i] > 0)) return fail("multipliers must be positive");
    develop->colours.per_full[i] = 1 / develop->gain[i];
  }
  develop->colours.clips = develop->clip;
  g_object_set(object, "out", vips_image_new(), NULL);
  if (vips_image_pipelinev(kernel->out, VIPS_DEMAND_STYLE_THINSTRIP, kernel->in, NULL)) return -1;
  kernel->out->Xsize = VIPS_MAX(1, develop->width / develop->shrink);
  kernel->out->Ysize = VIPS_MAX(1, develop->height / develop->shrink);
  kernel->out->Bands = 3;
  kernel->out->BandFmt = VIPS_FORMAT_FLOAT;
  kernel->out->Type = VIPS_INTERPRETATION_scRGB;
  if (allocate(develop)) return -1;
  return vips_image_generate(kernel->out, vips_start_one, ph_develop_generate, vips_stop_one,
                             kernel->in, develop);
}

static void ph_develop_finalize(GObject *object) {
  PhDevelop *develop = (PhDevelop *)object;
  for (int i = 0; i < PH_KEPT; i++) g_free(develop->strip[i]);
  g_free(develop->planes);
  g_free(develop->line);
  g_mutex_clear(&develop->lock);
  G_OBJECT_CLASS(ph_develop_parent_class)->finalize(object);
}

static void ph_develop_class_init(PhDevelopClass *class) {
  ph_kernel_class_describe(class, nickname, "develop a Bayer mosaic", ph_develop_build);
  G_OBJECT_CLASS(class)->finalize = ph_develop_finalize;
#define PH_DEVELOP_INT(name, place, field, low, high)                                       \
  VIPS_ARG_INT(class, name, place, name, "Of the frame or of the mosaic's cells",           \
               VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhDevelop, field), low, high, low)
  PH_DEVELOP_INT("left", 10, left, 0, VIPS_MAX_COORD);
  PH_DEVELOP_INT("top", 11, top, 0, VIPS_MAX_COORD);
  PH_DEVELOP_INT("width", 12, width, 1, VIPS_MAX_COORD);
  PH_DEVELOP_INT("height", 13, height, 1, VIPS_MAX_COORD);
  PH_DEVELOP_INT("red-left", 14, red_left, 0, 1);
  PH_DEVELOP_INT("red-top", 15, red_top, 0, 1);
#undef PH_DEVELOP_INT
  VIPS_ARG_INT(class, "shrink", 16, "Shrink", "The side of the square of an output pixel",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDevelop, shrink), 1, 8, 1);
  VIPS_ARG_BOXED(class, "multipliers", 17, "Multipliers", "For red, green and blue",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhDevelop, multipliers),
                 VIPS_TYPE_ARRAY_DOUBLE);
  VIPS_ARG_BOXED(class, "matrix", 18, "Matrix", "From balanced colours to the output",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhDevelop, matrix),
                 VIPS_TYPE_ARRAY_DOUBLE);
  VIPS_ARG_BOOL(class, "clip", 19, "Clip", "Clip all channels at white",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDevelop, clip), FALSE);
}

static void ph_develop_init(PhDevelop *develop) {
  develop->shrink = 1;
  for (int i = 0; i < PH_KEPT; i++) develop->number[i] = -1;
  g_mutex_init(&develop->lock);
}
