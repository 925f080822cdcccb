#pragma STDC FP_CONTRACT OFF

#include "raw/develop.h"

typedef PhKernelClass PhDevelopClass;

PH_DEFINE_OPERATION(PhDevelop, ph_develop, ph_kernel_get_type())

/// The number of columns of a tile, and the number of kept strips. The planes of a tile of this size
/// fit into the L2 cache.
enum { PH_TILE = 256, PH_KEPT = 2 };
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

/// Multiplies the samples of a tile by the white balance, clamps them to at least 0, and copies
/// them. The tile's first pixel is (x0, y0) of the mosaic.
static void fill_tile(PhDevelop *develop, VipsRegion *source, int x0, int y0) {
  PhMosaic *tile = &develop->tile;
  int width = source->im->Xsize, height = source->im->Ysize;
  tile->red_row = (develop->red_top - y0) & 1;
  tile->red_column = (develop->red_left - x0) & 1;
  for (int y = 0; y < tile->rows; y++) {
    const float *from = ph_mosaic_row(source, ph_reflected(y0 + y, height));
    for (int parity = 0; parity < 2; parity++) {
      float *to = tile->mosaic + (2 * y + parity) * tile->pitch + PH_MOSAIC_PAD;
      // x0 and y0 are not below −PH_MOSAIC_REACH, which is even.
      int colour = ph_filter_colour(&develop->cell, x0 + parity + PH_MOSAIC_REACH,
                                    y0 + y + PH_MOSAIC_REACH);
      float gain = develop->gain[colour];
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
          float sample = from[ph_reflected(x0 + 2 * i + parity, width)] * gain;
          to[i] = sample > 0 ? sample : 0;
        }
      }
    }
  }
}

/// Copies `count` pixels from rows of red, green and blue to every second pixel of a row of
/// interleaved pixels. The source rows have only the even or only the odd columns.
static void interleave(const float *red, const float *green, const float *blue, int count,
                       float *to) {
  for (int i = 0; i < count; i++) {
    to[6 * i] = red[i];
    to[6 * i + 1] = green[i];
    to[6 * i + 2] = blue[i];
  }
}

/// Develops `rows` rows of the output, from `top` on, by demosaicing a Bayer mosaic.
static int develop_bayer(PhDevelop *develop, VipsRegion *source, int top, int rows, float *to) {
  PhKernel *kernel = &develop->parent_instance;
  PhMosaic *tile = &develop->tile;
  int y0 = develop->top + top - PH_MOSAIC_REACH;
  tile->rows = rows + 2 * PH_MOSAIC_REACH;
  if (ph_mosaic_prepare(source, y0, tile->rows)) return -1;
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
        if (develop->rebuild)
          ph_ratio_map_rebuild(&develop->ratios, develop->left + left + parity + 0.5,
                               develop->top + top + y + 0.5, 2, develop->gain, red, green, blue,
                               count);
        kernel->loops->camera_colours(&develop->colours, red, green, blue, count);
        interleave(red, green, blue, count,
                   to + ((size_t)y * (size_t)develop->width + (size_t)(left + parity)) * 3);
      }
  }
  return 0;
}

/// Returns the strip with this number, computed unless it is kept; NULL on failure. The caller must
/// hold the lock.
static const float *strip_of(PhDevelop *develop, VipsRegion *source, int number) {
  for (int i = 0; i < PH_KEPT; i++)
    if (develop->number[i] == number) {
      develop->oldest = (i + 1) % PH_KEPT;
      return develop->strip[i];
    }
  if (develop->rebuild && !develop->ratios.colours &&
      ph_ratio_map_measure(&develop->ratios, source, &develop->cell, develop->gain)) {
    ph_ratio_map_free(&develop->ratios);
    return NULL;
  }
  int slot = develop->oldest;
  int top = number * PH_STRIP;
  int rows = VIPS_MIN(PH_STRIP, develop->parent_instance.out->Ysize - top);
  develop->number[slot] = -1;
  gboolean is_bayer = develop->cell.edge == 2;
  if ((develop->shrink > 1 ? is_bayer ? ph_develop_reduce : ph_develop_reduce_xtrans
       : is_bayer          ? develop_bayer
                           : ph_develop_xtrans)(develop, source, top, rows, develop->strip[slot]))
    return NULL;
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

/// Allocates the kept strips, and either the planes of a tile or, if `shrink` exceeds 1, the sums
/// of rows.
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
  if (develop->cell.edge == 6) return ph_xtrans_allocate(develop) ? fail("memory is short") : 0;
  // A tile has six planes with both halves of each row, and the memory of a seventh, which contains
  // `chroma`, a plane with one half of each row, and `scratch`, a single row.
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

/// Finds the place of the cell in the pattern. Returns −1 if the pattern is neither of a Bayer nor of
/// an X-Trans sensor.
static int read_pattern(PhDevelop *develop) {
  int count;
  const int *colours = vips_array_int_get(develop->pattern, &count);
  PhFilterCell *cell = &develop->cell;
  cell->edge = count == 36 ? 6 : 2;
  if (count != 4 && count != 36) return -1;
  for (int i = 0; i < count; i++) cell->colours[i] = colours[i] == 3 ? 1 : colours[i];
  for (int place = 0; place < count; place++) {
    int left = place % cell->edge, top = place / cell->edge, differing = 0;
    for (int i = 0; i < count; i++) {
      int x = i % cell->edge, y = i / cell->edge;
      int colour = cell->edge == 6 ? ph_xtrans_colour(y, x) : x == y ? 2 * x : 1;
      differing += ph_filter_colour(cell, left + x, top + y) != colour;
    }
    if (differing) continue;
    develop->red_left = develop->cell_left = left;
    develop->red_top = develop->cell_top = top;
    return 0;
  }
  return -1;
}

static int ph_develop_build(VipsObject *object) {
  PhDevelop *develop = (PhDevelop *)object;
  PhKernel *kernel = PH_KERNEL(object);
  if (VIPS_OBJECT_CLASS(ph_develop_parent_class)->build(object)) return -1;
  if (kernel->in->Bands != 1 || kernel->from != PH_FLOAT || kernel->to != PH_FLOAT)
    return fail("the mosaic must be one band of floats, and the picture floats");
  if (read_pattern(develop)) return fail("the pattern is of another sensor");
  int least = develop->cell.edge == 6 ? 8 : 2;
  if (kernel->in->Xsize < least || kernel->in->Ysize < least ||
      develop->left + develop->width > kernel->in->Xsize ||
      develop->top + develop->height > kernel->in->Ysize)
    return fail("the frame does not fit into the mosaic");
  if (ph_kernel_read_numbers(nickname, develop->multipliers, 3, develop->gain) ||
      ph_kernel_read_numbers(nickname, develop->matrix, 9, develop->colours.matrix))
    return -1;
  for (int i = 0; i < 3; i++) {
    if (!(develop->gain[i] > 0)) return fail("multipliers must be positive");
    // With 0, no channel counts as nearly clipped.
    develop->colours.per_full[i] = develop->rebuild ? 0 : 1 / develop->gain[i];
  }
  static const float luminance[3] = {0.2126f, 0.7152f, 0.0722f};
  float sum = 0;
  for (int i = 0; i < 3; i++) {
    float share = 0;
    for (int row = 0; row < 3; row++)
      share += luminance[row] * develop->colours.matrix[3 * row + i];
    develop->ratios.luminance[i] = VIPS_MAX(share, 0);
    sum += develop->ratios.luminance[i];
  }
  for (int i = 0; i < 3; i++)
    develop->ratios.luminance[i] = sum > 0 ? develop->ratios.luminance[i] / sum : 1 / 3.0f;
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
  ph_xtrans_free(develop);
  g_free(develop->line);
  ph_ratio_map_free(&develop->ratios);
  g_mutex_clear(&develop->lock);
  G_OBJECT_CLASS(ph_develop_parent_class)->finalize(object);
}

static void ph_develop_class_init(PhDevelopClass *class) {
  ph_kernel_class_describe(class, nickname, "develop a Bayer or X-Trans mosaic", ph_develop_build);
  G_OBJECT_CLASS(class)->finalize = ph_develop_finalize;
#define PH_DEVELOP_INT(name, place, field, low, high)                                       \
  VIPS_ARG_INT(class, name, place, name, "Of the frame",                                    \
               VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhDevelop, field), low, high, low)
  PH_DEVELOP_INT("left", 10, left, 0, VIPS_MAX_COORD);
  PH_DEVELOP_INT("top", 11, top, 0, VIPS_MAX_COORD);
  PH_DEVELOP_INT("width", 12, width, 1, VIPS_MAX_COORD);
  PH_DEVELOP_INT("height", 13, height, 1, VIPS_MAX_COORD);
#undef PH_DEVELOP_INT
  VIPS_ARG_BOXED(class, "pattern", 14, "Pattern", "The colours of the first cell",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhDevelop, pattern),
                 VIPS_TYPE_ARRAY_INT);
  VIPS_ARG_INT(class, "shrink", 15, "Shrink", "The side of the square of an output pixel",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDevelop, shrink), 1, 12, 1);
  VIPS_ARG_BOXED(class, "multipliers", 16, "Multipliers", "For red, green and blue",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhDevelop, multipliers),
                 VIPS_TYPE_ARRAY_DOUBLE);
  VIPS_ARG_BOXED(class, "matrix", 17, "Matrix", "From balanced colours to the output",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhDevelop, matrix),
                 VIPS_TYPE_ARRAY_DOUBLE);
  VIPS_ARG_BOOL(class, "clip", 18, "Clip", "Clip all channels at white",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDevelop, clip), FALSE);
  VIPS_ARG_BOOL(class, "rebuild", 19, "Rebuild", "Rebuild clipped channels",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDevelop, rebuild), FALSE);
}

static void ph_develop_init(PhDevelop *develop) {
  develop->shrink = 1;
  for (int i = 0; i < PH_KEPT; i++) develop->number[i] = -1;
  g_mutex_init(&develop->lock);
}
