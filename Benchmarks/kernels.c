// Times the point kernel over an image in memory, on one thread, for both sets of loops.
//
// Prints lines of KERNEL, SET and nanoseconds a pixel, with tabs between. Linked with the objects of
// the package, so that what is measured is what is shipped.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vips/vips.h>

#include "../Sources/PixelKernels/include/phbatch_kernels.h"

enum { WIDTH = 4096, HEIGHT = 3000, PASSES = 7, CURVE_STEPS = 8192 };

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

/// `function` for all channels, or for each as if they were three.
static void add_curve(Program *program, float (*function)(float), int channels) {
  int length = 4 + channels * (CURVE_STEPS + 3);
  float *payload = g_new(float, length);
  memcpy(payload, (float[]){0, 2, channels, CURVE_STEPS}, 4 * sizeof(float));
  for (int c = 0; c < channels; c++) {
    float *own = payload + 4 + c * (CURVE_STEPS + 3);
    own[0] = own[1] = 1;
    for (int i = 0; i <= CURVE_STEPS; i++) {
      float root = 2.0f * i / CURVE_STEPS;
      own[2 + i] = function(root * root);
    }
  }
  add(program, PHBATCH_OP_CURVE, payload, length);
  g_free(payload);
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

/// The program of recipes/twelve-staying.json.
static Program twelve(void) {
  Program program = program_new();
  add_table(&program);
  add_matrix(&program, lms_from_rgb);
  add(&program, PHBATCH_OP_CBRT, NULL, 0);
  add_matrix(&program, lab_from_lms);
  add(&program, PHBATCH_OP_VIBRANCE, (float[]){0.2f}, 1);
  add_matrix(&program, lms_from_lab);
  add(&program, PHBATCH_OP_CUBE, NULL, 0);
  add_matrix(&program, rgb_from_lms);
  add_vignette(&program);
  add_curve(&program, encoded, 1);
  add_matrix(&program, sepia);
  add_curve(&program, bent, 3);
  return program;
}

/// The program of recipes/twelve-folding.json.
static Program six(void) {
  Program program = program_new();
  add_table(&program);
  add_matrix(&program, white_balance);
  add_vignette(&program);
  add_curve(&program, encoded, 1);
  add_matrix(&program, sepia);
  add_curve(&program, bent, 3);
  return program;
}

/// A bent cube of 33³ colours.
static Program cube(void) {
  enum { EDGE = 33, LENGTH = 7 + 3 * EDGE * EDGE * EDGE + 1 };
  float *payload = g_new0(float, LENGTH);
  memcpy(payload, (float[]){EDGE, 1, 1, 1, 0, 0, 0}, 7 * sizeof(float));
  float *colour = payload + 7;
  for (int b = 0; b < EDGE; b++)
    for (int g = 0; g < EDGE; g++)
      for (int r = 0; r < EDGE; r++, colour += 3) {
        colour[0] = bent(r / (EDGE - 1.0f));
        colour[1] = 0.9f * g / (EDGE - 1.0f) + 0.1f * colour[0];
        colour[2] = bent(b / (EDGE - 1.0f)) * (0.8f + 0.2f * colour[0]);
      }
  Program program = program_new();
  add(&program, PHBATCH_OP_LUT, payload, LENGTH);
  g_free(payload);
  return program;
}

/// A ramp with noise, about as uneven as a photo.
static VipsImage *photo(void) {
  size_t size = (size_t)WIDTH * HEIGHT * 3;
  uint8_t *pixels = g_malloc(size);
  uint32_t noise = 1;
  for (size_t i = 0; i < size; i++) {
    noise = noise * 1664525u + 1013904223u;
    pixels[i] = i / 3 % WIDTH * 232 / WIDTH + (noise >> 24) % 24;
  }
  VipsImage *image =
      vips_image_new_from_memory_copy(pixels, size, WIDTH, HEIGHT, 3, VIPS_FORMAT_UCHAR);
  g_free(pixels);
  return image;
}

static int discard(VipsRegion *region, VipsRect *area, void *client) {
  (void)region, (void)area, (void)client;
  return 0;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// The median processor time of a pixel over all passes, or −1.
static double measured(VipsImage *source, const Program *program, gboolean portable) {
  double times[PASSES];
  for (int pass = 0; pass < PASSES; pass++) {
    VipsBlob *blob = vips_blob_copy(program->words, program->count * sizeof(uint32_t));
    VipsImage *out = NULL;
    int failed = vips_call("phbatch_point", source, &out, VIPS_FORMAT_UCHAR, blob, "portable",
                           portable, NULL);
    vips_area_unref(VIPS_AREA(blob));
    if (failed) return -1;
    clock_t began = clock();
    failed = vips_sink_disc(out, discard, NULL);
    times[pass] = (clock() - began) * (1e9 / CLOCKS_PER_SEC) / ((double)WIDTH * HEIGHT);
    g_object_unref(out);
    if (failed) return -1;
  }
  qsort(times, PASSES, sizeof *times, by_value);
  return times[PASSES / 2];
}

int main(int count, char **words) {
  (void)count;
  if (VIPS_INIT(words[0])) return 1;
  phbatch_kernels_register();
  vips_concurrency_set(1);
  VipsImage *source = photo();
  struct {
    const char *name;
    Program program;
  } all[] = {{"six instructions", six()}, {"twelve instructions, OKLab", twelve()},
             {"cube of 33³ colours", cube()}};
  int status = 0;
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
    for (gboolean portable = FALSE; portable <= TRUE; portable++) {
      double time = measured(source, &all[i].program, portable);
      if (time < 0) {
        fprintf(stderr, "%s: %s", all[i].name, vips_error_buffer());
        status = 1;
      } else {
        printf("%s\t%s\t%.3f\n", all[i].name, portable ? "portable" : "fastest", time);
      }
    }
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) g_free(all[i].program.words);
  g_object_unref(source);
  vips_shutdown();
  return status;
}
