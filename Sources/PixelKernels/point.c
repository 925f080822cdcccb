#include "point.h"

#include <stdlib.h>

#include "kernel.h"
#include "program.h"

typedef struct {
  PhKernel parent_instance;
  VipsBlob *blob;
  PhProgram *program;
} PhPoint;

typedef PhKernelClass PhPointClass;

G_DEFINE_TYPE(PhPoint, ph_point, ph_kernel_get_type())

/// What one thread needs.
typedef struct {
  PhBlock block;
  VipsRegion *region;
} PhPointSequence;

static int ph_point_stop(void *sequence, void *a, void *b) {
  (void)a, (void)b;
  PhPointSequence *own = sequence;
  VIPS_UNREF(own->region);
  free(own);
  return 0;
}

static void *ph_point_start(VipsImage *out, void *a, void *b) {
  (void)out, (void)b;
  PhPointSequence *own = aligned_alloc(_Alignof(PhPointSequence), sizeof(PhPointSequence));
  if (!own) {
    vips_error("phbatch_point", "out of memory");
    return NULL;
  }
  own->region = vips_region_new(a);
  return own;
}

/// Runs the program over one row of the region.
static void run_row(const PhPoint *point, PhBlock *block, const VipsPel *from, VipsPel *to) {
  const PhKernel *kernel = &point->parent_instance;
  const PhProgram *program = point->program;
  int alpha = kernel->in->Bands == 4;
  if (program->tables)
    kernel->loops->lookup[kernel->from][alpha](from, program->tables, block);
  else
    kernel->loops->unpack[kernel->from][alpha](from, block);
  for (int i = 0; i < program->count; i++) {
    const PhInstruction *instruction = &program->instructions[i];
    kernel->loops->step[instruction->opcode](block, instruction->payload);
  }
  kernel->loops->pack[kernel->to][alpha](block, to);
}

static int ph_point_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  const PhPoint *point = b;
  PhPointSequence *own = sequence;
  PhBlock *block = &own->block;
  const VipsRect *area = &out->valid;
  if (vips_region_prepare(own->region, area)) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    for (int x = area->left; x < VIPS_RECT_RIGHT(area); x += PH_BLOCK) {
      block->left = x;
      block->top = y;
      block->count = VIPS_MIN(PH_BLOCK, VIPS_RECT_RIGHT(area) - x);
      run_row(point, block, VIPS_REGION_ADDR(own->region, x, y), VIPS_REGION_ADDR(out, x, y));
    }
  return 0;
}

static int ph_point_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhPoint *point = (PhPoint *)object;
  if (VIPS_OBJECT_CLASS(ph_point_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  static const int table_sizes[PH_FORMATS] = {256, 65536, 0};
  size_t length;
  const void *bytes = vips_blob_get(point->blob, &length);
  point->program =
      ph_program_read("phbatch_point", bytes, length, table_sizes[kernel->from]);
  if (!point->program ||
      ph_kernel_open_output(kernel, VIPS_DEMAND_STYLE_THINSTRIP, (VipsImage *[]){kernel->in, NULL}))
    return -1;
  return vips_image_generate(kernel->out, ph_point_start, ph_point_generate, ph_point_stop,
                             kernel->in, point);
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
}

static void ph_point_init(PhPoint *point) { (void)point; }
