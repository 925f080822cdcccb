#include <stdlib.h>

#include "base/kernel.h"
#include "program.h"

/// The operation `phbatch_point`: runs a point program (phbatch_program.h) over an RGB image.
///
/// Alpha, if any, is converted to the output's format; only some instructions, such as MIX, LAYER
/// and KEY, change it.
///
/// Reach: 0 pixels. Kind of buffers: rows (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  VipsBlob *blob;
  VipsArrayImage *layers;
  VipsArrayImage *maps;
  PhProgram *program;
  /// A list of `in`, then the layers, then NULL.
  VipsImage *inputs[PHBATCH_IMAGES + 2];
  PhFormat layer_formats[PHBATCH_IMAGES];
  int layer_count;
  PhMap map[PHBATCH_IMAGES];
} PhPoint;

typedef PhKernelClass PhPointClass;

PH_DEFINE_OPERATION(PhPoint, ph_point, ph_kernel_get_type())

/// The state of one thread.
typedef struct {
  PhBlock block;
  /// The regions, one for each input.
  VipsRegion **regions;
} PhPointSequence;

static int ph_point_stop(void *sequence, void *a, void *b) {
  PhPointSequence *own = sequence;
  vips_stop_many(own->regions, a, b);
  free(own);
  return 0;
}

static void *ph_point_start(VipsImage *out, void *a, void *b) {
  const PhPoint *point = b;
  PhPointSequence *own = aligned_alloc(_Alignof(PhPointSequence), sizeof(PhPointSequence));
  if (!own) {
    vips_error("phbatch_point", "out of memory");
    return NULL;
  }
  own->regions = vips_start_many(out, a, b);
  if (!own->regions) {
    free(own);
    return NULL;
  }
  own->block.maps = point->map;
  own->block.bands = point->parent_instance.in->Bands;
  for (int i = 0; i < point->layer_count; i++)
    own->block.layers[i].format = point->layer_formats[i];
  return own;
}

/// Runs the program over the pixels of a block. Returns the number of clipped pixels.
static int run(const PhPoint *point, PhBlock *block, const VipsPel *from, VipsPel *to) {
  const PhKernel *kernel = &point->parent_instance;
  const PhProgram *program = point->program;
  int alpha = block->bands == 4;
  if (program->tables)
    kernel->loops->lookup[kernel->from][alpha](from, program->tables, block);
  else
    kernel->loops->unpack[kernel->from][alpha](from, block);
  int clipped = ph_program_run(program, kernel, block);
  return clipped + ph_kernel_pack(kernel, block, to);
}

static int ph_point_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  const PhPoint *point = b;
  PhPointSequence *own = sequence;
  PhBlock *block = &own->block;
  const VipsRect *area = &out->valid;
  int clipped = 0;
  if (vips_reorder_prepare_many(out->im, own->regions, (VipsRect *)area)) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    for (int x = area->left; x < VIPS_RECT_RIGHT(area); x += PH_BLOCK) {
      block->left = x;
      block->top = y;
      block->count = VIPS_MIN(PH_BLOCK, VIPS_RECT_RIGHT(area) - x);
      for (int i = 0; i < point->layer_count; i++)
        block->layers[i].pixels = VIPS_REGION_ADDR(own->regions[i + 1], x, y);
      clipped += run(point, block, VIPS_REGION_ADDR(own->regions[0], x, y),
                     VIPS_REGION_ADDR(out, x, y));
    }
  ph_kernel_tally(&point->parent_instance, area, clipped);
  return 0;
}

/// Gets the images of an optional array argument. Returns their count, or −1 with the error text
/// set if there are too many.
static int images(VipsArrayImage *array, VipsImage ***list) {
  int count = 0;
  *list = array ? vips_array_image_get(array, &count) : NULL;
  if (count <= PHBATCH_IMAGES) return count;
  vips_error("phbatch_point", "%d images are too many", count);
  return -1;
}

static int open_layers(PhPoint *point) {
  PhKernel *kernel = &point->parent_instance;
  VipsImage **layers;
  point->inputs[0] = kernel->in;
  point->layer_count = images(point->layers, &layers);
  for (int i = 0; i < point->layer_count; i++) {
    if (vips_image_pio_input(layers[i]) || vips_check_uncoded("phbatch_point", layers[i]) ||
        vips_check_size_same("phbatch_point", kernel->in, layers[i]) ||
        vips_check_bands_same("phbatch_point", kernel->in, layers[i]) ||
        !ph_kernel_translate(kernel, layers[i]->BandFmt, &point->layer_formats[i]))
      return -1;
    point->inputs[i + 1] = layers[i];
  }
  return point->layer_count;
}

/// Opens the maps: float images in memory.
static int open_maps(PhPoint *point) {
  VipsImage **maps;
  int count = images(point->maps, &maps);
  for (int i = 0; i < count; i++) {
    if (vips_image_wio_input(maps[i]) ||
        vips_check_format("phbatch_point", maps[i], VIPS_FORMAT_FLOAT))
      return -1;
    point->map[i] = (PhMap){(const float *)VIPS_IMAGE_ADDR(maps[i], 0, 0), maps[i]->Xsize,
                            maps[i]->Ysize, maps[i]->Bands};
  }
  return count;
}

static int ph_point_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhPoint *point = (PhPoint *)object;
  if (VIPS_OBJECT_CLASS(ph_point_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  static const int table_sizes[PH_FORMATS] = {256, 65536, 0};
  PhProgramInput input = {table_sizes[kernel->from], open_layers(point), open_maps(point),
                          point->map};
  if (input.layers < 0 || input.maps < 0) return -1;
  size_t length;
  const void *bytes = vips_blob_get(point->blob, &length);
  point->program = ph_program_read("phbatch_point", bytes, length, input);
  if (!point->program ||
      ph_kernel_open_output(kernel, VIPS_DEMAND_STYLE_THINSTRIP, point->inputs))
    return -1;
  return vips_image_generate(kernel->out, ph_point_start, ph_point_generate, ph_point_stop,
                             point->inputs, point);
}

static void ph_point_finalize(GObject *object) {
  ph_program_free(((PhPoint *)object)->program);
  G_OBJECT_CLASS(ph_point_parent_class)->finalize(object);
}

static void ph_point_class_init(PhPointClass *class) {
  G_OBJECT_CLASS(class)->finalize = ph_point_finalize;
  ph_kernel_class_describe(class, "phbatch_point", "run a program over each pixel", ph_point_build);
  VIPS_ARG_BOXED(class, "program", 10, "Program", "Point program", VIPS_ARGUMENT_REQUIRED_INPUT,
                 G_STRUCT_OFFSET(PhPoint, blob), VIPS_TYPE_BLOB);
  VIPS_ARG_BOXED(class, "layers", 11, "Layers", "Images of the input's size and bands",
                 VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhPoint, layers),
                 VIPS_TYPE_ARRAY_IMAGE);
  VIPS_ARG_BOXED(class, "maps", 12, "Maps", "Float images of any size, held in memory",
                 VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhPoint, maps),
                 VIPS_TYPE_ARRAY_IMAGE);
}

static void ph_point_init(PhPoint *point) { (void)point; }
