// Times the point kernel over an image in memory, on one thread, for all sets of loops.
//
// Prints lines of KIND, NAME, SET and nanoseconds a pixel, with tabs between: programs as recipes
// make them, and instructions as what each adds to a program. Linked with the objects of the
// package, so that what is measured is what is shipped.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kernels.h"

enum { PASSES = 7 };

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

/// A map of so many values in so many bands, rising across.
static VipsImage *map(int across, int down, int bands) {
  float *values = g_new(float, across * down * bands);
  for (int i = 0; i < across * down * bands; i++)
    values[i] = 0.5f * (i / bands % across) / across + 0.4f * (i % bands) / bands;
  VipsImage *image = vips_image_new_from_memory_copy(
      values, sizeof(float) * across * down * bands, across, down, bands, VIPS_FORMAT_FLOAT);
  g_free(values);
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

/// What the programs read: a photo, the same as their only layer, and maps of two and of 256 bands.
typedef struct {
  VipsImage *photo, *maps[2];
} Inputs;

/// The median processor time of a pixel over all passes, or −1; `tally` may be NULL.
static double measured(const Inputs *inputs, const Program *program, gboolean portable,
                       PhTally *tally) {
  double times[PASSES];
  for (int pass = 0; pass < PASSES; pass++) {
    VipsBlob *blob = vips_blob_copy(program->words, program->count * sizeof(uint32_t));
    VipsArrayImage *layers = vips_array_image_newv(1, inputs->photo);
    VipsArrayImage *maps = vips_array_image_newv(2, inputs->maps[0], inputs->maps[1]);
    VipsImage *out = NULL;
    int failed = vips_call("phbatch_point", inputs->photo, &out, VIPS_FORMAT_UCHAR, blob, "portable",
                           portable, "layers", layers, "maps", maps, "tally", tally, NULL);
    vips_area_unref(VIPS_AREA(blob));
    vips_area_unref(VIPS_AREA(layers));
    vips_area_unref(VIPS_AREA(maps));
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

/// Measures what `program` takes beyond `base`, if there is one; returns whether that worked.
static gboolean report(const Inputs *inputs, const char *kind, const char *name, Program program,
                       Program *base) {
  static const char *const sets[] = {"fastest", "AVX2", "portable"};
  for (int set = 0; set < 3; set++) {
    gboolean portable = set == 2;
    phbatch_kernels_keep_to_avx2(set == 1);
    double before = base ? measured(inputs, base, portable, NULL) : 0;
    double time = measured(inputs, &program, portable, NULL);
    if (time < 0 || before < 0) {
      fprintf(stderr, "%s: %s", name, vips_error_buffer());
      return FALSE;
    }
    printf("%s\t%s\t%s\t%.3f\n", kind, name, sets[set], time - before);
  }
  g_free(program.words);
  return TRUE;
}

/// Measures what counting clipped pixels takes.
static gboolean report_counting(const Inputs *inputs) {
  static const char *const sets[] = {"fastest", "AVX2", "portable"};
  Program empty = program_new();
  PhTally *tally = ph_tally_new();
  gboolean done = TRUE;
  for (int set = 0; set < 3 && done; set++) {
    phbatch_kernels_keep_to_avx2(set == 1);
    double before = measured(inputs, &empty, set == 2, NULL);
    double time = measured(inputs, &empty, set == 2, tally);
    done = before >= 0 && time >= 0;
    if (done) printf("instruction\tcounting\t%s\t%.3f\n", sets[set], time - before);
  }
  if (!done) fprintf(stderr, "counting: %s", vips_error_buffer());
  ph_tally_release(tally);
  g_free(empty.words);
  return done;
}

/// An instruction with a payload of numbers, and what must come before it.
typedef struct {
  const char *name;
  enum phbatch_opcode opcode;
  int length;
  float payload[16];
  /// A slot saved and the covers 0 and 1 computed, where it reads them.
  gboolean saved, covered;
} Instruction;

static const Instruction instructions[] = {
    {"gain", PHBATCH_OP_GAIN, 6, {1.1f, 1.2f, 0.9f, 0, 0.01f, 0}},
    {"matrix", PHBATCH_OP_MATRIX, 12, {0.9f, 0.1f, 0, 0, 0, 1, 0, 0, 0.1f, 0, 0.8f, 0}},
    {"decode", PHBATCH_OP_DECODE, 0},
    {"encode", PHBATCH_OP_ENCODE, 0},
    {"decodeNearly", PHBATCH_OP_DECODE_NEARLY, 0},
    {"close", PHBATCH_OP_CLOSE, 11,
     {0, 0.0031308f, 12.92f, 1.25f, -0.0400f, 1.5225f, -1.4911f, 2.4995f, -2.6498f, 1.5127f, -0.3538f}},
    {"close, fourth root", PHBATCH_OP_CLOSE, 11,
     {1, 0, 1870, 1.1f, -0.0002f, 0.0268f, 1.3516f, -0.8801f, 0.9287f, -0.5760f, 0.1491f}},
    {"cubeRoot", PHBATCH_OP_CBRT, 0},
    {"cube", PHBATCH_OP_CUBE, 0},
    {"vibrance", PHBATCH_OP_VIBRANCE, 7, {0.4f, SRGB_GAMUT}},
    {"saturate", PHBATCH_OP_SATURATE, 7, {0.4f, SRGB_GAMUT}},
    {"adapt", PHBATCH_OP_ADAPT, 11, {0.8f, 0.02f, 0, 0.01f, 1, 0.01f, 0, 0.1f, 1.3f, 0.79f, 0.96f}},
    {"steps", PHBATCH_OP_STEPS, 1, {6}},
    {"radial", PHBATCH_OP_RADIAL, 7, {2048, 1500, 3.45e-4f, 4.7e-4f, 0.15f, 0.85f, -0.3f}},
    {"grain", PHBATCH_OP_GRAIN, 10, {0, 1, 0, 0, 0, 1, 0.4f, 0.3f, 0.1f, 7}},
    {"dither", PHBATCH_OP_DITHER, 2, {255, 3}},
    {"save", PHBATCH_OP_SAVE, 1, {1}},
    {"mix", PHBATCH_OP_MIX, 3, {0, 0.5f, 0}, TRUE, TRUE},
    {"compose", PHBATCH_OP_COMPOSE, 4, {0, 0.5f, 0, PHBATCH_COMPOSE_XOR}, TRUE, TRUE},
    {"blend", PHBATCH_OP_BLEND, 2, {0, PHBATCH_BLEND_SOFT_LIGHT}, TRUE},
    {"layer", PHBATCH_OP_LAYER, 1, {0}},
    {"combine", PHBATCH_OP_COMBINE, 3, {0, 1, 2}, FALSE, TRUE},
    {"fade", PHBATCH_OP_FADE, 3, {0, -0.8f, 0.9f}, FALSE, TRUE},
    {"coverLinear", PHBATCH_OP_COVER_LINEAR, 4, {0, 0.1f, 1e-4f, 1e-4f}},
    {"coverRadial", PHBATCH_OP_COVER_RADIAL, 8, {0, -1, 5e-4f, 0, -1, 0, 6e-4f, 0.5f}},
    {"coverPolygon", PHBATCH_OP_COVER_POLYGON, 15,
     {0, 0, 2.4e-4f, 0, 0, 0, 3.3e-4f, 0.05f, 3, 0.2f, 0.2f, 0.9f, 0.3f, 0.4f, 0.8f}},
    {"coverRange", PHBATCH_OP_COVER_RANGE, 4, {0, 0.3f, 0.6f, 0.2f}},
    {"coverDisc", PHBATCH_OP_COVER_DISC, 5, {0, 0.4f, 0.7f, 0.1f, 0.25f}},
    {"coverMap", PHBATCH_OP_COVER_MAP, 8, {0, 0, 0, 2.4e-4f, 0, 0, 0, 3.3e-4f}},
    {"dehaze", PHBATCH_OP_DEHAZE, 13,
     {0, 0, 2.4e-4f, 0, 0, 0, 3.3e-4f, 0.9f, 0.9f, 1, 0.5f, 0.1f, 0.5f}},
    {"tiles", PHBATCH_OP_TILES, 7, {1, 0, 2.4e-4f, 0, 0, 0, 3.3e-4f}},
};

/// Measures the instructions whose payload is no table.
static gboolean report_instructions(const Inputs *inputs) {
  for (size_t i = 0; i < G_N_ELEMENTS(instructions); i++) {
    const Instruction *it = &instructions[i];
    Program programs[2] = {program_new(), program_new()};
    for (int k = 0; k < 2; k++) {
      if (it->saved) add(&programs[k], PHBATCH_OP_SAVE, (float[]){0}, 1);
      for (int cover = 0; it->covered && cover < 2; cover++)
        add(&programs[k], PHBATCH_OP_COVER_LINEAR, (float[]){cover, 0, 2e-4f, 1e-4f}, 4);
    }
    add(&programs[1], it->opcode, it->payload, it->length);
    gboolean done = report(inputs, "instruction", it->name, programs[1], &programs[0]);
    g_free(programs[0].words);
    if (!done) return FALSE;
  }
  return TRUE;
}

int main(int count, char **words) {
  (void)count;
  if (VIPS_INIT(words[0])) return 1;
  phbatch_operations_register();
  vips_concurrency_set(1);
  Inputs inputs = {photo(), {map(128, 94, 32), map(8, 8, 257)}};
  Program empty = program_new();
  Program table = program_new();
  add_table(&table);
  gboolean done = report(&inputs, "program", "six steps", six(), NULL) &&
                  report(&inputs, "program", "twelve steps, OKLab", twelve(), NULL) &&
                  report(&inputs, "program", "cube of 33³ colours", cube(33), NULL) &&
                  report(&inputs, "program", "cube of 65³ colours", cube(65), NULL) &&
                  report(&inputs, "instruction", "ends", program_new(), NULL) &&
                  report(&inputs, "instruction", "table", table, &empty) &&
                  report(&inputs, "instruction", "lut", cube(33), &empty) &&
                  report(&inputs, "instruction", "curve", one_curve(PHBATCH_OP_CURVE, 1), &empty) &&
                  report(&inputs, "instruction", "curve, even", one_curve(PHBATCH_OP_CURVE, 0),
                         &empty) &&
                  report(&inputs, "instruction", "tone", one_curve(PHBATCH_OP_TONE, 1), &empty) &&
                  report(&inputs, "instruction", "tone, even", one_curve(PHBATCH_OP_TONE, 0),
                         &empty) &&
                  report(&inputs, "instruction", "hues", one_table(PHBATCH_OP_HUES), &empty) &&
                  report(&inputs, "instruction", "grade", one_table(PHBATCH_OP_GRADE), &empty) &&
                  report(&inputs, "instruction", "local", one_table(PHBATCH_OP_LOCAL), &empty) &&
                  report_counting(&inputs) && report_instructions(&inputs);
  g_free(empty.words);
  g_object_unref(inputs.photo);
  for (int i = 0; i < 2; i++) g_object_unref(inputs.maps[i]);
  vips_shutdown();
  return done ? 0 : 1;
}
