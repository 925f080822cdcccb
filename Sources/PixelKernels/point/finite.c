#include "base/kernel.h"

/// The operation `phbatch_finite`: replaces samples that are no light that could be edited.
///
/// NaN and numbers below the range of half floats become 0, numbers above it the largest half float.
/// Renderers and programs that stack photos write such samples, and a blur would spread each of them
/// over its whole reach. The samples are floats of 32 or 64 bits.
///
/// Reach: 0. Kind of buffers: rows (see kernel.h).
typedef struct {
  VipsOperation parent_instance;
  VipsImage *in;
  VipsImage *out;
} PhFinite;

typedef VipsOperationClass PhFiniteClass;

PH_DEFINE_OPERATION(PhFinite, ph_finite, VIPS_TYPE_OPERATION)

static const char nickname[] = "phbatch_finite";

/// The largest half float.
#define PH_MOST 65504

// No comparison with NaN is true.
#define PH_FINITE(x) ((x) >= -PH_MOST ? (x) < PH_MOST ? (x) : PH_MOST : 0)

static void copy_floats(const float *restrict from, float *restrict to, int count) {
  for (int i = 0; i < count; i++) to[i] = PH_FINITE(from[i]);
}

static void copy_doubles(const double *restrict from, double *restrict to, int count) {
  for (int i = 0; i < count; i++) to[i] = PH_FINITE(from[i]);
}

static int ph_finite_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)b, (void)stop;
  VipsRegion *in = sequence;
  const VipsRect *area = &out->valid;
  if (vips_region_prepare(in, area)) return -1;
  int count = area->width * out->im->Bands;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++) {
    void *from = VIPS_REGION_ADDR(in, area->left, y), *to = VIPS_REGION_ADDR(out, area->left, y);
    if (out->im->BandFmt == VIPS_FORMAT_FLOAT)
      copy_floats(from, to, count);
    else
      copy_doubles(from, to, count);
  }
  return 0;
}

static int ph_finite_build(VipsObject *object) {
  PhFinite *finite = (PhFinite *)object;
  if (VIPS_OBJECT_CLASS(ph_finite_parent_class)->build(object) ||
      vips_check_uncoded(nickname, finite->in))
    return -1;
  if (finite->in->BandFmt != VIPS_FORMAT_FLOAT && finite->in->BandFmt != VIPS_FORMAT_DOUBLE) {
    vips_error(nickname, "the samples are not floats");
    return -1;
  }
  g_object_set(finite, "out", vips_image_new(), NULL);
  if (vips_image_pipelinev(finite->out, VIPS_DEMAND_STYLE_THINSTRIP, finite->in, NULL)) return -1;
  return vips_image_generate(finite->out, vips_start_one, ph_finite_generate, vips_stop_one,
                             finite->in, NULL);
}

static void ph_finite_class_init(PhFiniteClass *class) {
  ph_kernel_class_describe(class, nickname, "replace samples that are not finite",
                           ph_finite_build);
  VIPS_OPERATION_CLASS(class)->flags = VIPS_OPERATION_SEQUENTIAL;
  VIPS_ARG_IMAGE(class, "in", 1, "Input", "Image of floats", VIPS_ARGUMENT_REQUIRED_INPUT,
                 G_STRUCT_OFFSET(PhFinite, in));
  VIPS_ARG_IMAGE(class, "out", 2, "Output", "Image without NaN", VIPS_ARGUMENT_REQUIRED_OUTPUT,
                 G_STRUCT_OFFSET(PhFinite, out));
}

static void ph_finite_init(PhFinite *finite) { (void)finite; }
