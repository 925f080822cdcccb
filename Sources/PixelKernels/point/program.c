#include "program.h"

#include <math.h>
#include <string.h>
#include <vips/vips.h>

#include "loops/point/hue_payload.h"
#include "loops/point/instructions.h"

/// The maximum n of a table; the precision of a float limits the number of knots.
enum { PH_STEPS = 65536 };

typedef struct {
  const char *name;
  /// The number of floats in the payload; −1 if it depends on the payload or the input.
  int payload;
} Shape;

#define PH_SHAPE(name, payload, loop) [PHBATCH_OP_##name] = {#name, payload},
static const Shape shapes[PHBATCH_OP_LAST + 1] = {
    [PHBATCH_OP_TABLE] = {"TABLE", -1},
    PH_EACH_INSTRUCTION(PH_SHAPE)
};
#undef PH_SHAPE

/// The state of checking a program: the slots that were saved and the covers that were computed so
/// far, one bit each.
typedef struct {
  PhProgramInput input;
  unsigned saved, covers;
} PhState;

static gboolean all_finite(const float *payload, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(payload[i])) return FALSE;
  return TRUE;
}

/// True if `value` is a whole number in `low`…`high`.
static gboolean is_whole(float value, int low, int high) {
  return value >= (float)low && value <= (float)high && value == truncf(value);
}

static const char *wrong_length = "its payload has the wrong length";

static const char *curve_flaw(const float *payload, size_t count) {
  if (count < 5) return "its payload is too short";
  if (!is_whole(payload[0], 1, 7)) return "its planes are not in 1…7";
  if (!is_whole(payload[1], 0, 1)) return "its root is not 0 or 1";
  if (!(payload[2] <= 0) || !isfinite(payload[2] * payload[2])) return "tMin is positive";
  if (!(payload[3] > 0) || !isnormal(payload[3] * payload[3])) return "tMax is not positive";
  if (!is_whole(payload[4], 1, PH_STEPS)) return "its number of steps is not in 1…65536";
  return count == 8 + (size_t)payload[4] ? NULL : wrong_length;
}

static const char *tone_flaw(const float *payload, size_t count) {
  const char *problem = curve_flaw(payload, count);
  return problem || payload[0] == 7 ? problem : "its planes are not 7";
}

/// Checks a payload that ends with a table: the first `head` floats end with n, and n + 1 rows of
/// `width` floats follow.
static const char *table_flaw(const float *payload, size_t count, size_t head, size_t width) {
  if (count < head) return "its payload is too short";
  if (!is_whole(payload[head - 1], 1, PH_STEPS)) return "its number of steps is not in 1…65536";
  return count == head + width * ((size_t)payload[head - 1] + 1) ? NULL : wrong_length;
}

/// True if the steps of an arc, both ends included, make only changes that are declared for the
/// arc.
static gboolean arc_is_declared(const PhHues *hues, int arc) {
  uint32_t bit = UINT32_C(1) << arc;
  int length = hues->n / PH_ARCS;
  for (int i = arc * length; i <= (arc + 1) * length; i++) {
    const float *turn = hues->turns + 2 * i;
    const float *change = hues->changes + 2 * i;
    if ((turn[0] != 1 || turn[1] != 0) && !(hues->turning & bit)) return FALSE;
    if (change[0] != 0 && !(hues->changing & bit)) return FALSE;
    if (change[0] > 0 && !(hues->purer & bit)) return FALSE;
    if (change[1] != 0 && !(hues->lighting & bit)) return FALSE;
  }
  return TRUE;
}

static const char *hues_flaw(const float *payload, size_t count) {
  if (count < PH_HUES_HEAD) return "its payload is too short";
  if (!is_whole(payload[0], PH_ARCS, PH_STEPS)) return "its number of steps is not in 32…65536";
  int n = (int)payload[0];
  if (n & (n - 1)) return "its number of steps is not a power of 2";
  if (count != PH_HUES_HEAD + 4 * ((size_t)n + 1) + PH_HUES_TAIL) return wrong_length;
  for (int i = 1; i < PH_HUES_HEAD; i++)
    if (!is_whole(payload[i], 0, UINT16_MAX)) return "its arcs are not bits";
  PhHues hues = ph_hues_read(payload);
  if (hues.purer & ~hues.changing) return "an arc gets purer that does not change";
  for (int i = 0; i <= n; i++)
    if (hues.changes[2 * i] < -1) return "a growth is less than -1";
  for (int arc = 0; arc < PH_ARCS; arc++)
    if (!arc_is_declared(&hues, arc)) return "an arc makes a change that it does not declare";
  return NULL;
}

static const char *lut_flaw(const float *payload, size_t count) {
  if (count < 8) return "its payload is too short";
  if (!is_whole(payload[0], 2, PHBATCH_LUT_LONGEST)) return "its edge is not in 2…256";
  size_t n = (size_t)payload[0];
  return count == 8 + 3 * n * n * n ? NULL : wrong_length;
}

/// The maximum absolute values in GRAIN's transformation of pixels to positions in the frame: of a
/// constant term, and of a factor, which is the change of a coordinate from one pixel to the next.
enum { PH_FARTHEST = 1 << 22, PH_COARSEST = 256 };

static const char *grain_flaw(const float *payload) {
  for (int i = 0; i < 6; i++) {
    float farthest = i % 3 == 0 ? (float)PH_FARTHEST : (float)PH_COARSEST;
    if (!(fabsf(payload[i]) <= farthest)) return "its places are too far apart";
  }
  if (fabsf(payload[6]) > 1 || fabsf(payload[7]) > 1) return "its lattice is finer than pixels";
  return is_whole(payload[9], 0, 65535) ? NULL : "its seed is not in 0…65535";
}

static const char *dither_flaw(const float *payload) {
  if (!is_whole(payload[0], 1, 65535)) return "its levels are not in 1…65535";
  return is_whole(payload[1], 0, 65535) ? NULL : "its seed is not in 0…65535";
}

static const char *closing_flaw(const float *payload) {
  if (!is_whole(payload[0], 0, 1)) return "its fourth is not 0 or 1";
  if (!(payload[1] >= 0)) return "its toe is negative";
  return payload[3] > payload[1] ? NULL : "its top is not above its toe";
}

static const char *polygon_flaw(const float *payload, size_t count) {
  if (count < 9) return "its payload is too short";
  if (!is_whole(payload[8], 3, PH_STEPS)) return "its corners are fewer than 3";
  if (count != 9 + 2 * (size_t)payload[8]) return wrong_length;
  return isfinite(0.5f / payload[7]) && payload[7] > 0 ? NULL : "its feather is not positive";
}

static const char *key_flaw(const float *payload) {
  if (payload[3] < 0 || payload[4] < 0) return "its tolerance is negative";
  if (!(payload[5] > 0) || !isfinite(1.0f / payload[5])) return "its softness is not positive";
  return payload[8] >= 0 && payload[8] <= 1 ? NULL : "its spill is not in 0…1";
}

static const char *rolloff_flaw(const float *payload) {
  if (!is_whole(payload[0], 0, 1)) return "its encoded is not 0 or 1";
  return payload[1] > 0 && payload[2] >= 0 ? NULL : "its knee or its bend is negative";
}

static const char *gamut_flaw(const float *payload) {
  return is_whole(payload[0], 0, 1) ? NULL : "its encoded is not 0 or 1";
}

static const char *adapt_flaw(const float *payload) {
  return isnormal(payload[10] - payload[9]) && payload[10] > payload[9]
             ? NULL
             : "its clipped range is not positive";
}

static const char *radial_flaw(const float *payload) {
  return isfinite(1.0f / (payload[5] - payload[4])) ? NULL : "its two edges are one";
}

static const char *falloff_flaw(const float *payload) {
  return payload[7] > 0 && isfinite(1.0f / payload[7]) ? NULL : "its least is not positive";
}

/// Checks the index of a map, the payload's first float; the map must have at least `bands` bands.
static const char *map_flaw(const float *payload, int bands, const PhState *state) {
  if (!is_whole(payload[0], 0, state->input.maps - 1)) return "there is no such map";
  return state->input.map[(int)payload[0]].bands >= bands ? NULL : "its map has too few bands";
}

static const char *local_flaw(const float *payload, size_t count, const PhState *state) {
  const char *problem = table_flaw(payload, count, 8, 4);
  if (problem) return problem;
  for (size_t i = 8; i < count; i++)
    if (payload[i] < 0) return "a tone or a gain is negative";
  return map_flaw(payload, 2, state);
}

static const char *mask_flaw(enum phbatch_opcode opcode, const float *payload, size_t count,
                             const PhState *state) {
  switch (opcode) {
    case PHBATCH_OP_COVER_RADIAL:
      return payload[7] < 1 ? NULL : "its inner edge is not inside";
    case PHBATCH_OP_COVER_POLYGON: return polygon_flaw(payload, count);
    case PHBATCH_OP_COVER_RANGE:
      return isnormal(payload[3]) && payload[3] > 0 ? NULL : "its feather is not positive";
    case PHBATCH_OP_COVER_DISC:
      return isnormal(payload[4]) && payload[4] > 0 ? NULL : "its feather is not positive";
    case PHBATCH_OP_COVER_MAP:
      return is_whole(payload[1], 0, state->input.maps - 1) ? NULL : "there is no such map";
    default: return NULL;
  }
}

/// Checks a slot: SAVE must precede every instruction that reads the slot.
static const char *slot_flaw(enum phbatch_opcode opcode, const float *payload, PhState *state) {
  if (!is_whole(payload[0], 0, PHBATCH_SLOTS - 1)) return "its slot is not in 0…5";
  unsigned bit = 1u << (unsigned)payload[0];
  if (opcode == PHBATCH_OP_SAVE) state->saved |= bit;
  return state->saved & bit ? NULL : "nothing was saved in its slot";
}

static const char *cover_flaw(float cover, const PhState *state) {
  if (!is_whole(cover, 0, PHBATCH_COVERS - 1)) return "its cover is not in 0…7";
  return state->covers & (1u << (unsigned)cover) ? NULL : "its cover was not computed";
}

/// Returns the flaw in an instruction's payload; NULL if the payload is valid.
static const char *flaw(enum phbatch_opcode opcode, const float *payload, size_t count,
                        gboolean first, PhState *state) {
  int fixed = shapes[opcode].payload;
  if (fixed >= 0 && count != (size_t)fixed) return wrong_length;
  if (!all_finite(payload, count)) return "a number is not finite";
  const char *problem = NULL;
  switch (opcode) {
    case PHBATCH_OP_TABLE:
      if (!first) return "it is not the first instruction";
      if (state->input.table_size == 0) return "the input's samples are not integers";
      return count == 3 * (size_t)state->input.table_size ? NULL : wrong_length;
    case PHBATCH_OP_CURVE: return curve_flaw(payload, count);
    case PHBATCH_OP_TONE: return tone_flaw(payload, count);
    case PHBATCH_OP_ADAPT: return adapt_flaw(payload);
    case PHBATCH_OP_HUES: return hues_flaw(payload, count);
    case PHBATCH_OP_GRADE: return table_flaw(payload, count, 4, 8);
    case PHBATCH_OP_CLOSE: return closing_flaw(payload);
    case PHBATCH_OP_SATURATE: return payload[0] >= 0 ? NULL : "its growth is negative";
    case PHBATCH_OP_KEY: return key_flaw(payload);
    case PHBATCH_OP_STEPS:
      return is_whole(payload[0], 2, PH_STEPS) ? NULL : "its number is not in 2…65536";
    case PHBATCH_OP_ROLLOFF: return rolloff_flaw(payload);
    case PHBATCH_OP_GAMUT: return gamut_flaw(payload);
    case PHBATCH_OP_RADIAL: return radial_flaw(payload);
    case PHBATCH_OP_FALLOFF: return falloff_flaw(payload);
    case PHBATCH_OP_LUT: return lut_flaw(payload, count);
    case PHBATCH_OP_GRAIN: return grain_flaw(payload);
    case PHBATCH_OP_DITHER: return dither_flaw(payload);
    case PHBATCH_OP_LAYER:
      return is_whole(payload[0], 0, state->input.layers - 1) ? NULL : "there is no such image";
    case PHBATCH_OP_SAVE:
    case PHBATCH_OP_MULTIPLY:
    case PHBATCH_OP_HOLD: return slot_flaw(opcode, payload, state);
    case PHBATCH_OP_MIX:
      problem = slot_flaw(opcode, payload, state);
      return problem || payload[2] == -1 ? problem : cover_flaw(payload[2], state);
    case PHBATCH_OP_COMPOSE:
      problem = slot_flaw(opcode, payload, state);
      if (!problem && payload[2] != -1) problem = cover_flaw(payload[2], state);
      if (problem) return problem;
      return is_whole(payload[3], 1, PHBATCH_COMPOSE_LAST) ? NULL : "its mode is unknown";
    case PHBATCH_OP_BLEND:
      problem = slot_flaw(opcode, payload, state);
      if (problem) return problem;
      return is_whole(payload[1], 1, PHBATCH_BLEND_LAST) ? NULL : "its mode is unknown";
    case PHBATCH_OP_COMBINE:
      problem = cover_flaw(payload[0], state);
      if (!problem) problem = cover_flaw(payload[1], state);
      return problem || is_whole(payload[2], 0, 2) ? problem : "its way is not in 0…2";
    case PHBATCH_OP_FADE: return cover_flaw(payload[0], state);
    case PHBATCH_OP_LOCAL: return local_flaw(payload, count, state);
    case PHBATCH_OP_DEHAZE:
      if (!(isnormal(payload[11]) && payload[11] > 0)) return "its floor is not positive";
      if (!(payload[12] >= 0)) return "its richness is negative";
      return map_flaw(payload, 2, state);
    case PHBATCH_OP_TILES: return map_flaw(payload, 2, state);
    case PHBATCH_OP_COVER_LINEAR:
    case PHBATCH_OP_COVER_RADIAL:
    case PHBATCH_OP_COVER_POLYGON:
    case PHBATCH_OP_COVER_RANGE:
    case PHBATCH_OP_COVER_DISC:
    case PHBATCH_OP_COVER_MAP:
      if (count == 0 || !is_whole(payload[0], 0, PHBATCH_COVERS - 1))
        return "its cover is not in 0…7";
      state->covers |= 1u << (unsigned)payload[0];
      return mask_flaw(opcode, payload, count, state);
    default: return NULL;
  }
}

/// Returns the bits of one word.
static guint32 word(const float *words, size_t index) {
  guint32 bits;
  memcpy(&bits, words + index, sizeof bits);
  return bits;
}

/// Creates the instructions from the words. Returns FALSE, with the error text set, on a flaw.
static gboolean parse(PhProgram *program, const char *operation, size_t length,
                      PhProgramInput input) {
  const float *words = program->words;
  size_t at = 2;
  guint32 announced = word(words, 1);
  PhState state = {.input = input};
  for (guint32 i = 0; i < announced; i++) {
    guint32 opcode = length - at >= 2 ? word(words, at) : 0;
    guint32 count = length - at >= 2 ? word(words, at + 1) : 0;
    if (length - at < 2 || count > length - at - 2) {
      vips_error(operation, "program ends within instruction %u of %u", i + 1, announced);
      return FALSE;
    }
    if (opcode > PHBATCH_OP_LAST || !shapes[opcode].name) {
      vips_error(operation, "instruction %u: opcode %u is unknown", i + 1, opcode);
      return FALSE;
    }
    const float *payload = words + at + 2;
    const char *problem = flaw(opcode, payload, count, i == 0, &state);
    if (problem) {
      vips_error(operation, "instruction %u (%s): %s", i + 1, shapes[opcode].name, problem);
      return FALSE;
    }
    if (opcode == PHBATCH_OP_TABLE)
      program->tables = payload;
    else
      program->instructions[program->count++] = (PhInstruction){opcode, payload};
    at += 2 + (size_t)count;
  }
  if (at != length) {
    vips_error(operation, "program goes on after its %u instructions", announced);
    return FALSE;
  }
  return TRUE;
}

PhProgram *ph_program_read(const char *operation, const void *bytes, size_t length,
                           PhProgramInput input) {
  size_t words = length / sizeof(float);
  if (length % sizeof(float) != 0 || words < 2) {
    vips_error(operation, "program of %zu bytes is not a sequence of 32-bit words", length);
    return NULL;
  }
  PhProgram *program = g_new0(PhProgram, 1);
  program->words = g_malloc(length);
  for (size_t i = 0; i < words; i++) {
    guint32 bits;
    memcpy(&bits, (const char *)bytes + i * sizeof bits, sizeof bits);
    bits = GUINT32_FROM_LE(bits);
    memcpy(program->words + i, &bits, sizeof bits);
  }
  // Every instruction has at least two words. The allocation thus depends on the program's length,
  // not on the instruction count that it states.
  program->instructions = g_new(PhInstruction, words / 2);
  if (word(program->words, 0) != PHBATCH_PROGRAM_MAGIC) {
    vips_error(operation, "program does not start with its magic number");
    ph_program_free(program);
    return NULL;
  }
  if (!parse(program, operation, words, input)) {
    ph_program_free(program);
    return NULL;
  }
  return program;
}

int ph_program_run(const PhProgram *program, const PhKernel *kernel, PhBlock *block) {
  int clipped = 0;
  for (int i = 0; i < program->count; i++) {
    const PhInstruction *instruction = &program->instructions[i];
    // Clipped pixels are counted before DITHER, because DITHER clamps colours before it adds noise.
    if (instruction->opcode == PHBATCH_OP_DITHER) clipped += ph_kernel_clipped(kernel, block);
    kernel->loops->step[instruction->opcode](block, instruction->payload);
  }
  return clipped;
}

void ph_program_free(PhProgram *program) {
  if (!program) return;
  g_free(program->instructions);
  g_free(program->words);
  g_free(program);
}
