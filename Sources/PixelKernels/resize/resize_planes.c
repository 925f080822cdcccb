#include <stdlib.h>
#include <string.h>

#include "base/kernel.h"
#include "part.h"
#include "planes.h"
#include "resampler.h"

/// The number of rows computed at a time.
enum { PH_STRIP = 16 };

/// The value of neutral chroma.
static const float zero = 128.0f / 255.0f;

/// The conversion of YCbCr to RGB: three factors and an offset for each of R, G and B.
static const float to_rgb[] = {1, 0,          1.402f,     -1.402f * zero,
                               1, -0.344136f, -0.714136f, (0.344136f + 0.714136f) * zero,
                               1, 1.772f,     0,          -1.772f * zero};

/// The operation `phbatch_resize_planes`: an RGB image of exactly `width` × `height` from the YCbCr
/// planes that `phbatch_jpegload` reads.
///
/// Each plane is resampled from its own size, as by `phbatch_resize`; then the planes are converted
/// to RGB. Chroma is thus neither upsampled to the size of the picture first, nor rounded in
/// between. One thread at a time reads the input, from the top down. The input rows that the planes
/// read at the same time are no further apart than the input rows of 8 output rows plus the width
/// of a kernel.
///
/// - Source: ITU-T T.871 (JFIF), section 7.
///
/// Reach: as for `phbatch_resize`. Kind of buffers: sums (see kernel.h). One thread at a time
/// computes the kernel.
typedef struct {
  PhKernel parent_instance;
  int width;
  int height;
  VipsKernel kernel;
  PhPart part;
  PhResampling resampling[PH_PLANES];
  /// The states of the resampling of each plane, which the threads use in turn.
  PhResampler *resamplers[PH_PLANES];
  /// Resampled rows of each plane, and a block of their pixels.
  float *rows[PH_PLANES];
  PhBlock *block;
} PhResizePlanes;

typedef PhKernelClass PhResizePlanesClass;

PH_DEFINE_OPERATION(PhResizePlanes, ph_resize_planes, ph_kernel_get_type())

/// The state of one thread: a region of the input for each plane.
typedef struct {
  VipsRegion *sources[PH_PLANES];
} PhPlanesSequence;

static int ph_resize_planes_stop(void *sequence, void *a, void *b) {
  (void)a, (void)b;
  PhPlanesSequence *own = sequence;
  for (int i = 0; i < PH_PLANES; i++) VIPS_UNREF(own->sources[i]);
  g_free(own);
  return 0;
}

static void *ph_resize_planes_start(VipsImage *out, void *a, void *b) {
  (void)out, (void)b;
  PhPlanesSequence *own = g_new0(PhPlanesSequence, 1);
  for (int i = 0; i < PH_PLANES; i++) own->sources[i] = vips_region_new(a);
  return own;
}

/// Converts one resampled row to pixels. Returns the number of clipped pixels.
static int convert(const PhResizePlanes *resize, int row, int width, VipsPel *to) {
  const PhKernel *kernel = &resize->parent_instance;
  PhBlock *block = resize->block;
  size_t size = VIPS_IMAGE_SIZEOF_PEL(kernel->out);
  int clipped = 0;
  for (int x = 0; x < width; x += PH_BLOCK) {
    block->count = VIPS_MIN(PH_BLOCK, width - x);
    for (int i = 0; i < PH_PLANES; i++)
      memcpy(block->plane[i], resize->rows[i] + (size_t)row * (size_t)resize->width + x,
             (size_t)block->count * sizeof(float));
    kernel->loops->step[PHBATCH_OP_MATRIX](block, to_rgb);
    clipped += ph_kernel_pack(kernel, block, to + (size_t)x * size);
  }
  return clipped;
}

/// Computes the output eight rows at a time, so that all planes read nearly the same rows of the
/// input.
static int ph_resize_planes_generate(VipsRegion *out, void *sequence, void *a, void *b,
                                     gboolean *stop) {
  (void)a, (void)stop;
  const PhPlanesSequence *own = sequence;
  PhResizePlanes *resize = b;
  const VipsRect *area = &out->valid;
  size_t pitch = (size_t)resize->width * sizeof(float);
  int clipped = 0;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y += PH_LANES) {
    VipsRect part = {area->left, y, area->width, VIPS_MIN(PH_LANES, VIPS_RECT_BOTTOM(area) - y)};
    for (int i = 0; i < PH_PLANES; i++) {
      int none = 0;
      if (ph_resampler_fill(resize->resamplers[i], own->sources[i], &part,
                            (VipsPel *)resize->rows[i], pitch, &none))
        return -1;
    }
    for (int row = 0; row < part.height; row++)
      clipped +=
          convert(resize, row, area->width, VIPS_REGION_ADDR(out, area->left, y + row));
  }
  ph_kernel_tally(&resize->parent_instance, area, clipped);
  return 0;
}

/// Prepares the resampling of one plane.
static int prepare(PhResizePlanes *resize, const PhPlanes *planes, int number) {
  const PhPlane *plane = &planes->plane[number];
  PhResampling *resampling = &resize->resampling[number];
  *resampling = (PhResampling){
      .loops = resize->parent_instance.loops,
      .place = {number == 0 ? planes->rows : 1, plane->pitch, plane->left},
      .bands = 1,
      .from = PH_UCHAR,
      .to = PH_FLOAT,
  };
  const PhPart *part = &resize->part;
  if (ph_axis_init(&resampling->across, resize->kernel, plane->width, part->left * plane->across,
                   part->across * plane->across, resize->width) ||
      ph_axis_init(&resampling->down, resize->kernel, plane->height, part->top * plane->down,
                   part->down * plane->down, resize->height))
    return -1;
  resampling->sums = ph_resampling_sums(resampling);
  resize->resamplers[number] = ph_resampler_new(resampling);
  resize->rows[number] = g_try_new(float, PH_LANES *(size_t)resize->width);
  return resize->resamplers[number] && resize->rows[number] ? 0 : -1;
}

static int ph_resize_planes_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhResizePlanes *resize = (PhResizePlanes *)object;
  PhPlanes planes;
  if (VIPS_OBJECT_CLASS(ph_resize_planes_parent_class)->build(object) ||
      ph_planes_get(kernel->in, &planes))
    return -1;
  resize->block = aligned_alloc(_Alignof(PhBlock), sizeof(PhBlock));
  if (!resize->block) {
    vips_error("phbatch_resize_planes", "memory is short");
    return -1;
  }
  resize->block->bands = PH_PLANES;
  for (int i = 0; i < PH_PLANES; i++)
    if (prepare(resize, &planes, i)) return -1;
  VipsImage **made = (VipsImage **)vips_object_local_array(object, 2);
  made[0] = vips_image_new();
  if (vips_image_pipelinev(made[0], VIPS_DEMAND_STYLE_FATSTRIP, kernel->in, NULL)) return -1;
  made[0]->Xsize = resize->width;
  made[0]->Ysize = resize->height;
  made[0]->Bands = PH_PLANES;
  ph_kernel_describe(kernel, made[0]);
  g_object_set(kernel, "out", vips_image_new(), NULL);
  return vips_image_generate(made[0], ph_resize_planes_start, ph_resize_planes_generate,
                             ph_resize_planes_stop, kernel->in, resize) ||
                 vips_sequential(made[0], &made[1], "tile_height", PH_STRIP, NULL) ||
                 vips_image_write(made[1], kernel->out)
             ? -1
             : 0;
}

static void ph_resize_planes_finalize(GObject *object) {
  PhResizePlanes *resize = (PhResizePlanes *)object;
  for (int i = 0; i < PH_PLANES; i++) {
    ph_resampler_free(resize->resamplers[i]);
    ph_axis_clear(&resize->resampling[i].across);
    ph_axis_clear(&resize->resampling[i].down);
    g_free(resize->rows[i]);
  }
  free(resize->block);
  G_OBJECT_CLASS(ph_resize_planes_parent_class)->finalize(object);
}

static void ph_resize_planes_class_init(PhResizePlanesClass *class) {
  G_OBJECT_CLASS(class)->finalize = ph_resize_planes_finalize;
  ph_kernel_class_describe(class, "phbatch_resize_planes", "resample planes to RGB of a size",
                           ph_resize_planes_build);
  VIPS_ARG_INT(class, "width", 10, "Width", "Pixels in a row of the output",
               VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhResizePlanes, width), 1,
               VIPS_MAX_COORD, 1);
  VIPS_ARG_INT(class, "height", 11, "Height", "Rows of the output", VIPS_ARGUMENT_REQUIRED_INPUT,
               G_STRUCT_OFFSET(PhResizePlanes, height), 1, VIPS_MAX_COORD, 1);
  VIPS_ARG_ENUM(class, "kernel", 12, "Kernel", "How samples are weighted",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhResizePlanes, kernel),
                VIPS_TYPE_KERNEL, VIPS_KERNEL_LANCZOS3);
  ph_part_arguments(VIPS_OBJECT_CLASS(class), G_STRUCT_OFFSET(PhResizePlanes, part));
}

static void ph_resize_planes_init(PhResizePlanes *resize) {
  resize->kernel = VIPS_KERNEL_LANCZOS3;
  resize->part = (PhPart){0, 0, 1, 1};
}
