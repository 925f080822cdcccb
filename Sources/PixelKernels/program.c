#include "program.h"

#include <math.h>
#include <string.h>
#include <vips/vips.h>

/// The largest n of a curve; beyond it a float no longer tells knots apart well.
enum { PH_CURVE_STEPS = 65536 };

typedef struct {
  const char *name;
  /// Floats in the payload; −1 if it depends on the payload or the input.
  int payload;
} Shape;

static const Shape shapes[PHBATCH_OP_LAST + 1] = {
    [PHBATCH_OP_TABLE] = {"TABLE", -1},      [PHBATCH_OP_GAIN] = {"GAIN", 6},
    [PHBATCH_OP_MATRIX] = {"MATRIX", 12},    [PHBATCH_OP_DECODE] = {"DECODE", 0},
    [PHBATCH_OP_ENCODE] = {"ENCODE", 0},     [PHBATCH_OP_CURVE] = {"CURVE", -1},
    [PHBATCH_OP_CBRT] = {"CBRT", 0},         [PHBATCH_OP_CUBE] = {"CUBE", 0},
    [PHBATCH_OP_VIBRANCE] = {"VIBRANCE", 1}, [PHBATCH_OP_RADIAL] = {"RADIAL", 7},
    [PHBATCH_OP_SAVE] = {"SAVE", 1},         [PHBATCH_OP_MIX] = {"MIX", 2},
};

static gboolean all_finite(const float *payload, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(payload[i])) return FALSE;
  return TRUE;
}

/// Whether `value` is a whole number in `low`…`high`.
static gboolean is_whole(float value, int low, int high) {
  return value >= (float)low && value <= (float)high && value == truncf(value);
}

static const char *curve_flaw(const float *payload, size_t count) {
  if (count < 3) return "its payload is too short";
  if (!(payload[0] > 0) || !isnormal(payload[0] * payload[0])) return "tMax is not positive";
  if (!is_whole(payload[1], 1, 3) || payload[1] == 2) return "its channels are not 1 or 3";
  if (!is_whole(payload[2], 1, PH_CURVE_STEPS)) return "its number of steps is not in 1…65536";
  size_t expected = 3 + (size_t)payload[1] * ((size_t)payload[2] + 3);
  return count == expected ? NULL : "its payload has the wrong length";
}

static const char *radial_flaw(const float *payload) {
  return isfinite(1.0f / (payload[5] - payload[4])) ? NULL : "its two edges are one";
}

/// Checks a slot, and that SAVE comes before MIX; `saved` is the set of slots in use.
static const char *slot_flaw(enum phbatch_opcode opcode, float slot, unsigned *saved) {
  if (!is_whole(slot, 0, PHBATCH_SLOTS - 1)) return "its slot is not in 0…3";
  unsigned bit = 1u << (unsigned)slot;
  if (opcode == PHBATCH_OP_SAVE) *saved |= bit;
  return *saved & bit ? NULL : "nothing was saved in its slot";
}

/// What is wrong with the payload of an instruction, or NULL.
static const char *flaw(enum phbatch_opcode opcode, const float *payload, size_t count,
                        int table_size, gboolean first, unsigned *saved) {
  int fixed = shapes[opcode].payload;
  if (fixed >= 0 && count != (size_t)fixed) return "its payload has the wrong length";
  if (!all_finite(payload, count)) return "a number is not finite";
  switch (opcode) {
    case PHBATCH_OP_TABLE:
      if (!first) return "it is not the first instruction";
      if (table_size == 0) return "the input's samples are not integers";
      return count == 3 * (size_t)table_size ? NULL : "its payload has the wrong length";
    case PHBATCH_OP_CURVE: return curve_flaw(payload, count);
    case PHBATCH_OP_RADIAL: return radial_flaw(payload);
    case PHBATCH_OP_SAVE:
    case PHBATCH_OP_MIX: return slot_flaw(opcode, payload[0], saved);
    default: return NULL;
  }
}

/// One word, whatever the byte order of the machine.
static guint32 word(const float *words, size_t index) {
  guint32 bits;
  memcpy(&bits, words + index, sizeof bits);
  return bits;
}

/// Walks over the words and fills in the instructions; returns FALSE with the error text set.
static gboolean parse(PhProgram *program, const char *operation, size_t length, int table_size) {
  const float *words = program->words;
  size_t at = 2;
  guint32 announced = word(words, 1);
  unsigned saved = 0;
  for (guint32 i = 0; i < announced; i++) {
    guint32 opcode = length - at >= 2 ? word(words, at) : 0;
    guint32 count = length - at >= 2 ? word(words, at + 1) : 0;
    if (length - at < 2 || count > length - at - 2) {
      vips_error(operation, "program ends within instruction %u of %u", i + 1, announced);
      return FALSE;
    }
    if (opcode < PHBATCH_OP_TABLE || opcode > PHBATCH_OP_LAST) {
      vips_error(operation, "instruction %u: opcode %u is unknown", i + 1, opcode);
      return FALSE;
    }
    const float *payload = words + at + 2;
    const char *problem = flaw(opcode, payload, count, table_size, i == 0, &saved);
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
                           int table_size) {
  size_t words = length / sizeof(float);
  if (length % sizeof(float) != 0 || words < 2) {
    vips_error(operation, "program of %zu bytes is no run of 32-bit words", length);
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
  // An instruction is at least two words long, whatever number of them the program announces.
  program->instructions = g_new(PhInstruction, words / 2);
  if (word(program->words, 0) != PHBATCH_PROGRAM_MAGIC) {
    vips_error(operation, "program does not start with its magic number");
    ph_program_free(program);
    return NULL;
  }
  if (!parse(program, operation, words, table_size)) {
    ph_program_free(program);
    return NULL;
  }
  return program;
}

void ph_program_free(PhProgram *program) {
  if (!program) return;
  g_free(program->instructions);
  g_free(program->words);
  g_free(program);
}
