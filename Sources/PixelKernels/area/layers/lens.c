#pragma STDC FP_CONTRACT OFF

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layers.h"

/// The maximum number of levels: images blurred by a Gaussian, each with half the standard
/// deviation of the next image.
enum { PH_LEVELS = 8 };

/// Minimum weight of an in-focus pixel; avoids division by zero.
static const float least_weight = 1e-4f;

/// The operation `phbatch_lens`: blurs each pixel in proportion to its distance from the focus.
///
/// - Nearness: 0…1 for each pixel, from `maps`, which is one image in memory with one band of float
///   that is stretched over the frame.
/// - Blur of a pixel: the standard deviation `sigma` (pixels, up to 100,000) × the difference
///   between the nearness and `focus` (0…1), at most 250 pixels.
/// - Gaussians: the image in linear light, blurred with standard deviations that halve from the
///   largest one. Pixels are weighted by their blur, so that pixels in focus do not spread into
///   their neighbours.
///
/// A pixel is interpolated between the two Gaussians next to its blur. The input is RGB, with or
/// without premultiplied alpha; alpha is kept.
///
/// Reach: 3 × the largest standard deviation. Kind of buffers: blurs (see kernel.h), with five
/// floats a pixel.
typedef struct {
  PhKernel parent_instance;
  double sigma;
  double focus;
  VipsArrayImage *maps;

  /// Set by `build`: the map, the payload of the instruction COVER_MAP that reads the map, the
  /// nearness that is in focus, and the standard deviations of the levels.
  PhMap map;
  float place[8];
  double sharp;
  float levels[PH_LEVELS];
  int count;
  /// The number of bands of the blurred images: 3 for light and 1 for its weight. If any pixel can
  /// be nearer than the focus, a fifth band is the share of these pixels.
  int bands;
  /// The source, then the blurred levels, then NULL.
  VipsImage *images[PH_LEVELS + 2];
} PhLens;

typedef PhKernelClass PhLensClass;

PH_DEFINE_OPERATION(PhLens, ph_lens, ph_kernel_get_type())

/// The input of one level's blur, computed from the source.
typedef struct {
  const PhLens *lens;
  VipsImage *source;
  int number;
  /// Pixels have full weight if the standard deviation of their blur, in pixels, is at least this.
  float full;
} PhLensLevel;

/// The state of one thread.
typedef struct {
  PhBlock block;
  float colours[PH_LEVELS][3][PH_BLOCK];
  /// For each level, the share of pixels that are nearer than the focus, blurred like the level.
  float spread[PH_LEVELS][PH_BLOCK];
  float radius[PH_BLOCK];
  /// 1 for pixels nearer than the focus, else 0.
  float near[PH_BLOCK];
  VipsRegion *regions[PH_LEVELS + 1];
} PhLensSequence;

static int ph_lens_stop(void *sequence, void *a, void *b) {
  (void)a, (void)b;
  PhLensSequence *own = sequence;
  for (int i = 0; i <= PH_LEVELS; i++) VIPS_UNREF(own->regions[i]);
  free(own);
  return 0;
}

static PhLensSequence *new_sequence(const PhLens *lens) {
  PhLensSequence *own = aligned_alloc(_Alignof(PhLensSequence), sizeof(PhLensSequence));
  if (!own) {
    vips_error("phbatch_lens", "out of memory");
    return NULL;
  }
  memset(own->regions, 0, sizeof own->regions);
  own->block.maps = &lens->map;
  return own;
}

static void *ph_lens_start(VipsImage *out, void *a, void *b) {
  (void)out, (void)a;
  const PhLens *lens = b;
  PhLensSequence *own = new_sequence(lens);
  for (int i = 0; own && i <= lens->count; i++) own->regions[i] = vips_region_new(lens->images[i]);
  return own;
}

static void *ph_lens_level_start(VipsImage *out, void *a, void *b) {
  (void)out, (void)a;
  const PhLensLevel *level = b;
  PhLensSequence *own = new_sequence(level->lens);
  if (own) own->regions[0] = vips_region_new(level->source);
  return own;
}

/// Reads a block as linear light that is not premultiplied, and computes the standard deviation of
/// each pixel's blur. Alpha is 1 if the image has none.
static void read_light(const PhLens *lens, PhLensSequence *own, int x, int y, int right) {
  const PhKernel *kernel = &lens->parent_instance;
  PhBlock *block = &own->block;
  int alpha = kernel->in->Bands == 4;
  block->left = x;
  block->top = y;
  block->count = VIPS_MIN(PH_BLOCK, right - x);
  kernel->loops->unpack[kernel->from][alpha](VIPS_REGION_ADDR(own->regions[0], x, y), block);
  for (int i = 0; i < block->count; i++) {
    if (!alpha) block->plane[3][i] = 1;
    float opacity = block->plane[3][i];
    float scale = !alpha ? 1 : opacity > 0 ? 1 / opacity : 0;
    for (int c = 0; c < 3; c++) block->plane[c][i] *= scale;
  }
  kernel->loops->step[PHBATCH_OP_DECODE](block, NULL);
  kernel->loops->step[PHBATCH_OP_COVER_MAP](block, lens->place);
  float sigma = (float)lens->sigma, focus = (float)lens->sharp;
  float most = lens->levels[lens->count - 1];
  for (int i = 0; i < block->count; i++) {
    float difference = block->cover[0][i] - focus;
    float radius = sigma * fabsf(difference);
    own->radius[i] = radius < most ? radius : most;
    own->near[i] = difference > 0 ? 1 : 0;
  }
}

/// Returns the level that contributes the fraction `part` to a blur with the standard deviation
/// `radius`. The level with the next smaller blur contributes the rest; for the first level, this
/// is the image that is not blurred.
static int level_of(const PhLens *lens, float radius, float *part) {
  int k = 0;
  while (k < lens->count - 1 && lens->levels[k] < radius) k++;
  float low = k > 0 ? lens->levels[k - 1] * lens->levels[k - 1] : 0;
  float high = lens->levels[k] * lens->levels[k];
  *part = (radius * radius - low) / (high - low);
  return k;
}

/// Sets the fifth band to the share of each pixel's blur that comes from this level, multiplied by
/// the pixel's opacity; 0 for a pixel that is not nearer than the focus.
static void add_near(const PhLensLevel *level, const PhLensSequence *own, const float *opacity,
                     float *to) {
  for (int i = 0; i < own->block.count; i++) {
    float part;
    int k = level_of(level->lens, own->radius[i], &part);
    float share = k == level->number ? part : k == level->number + 1 ? 1 - part : 0;
    to[5 * i + 4] = own->near[i] * share * opacity[i];
  }
}

/// Computes the input of one level's Gaussian: premultiplied linear light. The weight of a pixel
/// increases with the blur of the pixel.
static int ph_lens_level_generate(VipsRegion *out, void *sequence, void *a, void *b,
                                  gboolean *stop) {
  (void)a, (void)stop;
  const PhLensLevel *level = b;
  PhLensSequence *own = sequence;
  PhBlock *block = &own->block;
  const VipsRect *area = &out->valid;
  int bands = level->lens->bands;
  if (vips_region_prepare(own->regions[0], area)) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    for (int x = area->left; x < VIPS_RECT_RIGHT(area); x += PH_BLOCK) {
      read_light(level->lens, own, x, y, VIPS_RECT_RIGHT(area));
      float *to = (float *)VIPS_REGION_ADDR(out, x, y);
      if (bands == 5) add_near(level, own, block->plane[3], to);
      for (int i = 0; i < block->count; i++) {
        float part = own->radius[i] / level->full;
        part = part < 1 ? part : 1;
        float weight = block->plane[3][i] * (least_weight + part * part);
        for (int c = 0; c < 3; c++) to[bands * i + c] = block->plane[c][i] * weight;
        to[bands * i + 3] = weight;
      }
    }
  return 0;
}

/// Reads a block of each level, and divides its light by the blurred weights.
static void read_levels(const PhLens *lens, PhLensSequence *own, int x, int y, int count) {
  int bands = lens->bands;
  for (int k = 0; k < lens->count; k++) {
    const float *from = (const float *)VIPS_REGION_ADDR(own->regions[k + 1], x, y);
    for (int i = 0; i < count; i++) {
      float weight = from[bands * i + 3];
      float scale = weight > 0 ? 1 / weight : 0;
      for (int c = 0; c < 3; c++) own->colours[k][c][i] = from[bands * i + c] * scale;
    }
    if (bands == 5)
      for (int i = 0; i < count; i++) own->spread[k][i] = from[5 * i + 4];
  }
}

/// Replaces each pixel by a mix of the two levels with the next smaller and the next larger blur;
/// the variance of the pixel's own blur determines the mix.
static void mix(const PhLens *lens, PhLensSequence *own) {
  PhBlock *block = &own->block;
  for (int i = 0; i < block->count; i++) {
    float part;
    int k = level_of(lens, own->radius[i], &part);
    for (int c = 0; c < 3; c++) {
      float from = k > 0 ? own->colours[k - 1][c][i] : block->plane[c][i];
      block->plane[c][i] = from + part * (own->colours[k][c][i] - from);
    }
  }
}

/// Returns the fraction of a level that may cover a pixel. Levels with a larger blur cover a pixel
/// that is itself nearer than the focus; all levels cover other pixels.
static float covering(int level, float near, int own, float part) {
  if (near == 0 || level > own + 1) return 1;
  return level == own + 1 ? 1 - part : 0;
}

/// Composites the blurred pixels nearer than the focus over each pixel. Where their share is one
/// half or more, they are opaque, because at the edge of an object the blurred share is one half.
static void cover(const PhLens *lens, PhLensSequence *own) {
  PhBlock *block = &own->block;
  for (int i = 0; i < block->count; i++) {
    float part, all = 0, light[3] = {0, 0, 0};
    int here = level_of(lens, own->radius[i], &part);
    for (int k = 0; k < lens->count; k++) {
      float spread = covering(k, own->near[i], here, part) * own->spread[k][i];
      all += spread;
      for (int c = 0; c < 3; c++) light[c] += spread * own->colours[k][c][i];
    }
    if (!(all > 0)) continue;
    float over = 2 * all < 1 ? 2 * all : 1;
    for (int c = 0; c < 3; c++)
      block->plane[c][i] += over * (light[c] / all - block->plane[c][i]);
  }
}

static int ph_lens_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  const PhLens *lens = b;
  const PhKernel *kernel = &lens->parent_instance;
  PhLensSequence *own = sequence;
  PhBlock *block = &own->block;
  const VipsRect *area = &out->valid;
  int alpha = kernel->in->Bands == 4, clipped = 0;
  // The level with the largest blur is prepared first, because its blur reads furthest down.
  for (int i = lens->count; i >= 0; i--)
    if (vips_region_prepare(own->regions[i], area)) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    for (int x = area->left; x < VIPS_RECT_RIGHT(area); x += PH_BLOCK) {
      read_levels(lens, own, x, y, VIPS_MIN(PH_BLOCK, VIPS_RECT_RIGHT(area) - x));
      read_light(lens, own, x, y, VIPS_RECT_RIGHT(area));
      mix(lens, own);
      if (lens->bands == 5) cover(lens, own);
      kernel->loops->step[PHBATCH_OP_ENCODE](block, NULL);
      if (alpha)
        for (int c = 0; c < 3; c++)
          for (int i = 0; i < block->count; i++) block->plane[c][i] *= block->plane[3][i];
      clipped += ph_kernel_pack(kernel, block, VIPS_REGION_ADDR(out, x, y));
    }
  ph_kernel_tally(kernel, area, clipped);
  return 0;
}

/// The nearness of the subject: the 80th percentile of the nearness in the middle half of the map's
/// width and height.
static double subject(const PhMap *map) {
  enum { STEPS = 1024 };
  size_t counts[STEPS + 1] = {0}, all = 0;
  for (int y = map->height / 4; y < map->height - map->height / 4; y++)
    for (int x = map->width / 4; x < map->width - map->width / 4; x++) {
      float near = map->samples[((size_t)y * (size_t)map->width + (size_t)x) * (size_t)map->bands];
      near = near > 0 ? near < 1 ? near : 1 : 0;
      counts[(int)(near * STEPS + 0.5f)]++;
      all++;
    }
  size_t below = 0;
  for (int i = 0; i <= STEPS; i++) {
    below += counts[i];
    if (5 * below >= 4 * all) return (double)i / STEPS;
  }
  return 1;
}

static int open_map(PhLens *lens) {
  const VipsImage *in = lens->parent_instance.in;
  int count;
  VipsImage **maps = vips_array_image_get(lens->maps, &count);
  if (count != 1) {
    vips_error("phbatch_lens", "%d maps are not one", count);
    return -1;
  }
  if (vips_image_wio_input(maps[0]) ||
      vips_check_format("phbatch_lens", maps[0], VIPS_FORMAT_FLOAT))
    return -1;
  lens->map = (PhMap){(const float *)VIPS_IMAGE_ADDR(maps[0], 0, 0), maps[0]->Xsize,
                      maps[0]->Ysize, maps[0]->Bands};
  float across = 1 / (float)in->Xsize, down = 1 / (float)in->Ysize;
  float place[8] = {0, 0, across / 2, across, 0, down / 2, 0, down};
  memcpy(lens->place, place, sizeof place);
  return 0;
}

/// Creates one blurred level, as premultiplied float; NULL on failure.
static VipsImage *open_level(PhLens *lens, VipsImage *source, int number) {
  PhKernel *kernel = &lens->parent_instance;
  PhLensLevel *level = VIPS_NEW(kernel, PhLensLevel);
  VipsImage **image = (VipsImage **)vips_object_local_array(VIPS_OBJECT(kernel), 1);
  image[0] = vips_image_new();
  if (!level || vips_image_pipelinev(image[0], VIPS_DEMAND_STYLE_FATSTRIP, kernel->in, NULL))
    return NULL;
  *level = (PhLensLevel){lens, source, number, lens->levels[number > 0 ? number - 1 : 0]};
  image[0]->BandFmt = VIPS_FORMAT_FLOAT;
  image[0]->Bands = lens->bands;
  if (vips_image_generate(image[0], ph_lens_level_start, ph_lens_level_generate, ph_lens_stop, NULL,
                          level))
    return NULL;
  return ph_layers_blurred(kernel, image[0], lens->levels[number]);
}

static int ph_lens_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhLens *lens = (PhLens *)object;
  if (VIPS_OBJECT_CLASS(ph_lens_parent_class)->build(object) || ph_kernel_check_rgb(kernel) ||
      open_map(lens))
    return -1;
  // The largest blur, `most` below, is at least 0.3 pixels, the minimum sigma of `phbatch_blur`; a
  // smaller blur is not visible.
  lens->sharp = lens->focus < 0 ? subject(&lens->map) : lens->focus;
  double most = VIPS_CLIP(0.3, lens->sigma * VIPS_MAX(lens->sharp, 1 - lens->sharp), 250);
  lens->count = 2;
  while (lens->count < PH_LEVELS && ldexp(most, 1 - lens->count) > 1.5) lens->count++;
  for (int k = 0; k < lens->count; k++) lens->levels[k] = (float)ldexp(most, k + 1 - lens->count);
  // Pixels nearer than the focus need no band of their own if all of them are blurred by less than
  // 0.3 pixels.
  lens->bands = lens->sigma * (1 - lens->sharp) >= 0.3 ? 5 : 4;
  VipsImage *source = ph_layers_source(kernel, most);
  if (!source ||
      ph_kernel_open_output(kernel, VIPS_DEMAND_STYLE_FATSTRIP, (VipsImage *[]){kernel->in, NULL}))
    return -1;
  lens->images[0] = source;
  for (int k = 0; k < lens->count; k++) {
    lens->images[k + 1] = open_level(lens, source, k);
    if (!lens->images[k + 1]) return -1;
  }
  return vips_image_generate(kernel->out, ph_lens_start, ph_lens_generate, ph_lens_stop, NULL,
                             lens);
}

static void ph_lens_class_init(PhLensClass *class) {
  ph_kernel_class_describe(class, "phbatch_lens", "blur by depth", ph_lens_build);
  VIPS_ARG_DOUBLE(class, "sigma", 10, "Sigma", "Standard deviation at a difference of 1",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhLens, sigma), 0, 100000, 0);
  VIPS_ARG_DOUBLE(class, "focus", 11, "Focus", "How near what is sharp is; -1 for the subject",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhLens, focus), -1, 1, -1);
  VIPS_ARG_BOXED(class, "maps", 12, "Maps", "How near everything is",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhLens, maps),
                 VIPS_TYPE_ARRAY_IMAGE);
}

static void ph_lens_init(PhLens *lens) { lens->focus = -1; }
