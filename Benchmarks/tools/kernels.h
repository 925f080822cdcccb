// Point programs under construction, and those of the recipes that are measured.
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <vips/vips.h>

#include "phbatch_kernels.h"
#include "phbatch_program.h"
#include "phbatch_tally.h"

/// The pixels that they are measured on.
enum { WIDTH = 4096, HEIGHT = 3000 };

/// A point program under construction.
typedef struct {
  uint32_t *words;
  size_t count;
} Program;

static void append(Program *program, const void *words, size_t count) {
  program->words = g_realloc_n(program->words, program->count + count, sizeof(uint32_t));
  memcpy(program->words + program->count, words, count * sizeof(uint32_t));
  program->count += count;
}

static Program program_new(void) {
  Program program = {NULL, 0};
  append(&program, (uint32_t[]){PHBATCH_PROGRAM_MAGIC, 0}, 2);
  return program;
}

static void add(Program *program, enum phbatch_opcode opcode, const float *payload, int length) {
  append(program, (uint32_t[]){opcode, length}, 2);
  append(program, payload, length);
  program->words[1]++;
}

static float decoded(float x) {
  return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

static float encoded(float x) {
  return x <= 0.0031308f ? x * 12.92f : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
}

/// The sample values of 8 bits, made linear and a third of a stop brighter.
static void add_table(Program *program) {
  float table[3 * 256];
  for (int i = 0; i < 3 * 256; i++) table[i] = 1.2311f * decoded(i % 256 / 255.0f);
  add(program, PHBATCH_OP_TABLE, table, 3 * 256);
}

static void add_matrix(Program *program, const float rows[9]) {
  float payload[12];
  for (int i = 0; i < 12; i++) payload[i] = i % 4 == 3 ? 0 : rows[i / 4 * 3 + i % 4];
  add(program, PHBATCH_OP_MATRIX, payload, 12);
}

/// An instruction with `function` for a set of planes, at so many even steps of x or of √x.
static void add_sampled(Program *program, enum phbatch_opcode opcode, float (*function)(float),
                        int planes, int root, int n) {
  float *payload = g_new(float, 8 + n);
  memcpy(payload, (float[]){planes, root, -1, 2, n, 1, 1}, 7 * sizeof(float));
  for (int i = 0; i <= n; i++) {
    float t = 3.0f * i / n - 1;
    payload[7 + i] = function(root ? t * fabsf(t) : t);
  }
  add(program, opcode, payload, 8 + n);
  g_free(payload);
}

static void add_curve(Program *program, float (*function)(float), int planes, int root, int n) {
  add_sampled(program, PHBATCH_OP_CURVE, function, planes, root, n);
}

static float bent(float x) { return x + 0.05f * sinf(6.2832f * x); }

static void add_vignette(Program *program) {
  float across = 1.41421f / WIDTH, down = 1.41421f / HEIGHT;
  add(program, PHBATCH_OP_RADIAL,
      (float[]){WIDTH / 2.0f, HEIGHT / 2.0f, across, down, 0.15f, 0.85f, -0.3f}, 7);
}

static const float white_balance[] = {0.9889f, -0.0124f, -0.0043f, 0.0006f, 0.9998f,
                                      -0.0020f, 0.0022f, 0.0085f,  1.0926f};
static const float lms_from_rgb[] = {0.4080f, 0.5316f, 0.0533f, 0.2102f, 0.6789f,
                                     0.1151f, 0.0889f, 0.2860f, 0.6874f};
static const float lab_from_lms[] = {0.2105f, 0.7936f, -0.0041f, 2.1713f, -2.7129f,
                                     0.5415f, 0.1423f, 0.7201f,  -0.8624f};
static const float lms_from_lab[] = {1, 0.3963f,  0.2158f, 1,       -0.1056f,
                                     -0.0639f, 1, -0.0895f, -1.2915f};
static const float rgb_from_lms[] = {4.0767f,  -3.3077f, 0.2310f,  -1.2684f, 2.6098f,
                                     -0.3413f, -0.0042f, -0.7034f, 1.7076f};
static const float sepia[] = {0.9697f, 0.0385f, 0.0095f, 0.0175f, 0.9843f,
                              0.0084f, 0.0136f, 0.0267f, 0.9566f};

#define SRGB_GAMUT 4.0767f, 0.2310f, -1.2684f, -0.3413f, -0.0042f, 1.7076f

/// The program of recipes/twelve-staying.json.
static Program twelve(void) {
  Program program = program_new();
  add_table(&program);
  add_matrix(&program, lms_from_rgb);
  add(&program, PHBATCH_OP_CBRT, NULL, 0);
  add_matrix(&program, lab_from_lms);
  add(&program, PHBATCH_OP_SATURATE, (float[]){0.1f, SRGB_GAMUT}, 7);
  add(&program, PHBATCH_OP_VIBRANCE, (float[]){0.2f, SRGB_GAMUT}, 7);
  add_matrix(&program, lms_from_lab);
  add(&program, PHBATCH_OP_CUBE, NULL, 0);
  add_matrix(&program, rgb_from_lms);
  add_vignette(&program);
  add_curve(&program, encoded, 7, 1, 1536);
  add_matrix(&program, sepia);
  add_curve(&program, bent, 1, 0, 384);
  add_curve(&program, bent, 4, 0, 384);
  return program;
}

/// The program of recipes/twelve-folding.json.
static Program six(void) {
  Program program = program_new();
  add_table(&program);
  add_matrix(&program, white_balance);
  add_vignette(&program);
  add_curve(&program, encoded, 7, 1, 1536);
  add_matrix(&program, sepia);
  add_curve(&program, bent, 1, 0, 384);
  add_curve(&program, bent, 2, 0, 384);
  add_curve(&program, bent, 4, 0, 384);
  return program;
}

/// A bent cube of n³ colours.
static Program cube(int n) {
  int length = 7 + 3 * n * n * n + 1;
  float *payload = g_new0(float, length);
  memcpy(payload, (float[]){n, 1, 1, 1, 0, 0, 0}, 7 * sizeof(float));
  float *colour = payload + 7;
  for (int b = 0; b < n; b++)
    for (int g = 0; g < n; g++)
      for (int r = 0; r < n; r++, colour += 3) {
        colour[0] = bent(r / (n - 1.0f));
        colour[1] = 0.9f * g / (n - 1.0f) + 0.1f * colour[0];
        colour[2] = bent(b / (n - 1.0f)) * (0.8f + 0.2f * colour[0]);
      }
  Program program = program_new();
  add(&program, PHBATCH_OP_LUT, payload, length);
  g_free(payload);
  return program;
}

/// A curve of three channels, each by itself or as one tone.
static Program one_curve(enum phbatch_opcode opcode, int root) {
  Program program = program_new();
  add_sampled(&program, opcode, bent, 7, root, root ? 1536 : 384);
  return program;
}

/// An instruction whose payload is numbers before a table, with as many steps as in recipes.
static Program one_table(enum phbatch_opcode opcode) {
  static const float head[3][9] = {{2048, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535},
                                   {0.2126f, 0.7152f, 0.0722f, 256},
                                   {0, 0, 2.4e-4f, 0, 0, 0, 3.3e-4f, 512}};
  int kind = opcode == PHBATCH_OP_HUES ? 0 : opcode == PHBATCH_OP_GRADE ? 1 : 2;
  int length = (int[]){9, 4, 8}[kind], width = (int[]){4, 8, 4}[kind];
  static const float gamut[] = {SRGB_GAMUT};
  int tail = kind == 0 ? 6 : 0;
  int count = length + width * ((int)head[kind][kind == 0 ? 0 : length - 1] + 1) + tail;
  float *payload = g_new(float, count);
  memcpy(payload, head[kind], length * sizeof(float));
  for (int i = length; i < count; i++) payload[i] = 0.9f + 0.0001f * (i % width);
  memcpy(payload + count - tail, gamut, tail * sizeof(float));
  Program program = program_new();
  add(&program, opcode, payload, count);
  g_free(payload);
  return program;
}
