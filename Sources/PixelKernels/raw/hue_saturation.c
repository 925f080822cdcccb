#pragma STDC FP_CONTRACT OFF

#include <math.h>

#include "base/kernel.h"

/// The operation `phbatch_hue_saturation`: changes colours by a table of hue, saturation and value,
/// such as ProfileHueSatMapData and ProfileLookTableData of DNG files.
///
/// The input is three bands of floats of linear light.
///
/// - `matrix`: 3 × 3 values, row by row, from the input to linear ProPhoto RGB, the space of the
///   table.
/// - `inverse`: 3 × 3 values, row by row, from that space to the output.
/// - `divisions`: the numbers of hues, of saturations and of values.
/// - `table`: three numbers for each entry: the change of hue in degrees, the factor of saturation
///   and the factor of value. From entry to entry, the saturation varies fastest and the value
///   slowest.
/// - `encoded`: if set, the value is encoded by the curve of sRGB before it is looked up and
///   multiplied.
///
/// Numbers between entries are interpolated linearly; hues are a circle.
///
/// Channels below 0 become 0. Light above white is changed like white.
///
/// Source: Adobe Digital Negative Specification 1.7, 2023, chapter 6, "Hue/Saturation/Value Mapping
/// Table".
///
/// Reach: 0 pixels. Kind of buffers: rows (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  VipsArrayDouble *matrix_array, *inverse_array, *table_array;
  VipsArrayInt *divisions_array;
  gboolean encoded;

  float matrix[9], inverse[9];
  int hues, saturations, values;
  float *table;
} PhHueSaturation;

typedef PhKernelClass PhHueSaturationClass;

PH_DEFINE_OPERATION(PhHueSaturation, ph_hue_saturation, ph_kernel_get_type())

static float encode(float x) {
  return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
}

static float decode(float x) {
  return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

/// The entries on both sides of a place along one axis of the table, and the weight of the second.
typedef struct {
  int low, high;
  float part;
} PhPlace;

static PhPlace place_on(float at, int count) {
  PhPlace place = {0, 0, 0};
  if (count < 2) return place;
  float along = at * (float)(count - 1);
  place.low = VIPS_MIN((int)along, count - 2);
  place.high = place.low + 1;
  place.part = along - (float)place.low;
  return place;
}

static PhPlace place_of_hue(float hue, int count) {
  PhPlace place = {0, 0, 0};
  if (count < 2) return place;
  float along = hue * (float)count / 6;
  place.low = VIPS_MIN((int)along, count - 1);
  place.high = place.low + 1 < count ? place.low + 1 : 0;
  place.part = along - (float)place.low;
  return place;
}

/// Interpolates the entries of one value for a hue and a saturation.
static inline void look_up_level(const PhHueSaturation *by, int level, PhPlace h, PhPlace s,
                                 float change[3]) {
  const float *low = by->table + (level * by->hues + h.low) * by->saturations * 3;
  const float *high = by->table + (level * by->hues + h.high) * by->saturations * 3;
  const float both = h.part * s.part, only_h = h.part - both, only_s = s.part - both;
  const float none = 1 - h.part - only_s;
  for (int i = 0; i < 3; i++)
    change[i] = none * low[3 * s.low + i] + only_h * high[3 * s.low + i] +
                only_s * low[3 * s.high + i] + both * high[3 * s.high + i];
}

/// Interpolates the entries for a hue (0…6), a saturation and an encoded value (both 0…1).
static inline void look_up(const PhHueSaturation *by, float hue, float saturation, float value,
                           float change[3]) {
  PhPlace h = place_of_hue(hue, by->hues), s = place_on(saturation, by->saturations);
  PhPlace v = place_on(value, by->values);
  look_up_level(by, v.low, h, s, change);
  if (by->values < 2) return;
  float above[3];
  look_up_level(by, v.high, h, s, above);
  for (int i = 0; i < 3; i++) change[i] += v.part * (above[i] - change[i]);
}

/// Changes one colour of the table's space, whose channels are at least 0.
static inline void change_colour(const PhHueSaturation *by, float rgb[3]) {
  float most = VIPS_MAX(rgb[0], VIPS_MAX(rgb[1], rgb[2]));
  float least = VIPS_MIN(rgb[0], VIPS_MIN(rgb[1], rgb[2]));
  float gap = most - least, hue = 0;
  if (!(most > 0 && most < INFINITY)) return;
  if (gap > 0) {
    if (rgb[0] == most)
      hue = (rgb[1] - rgb[2]) / gap;
    else if (rgb[1] == most)
      hue = 2 + (rgb[2] - rgb[0]) / gap;
    else
      hue = 4 + (rgb[0] - rgb[1]) / gap;
    if (hue < 0) hue += 6;
  }
  float saturation = gap / most, value = most < 1 ? most : 1;
  float shown = by->encoded ? encode(value) : value;
  float change[3];
  look_up(by, hue, saturation, shown, change);
  hue += change[0] / 60;
  if (!(hue >= 0 && hue < 6)) {
    hue -= 6 * floorf(hue / 6);
    // The numbers of a damaged table can be too large to be turned back.
    if (!(hue >= 0 && hue < 6)) hue = 0;
  }
  saturation *= change[1];
  saturation = saturation > 0 ? (saturation < 1 ? saturation : 1) : 0;
  // Light above white keeps its ratio to white.
  float changed = by->encoded ? decode(VIPS_MAX(0, shown * change[2])) : value * change[2];
  float top = most * changed / value, bottom = top * (1 - saturation);
  int sector = VIPS_MIN((int)hue, 5);
  float within = hue - (float)sector;
  float falling = top * (1 - saturation * within), rising = top * (1 - saturation * (1 - within));
  // The channel that is greatest, the one that is least, and the third, by the sector of the hue.
  static const int greatest[6] = {0, 1, 1, 2, 2, 0}, smallest[6] = {2, 2, 0, 0, 1, 1};
  rgb[0] = rgb[1] = rgb[2] = sector % 2 ? falling : rising;
  rgb[greatest[sector]] = top;
  rgb[smallest[sector]] = bottom;
}

static void multiply(const float m[9], const float from[3], float to[3]) {
  for (int i = 0; i < 3; i++)
    to[i] = m[3 * i] * from[0] + m[3 * i + 1] * from[1] + m[3 * i + 2] * from[2];
}

static int ph_hue_saturation_generate(VipsRegion *out, void *sequence, void *a, void *b,
                                      gboolean *stop) {
  (void)a, (void)stop;
  const PhHueSaturation *by = b;
  const VipsRect *area = &out->valid;
  if (vips_region_prepare(sequence, area)) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++) {
    const float *from = (const float *)(const void *)VIPS_REGION_ADDR((VipsRegion *)sequence,
                                                                       area->left, y);
    float *to = (float *)(void *)VIPS_REGION_ADDR(out, area->left, y);
    for (int x = 0; x < 3 * area->width; x += 3) {
      float rgb[3];
      multiply(by->matrix, from + x, rgb);
      for (int i = 0; i < 3; i++) rgb[i] = rgb[i] > 0 ? rgb[i] : 0;
      change_colour(by, rgb);
      multiply(by->inverse, rgb, to + x);
    }
  }
  return 0;
}

static const char nickname[] = "phbatch_hue_saturation";

static int fail(const char *words) {
  vips_error(nickname, "%s", words);
  return -1;
}

static int read_table(PhHueSaturation *by) {
  int count;
  const int *divisions = vips_array_int_get(by->divisions_array, &count);
  if (count != 3) return fail("three numbers of divisions are needed");
  by->hues = divisions[0], by->saturations = divisions[1], by->values = divisions[2];
  if (by->hues < 1 || by->saturations < 2 || by->values < 1 || by->hues > 4096 ||
      by->saturations > 4096 || by->values > 4096)
    return fail("the numbers of divisions are damaged");
  const double *from = vips_array_double_get(by->table_array, &count);
  if ((gint64)by->hues * by->saturations * by->values * 3 != count)
    return fail("the table has another length");
  by->table = g_try_new(float, count);
  if (!by->table) return fail("memory is short");
  for (int i = 0; i < count; i++) by->table[i] = (float)from[i];
  return 0;
}

static int ph_hue_saturation_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhHueSaturation *by = (PhHueSaturation *)object;
  if (VIPS_OBJECT_CLASS(ph_hue_saturation_parent_class)->build(object)) return -1;
  if (kernel->in->Bands != 3 || kernel->from != PH_FLOAT || kernel->to != PH_FLOAT)
    return fail("the image must have three bands of floats");
  if (ph_kernel_read_numbers(nickname, by->matrix_array, 9, by->matrix) ||
      ph_kernel_read_numbers(nickname, by->inverse_array, 9, by->inverse) || read_table(by))
    return -1;
  g_object_set(object, "out", vips_image_new(), NULL);
  return vips_image_pipelinev(kernel->out, VIPS_DEMAND_STYLE_THINSTRIP, kernel->in, NULL) ||
                 vips_image_generate(kernel->out, vips_start_one, ph_hue_saturation_generate,
                                     vips_stop_one, kernel->in, by)
             ? -1
             : 0;
}

static void ph_hue_saturation_finalize(GObject *object) {
  g_free(((PhHueSaturation *)object)->table);
  G_OBJECT_CLASS(ph_hue_saturation_parent_class)->finalize(object);
}

static void ph_hue_saturation_class_init(PhHueSaturationClass *class) {
  ph_kernel_class_describe(class, nickname, "change colours by a table",
                           ph_hue_saturation_build);
  G_OBJECT_CLASS(class)->finalize = ph_hue_saturation_finalize;
#define PH_HUE_ARRAY(name, number, field, words, type)                                      \
  VIPS_ARG_BOXED(class, name, number, name, words, VIPS_ARGUMENT_REQUIRED_INPUT,            \
                 G_STRUCT_OFFSET(PhHueSaturation, field), type)
  PH_HUE_ARRAY("matrix", 10, matrix_array, "To the table's space", VIPS_TYPE_ARRAY_DOUBLE);
  PH_HUE_ARRAY("inverse", 11, inverse_array, "To the output", VIPS_TYPE_ARRAY_DOUBLE);
  PH_HUE_ARRAY("divisions", 12, divisions_array, "Hues, saturations, values", VIPS_TYPE_ARRAY_INT);
  PH_HUE_ARRAY("table", 13, table_array, "Three numbers for each entry", VIPS_TYPE_ARRAY_DOUBLE);
#undef PH_HUE_ARRAY
  VIPS_ARG_BOOL(class, "encoded", 14, "Encoded", "Values are encoded by the curve of sRGB",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhHueSaturation, encoded), FALSE);
}

static void ph_hue_saturation_init(PhHueSaturation *by) { (void)by; }
