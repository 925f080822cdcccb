#pragma STDC FP_CONTRACT OFF

#include "raw/opcodes.h"

#include <math.h>

#include "base/kernel.h"

/// The number of fields of an opcode before its numbers.
enum { PH_OPCODE_HEAD = 10 };

/// Returns `value`, but at least 0 and at most `most`; 0 for a value that is not a number.
static double within(double value, double most) {
  return value > 0 ? (value < most ? value : most) : 0;
}

static int whole(double value) { return (int)within(value, VIPS_MAX_COORD); }

/// The least number of numbers of each kind.
static const int least_numbers[PH_OPCODE_KINDS] = {
    [PH_OPCODE_TABLE] = 2,       [PH_OPCODE_POLYNOMIAL] = 2,   [PH_OPCODE_GAIN] = 10,
    [PH_OPCODE_DELTA_ROWS] = 1,  [PH_OPCODE_DELTA_COLUMNS] = 1, [PH_OPCODE_SCALE_ROWS] = 1,
    [PH_OPCODE_SCALE_COLUMNS] = 1, [PH_OPCODE_VIGNETTE] = 8,
};

static gboolean is_usable(const PhOpcode *opcode) {
  const double *numbers = opcode->numbers;
  int rows = opcode->bottom - opcode->top, columns = opcode->right - opcode->left;
  if (rows < 1 || columns < 1 || opcode->planes < 1 || opcode->row_pitch < 1 ||
      opcode->column_pitch < 1 || opcode->count < least_numbers[opcode->kind])
    return FALSE;
  switch (opcode->kind) {
    case PH_OPCODE_GAIN: {
      gboolean is_small = numbers[0] >= 1 && numbers[1] >= 1 && numbers[2] >= 1 &&
                          numbers[0] * numbers[1] * numbers[2] == opcode->count - 9;
      return is_small && numbers[3] > 0 && numbers[4] > 0 && numbers[7] >= 1 && numbers[8] >= 1;
    }
    case PH_OPCODE_DELTA_ROWS:
    case PH_OPCODE_SCALE_ROWS:
      return opcode->count >= (rows + opcode->row_pitch - 1) / opcode->row_pitch;
    case PH_OPCODE_DELTA_COLUMNS:
    case PH_OPCODE_SCALE_COLUMNS:
      return opcode->count >= (columns + opcode->column_pitch - 1) / opcode->column_pitch;
    case PH_OPCODE_VIGNETTE: return numbers[2] > 0;
    default: return TRUE;
  }
}

PhOpcode *ph_opcodes_read(const VipsArrayDouble *array, int *count) {
  int length = 0, found = 0;
  // `vips_array_double_get` takes a pointer to a mutable array, but only reads it.
  const double *numbers = vips_array_double_get((VipsArrayDouble *)(size_t)array, &length);
  PhOpcode *opcodes = g_try_new(PhOpcode, length / PH_OPCODE_HEAD + 1);
  for (int at = 0; opcodes && at < length; found++) {
    const double *head = numbers + at;
    if (length - at < PH_OPCODE_HEAD || !(head[0] >= 1 && head[0] < PH_OPCODE_KINDS) ||
        !(head[1] >= 0 && head[1] <= length - at - PH_OPCODE_HEAD)) {
      found = -1;
      break;
    }
    PhOpcode *opcode = &opcodes[found];
    *opcode = (PhOpcode){
        .kind = (PhOpcodeKind)head[0], .count = (int)head[1], .top = whole(head[2]),
        .left = whole(head[3]), .bottom = whole(head[4]), .right = whole(head[5]),
        .plane = whole(head[6]), .planes = whole(head[7]), .row_pitch = whole(head[8]),
        .column_pitch = whole(head[9]), .numbers = head + PH_OPCODE_HEAD,
    };
    at += PH_OPCODE_HEAD + opcode->count;
    if (!is_usable(opcode)) {
      found = -1;
      break;
    }
  }
  *count = found;
  if (opcodes && found >= 0) return opcodes;
  vips_error("phbatch_opcodes", "%s", opcodes ? "an opcode is damaged" : "memory is short");
  g_free(opcodes);
  return NULL;
}

/// The pixels of a row that an opcode changes: `first`, `first + step`, … below `end`.
///
/// (`across`, `down`) is the centre of the row's pixel 0, in pixels from the frame's corner.
/// `shrink` is the distance between the centres of two pixels.
typedef struct {
  int first, end, step;
  double across, down, shrink;
  int bands, plane, planes;
} PhRun;

/// The first pixel of a row whose centre is at or right of `edge`.
static int first_from(double edge, const PhRun *run, int pixels) {
  return (int)VIPS_CLIP(0, ceil((edge - run->across) / run->shrink), pixels);
}

static void map_by_table(const PhOpcode *opcode, const PhRun *run, float *row) {
  const double *table = opcode->numbers + 1;
  float unit = (float)opcode->numbers[0], last = (float)(opcode->count - 2);
  for (int x = run->first; x < run->end; x += run->step)
    for (int band = run->plane; band < run->plane + run->planes; band++) {
      float *value = &row[x * run->bands + band];
      float place = *value * unit;
      // A value below 0 is noise around black, and keeps its distance from the first entry.
      float below = place < 0 ? place / unit : 0;
      place = place > 0 ? place : 0;
      place = place < last ? place : last;
      *value = (float)table[(int)(place + 0.5f)] + below;
    }
}

static void map_by_polynomial(const PhOpcode *opcode, const PhRun *run, float *row) {
  float largest = (float)opcode->numbers[0];
  float start = (float)opcode->numbers[1];
  for (int x = run->first; x < run->end; x += run->step)
    for (int band = run->plane; band < run->plane + run->planes; band++) {
      float *value = &row[x * run->bands + band];
      float from = fabsf(*value);
      from = from < largest ? from : largest;
      double sum = 0;
      for (int i = opcode->count - 1; i >= 1; i--) sum = sum * (double)from + opcode->numbers[i];
      *value = *value < 0 ? 2 * start - (float)sum : (float)sum;
    }
}

static void multiply_by_map(const PhOpcode *opcode, const PhRun *run, float *row) {
  const double *numbers = opcode->numbers, *gains = numbers + 9;
  int rows = (int)numbers[0], columns = (int)numbers[1], planes = (int)numbers[2];
  double place = within((run->down / numbers[7] - numbers[5]) / numbers[3], rows - 1);
  int upper = (int)place, lower = VIPS_MIN(upper + 1, rows - 1);
  float part = (float)(place - upper);
  const double *above = gains + (size_t)upper * (size_t)columns * (size_t)planes;
  const double *below = gains + (size_t)lower * (size_t)columns * (size_t)planes;
  double slope = run->shrink / (numbers[8] * numbers[4]);
  double start = (run->across / numbers[8] - numbers[6]) / numbers[4];
  for (int x = run->first; x < run->end; x += run->step) {
    double along = within(start + slope * x, columns - 1);
    int left = (int)along, right = VIPS_MIN(left + 1, columns - 1);
    float share = (float)(along - left);
    for (int i = 0; i < run->planes; i++) {
      int plane = VIPS_MIN(i, planes - 1), a = left * planes + plane, b = right * planes + plane;
      float upper_gain = (float)above[a] + share * (float)(above[b] - above[a]);
      float lower_gain = (float)below[a] + share * (float)(below[b] - below[a]);
      row[x * run->bands + run->plane + i] *= upper_gain + part * (lower_gain - upper_gain);
    }
  }
}

static void change_by_line(const PhOpcode *opcode, const PhRun *run, float *row) {
  gboolean is_row =
      opcode->kind == PH_OPCODE_DELTA_ROWS || opcode->kind == PH_OPCODE_SCALE_ROWS;
  gboolean adds = opcode->kind == PH_OPCODE_DELTA_ROWS || opcode->kind == PH_OPCODE_DELTA_COLUMNS;
  for (int x = run->first; x < run->end; x += run->step) {
    double across = run->across + run->shrink * x;
    int line = is_row ? (int)(run->down - opcode->top) / opcode->row_pitch
                      : (int)(across - opcode->left) / opcode->column_pitch;
    float number = (float)opcode->numbers[line];
    for (int band = run->plane; band < run->plane + run->planes; band++) {
      float *value = &row[x * run->bands + band];
      *value = adds ? *value + number : *value * number;
    }
  }
}

static void brighten_edges(const PhOpcode *opcode, const PhRun *run, float *row) {
  const double *numbers = opcode->numbers;
  float k[5];
  for (int i = 0; i < 5; i++) k[i] = (float)numbers[3 + i];
  double down = (run->down - numbers[1]) / numbers[2];
  float squared = (float)(down * down);
  float start = (float)((run->across - numbers[0]) / numbers[2]);
  float slope = (float)(run->shrink / numbers[2]);
  for (int x = run->first; x < run->end; x += run->step) {
    float across = start + slope * (float)x;
    float d = across * across + squared;
    float gain = 1 + d * (k[0] + d * (k[1] + d * (k[2] + d * (k[3] + d * k[4]))));
    for (int band = run->plane; band < run->plane + run->planes; band++)
      row[x * run->bands + band] *= gain;
  }
}

void ph_opcodes_apply(const PhOpcode *opcodes, int count, const PhOpcodePlace *place, int x, int y,
                      float *row, int pixels, int bands) {
  static void (*const changes[PH_OPCODE_KINDS])(const PhOpcode *, const PhRun *, float *) = {
      [PH_OPCODE_TABLE] = map_by_table,          [PH_OPCODE_POLYNOMIAL] = map_by_polynomial,
      [PH_OPCODE_GAIN] = multiply_by_map,        [PH_OPCODE_DELTA_ROWS] = change_by_line,
      [PH_OPCODE_DELTA_COLUMNS] = change_by_line, [PH_OPCODE_SCALE_ROWS] = change_by_line,
      [PH_OPCODE_SCALE_COLUMNS] = change_by_line, [PH_OPCODE_VIGNETTE] = brighten_edges,
  };
  for (int i = 0; i < count; i++) {
    const PhOpcode *opcode = &opcodes[i];
    PhRun run = {
        .across = place->left + (x + 0.5) * place->shrink,
        .down = place->top + (y + 0.5) * place->shrink,
        .shrink = place->shrink, .step = opcode->column_pitch, .bands = bands,
        .plane = opcode->plane, .planes = VIPS_MIN(opcode->planes, bands - opcode->plane),
    };
    if (run.planes < 1 || run.down < opcode->top || run.down >= opcode->bottom ||
        (int)(run.down - opcode->top) % opcode->row_pitch != 0)
      continue;
    run.first = first_from(opcode->left, &run, pixels);
    run.end = first_from(opcode->right, &run, pixels);
    int distance = (int)(run.across + run.shrink * run.first) - opcode->left;
    run.first += (run.step - distance % run.step) % run.step;
    changes[opcode->kind](opcode, &run, row);
  }
}

/// The operation `phbatch_opcodes`: applies opcodes to an image of floats; see PhOpcode.
///
/// `opcodes` is the array that `ph_opcodes_read` reads; the image begins at (`left`, `top`) of the
/// frame in which they state their areas, and is reduced by `shrink`.
///
/// Reach: 0 pixels. Kind of buffers: rows (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  VipsArrayDouble *numbers;
  int left, top, shrink;
  PhOpcode *opcodes;
  int count;
} PhOpcodes;

typedef PhKernelClass PhOpcodesClass;

PH_DEFINE_OPERATION(PhOpcodes, ph_opcodes, ph_kernel_get_type())

static int ph_opcodes_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  const PhOpcodes *opcodes = b;
  const VipsRect *area = &out->valid;
  if (vips_region_prepare_to(sequence, out, area, area->left, area->top)) return -1;
  PhOpcodePlace place = {opcodes->left, opcodes->top, opcodes->shrink};
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    ph_opcodes_apply(opcodes->opcodes, opcodes->count, &place, area->left, y,
                     (float *)(void *)VIPS_REGION_ADDR(out, area->left, y), area->width,
                     out->im->Bands);
  return 0;
}

static int ph_opcodes_build(VipsObject *object) {
  PhOpcodes *opcodes = (PhOpcodes *)object;
  PhKernel *kernel = PH_KERNEL(object);
  if (VIPS_OBJECT_CLASS(ph_opcodes_parent_class)->build(object)) return -1;
  if (kernel->from != PH_FLOAT || kernel->to != PH_FLOAT) {
    vips_error("phbatch_opcodes", "%s", "the image must have floats");
    return -1;
  }
  opcodes->opcodes = ph_opcodes_read(opcodes->numbers, &opcodes->count);
  if (!opcodes->opcodes) return -1;
  for (int i = 0; i < opcodes->count; i++)
    if (opcodes->shrink > 1 &&
        (opcodes->opcodes[i].row_pitch > 1 || opcodes->opcodes[i].column_pitch > 1)) {
      vips_error("phbatch_opcodes", "%s", "an opcode with a pitch needs the whole image");
      return -1;
    }
  g_object_set(object, "out", vips_image_new(), NULL);
  return vips_image_pipelinev(kernel->out, VIPS_DEMAND_STYLE_THINSTRIP, kernel->in, NULL) ||
                 vips_image_generate(kernel->out, vips_start_one, ph_opcodes_generate,
                                     vips_stop_one, kernel->in, opcodes)
             ? -1
             : 0;
}

static void ph_opcodes_finalize(GObject *object) {
  g_free(((PhOpcodes *)object)->opcodes);
  G_OBJECT_CLASS(ph_opcodes_parent_class)->finalize(object);
}

static void ph_opcodes_class_init(PhOpcodesClass *class) {
  ph_kernel_class_describe(class, "phbatch_opcodes", "apply opcodes of a DNG file",
                           ph_opcodes_build);
  G_OBJECT_CLASS(class)->finalize = ph_opcodes_finalize;
  VIPS_ARG_BOXED(class, "opcodes", 10, "Opcodes", "Kinds, areas and numbers",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhOpcodes, numbers),
                 VIPS_TYPE_ARRAY_DOUBLE);
  VIPS_ARG_INT(class, "left", 11, "Left", "The image's first column in the frame",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhOpcodes, left), 0, VIPS_MAX_COORD,
               0);
  VIPS_ARG_INT(class, "top", 12, "Top", "The image's first row in the frame",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhOpcodes, top), 0, VIPS_MAX_COORD, 0);
  VIPS_ARG_INT(class, "shrink", 13, "Shrink", "The factor by which the image is reduced",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhOpcodes, shrink), 1, 8, 1);
}

static void ph_opcodes_init(PhOpcodes *opcodes) { opcodes->shrink = 1; }
