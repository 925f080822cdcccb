#include "jpeg/coefficients.h"

#include <math.h>
#include <string.h>

#include "jpeg/dct.h"
#include "jpeg/trellis.h"

#pragma STDC FP_CONTRACT OFF

/// Until they are quantized, coefficients are stored as integers of 1/16.
enum { PH_STEPS = 16 };

/// The price of a bit in squared quantizers, at a block without detail, and its growth with the
/// mean square of the block's coefficients, because detail hides errors. Chosen for the fewest
/// bytes at equal SSIMULACRA2; see Benchmarks/suites/looks/jpeg.
static const float PH_PRICE = 0.09f, PH_PRICE_OF_DETAIL = 1.5e-5f;

/// The place of each coefficient of a block in its zigzag order; ITU-T T.81, figure A.6.
static const guint8 zigzag[PH_COEFFICIENTS] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

typedef struct {
  /// The factors by which the component's resolution is lower, and its size in blocks.
  int columns, rows, across, down;
  /// The samples of a strip at the picture's resolution, with `PhCoefficients.pitch`.
  float *strip;
} PhComponent;

/// A table of the coder: how often each symbol occurs, and the bits that it then needs.
typedef struct {
  PhSymbolCounts counts;
  PhSymbolBits bits;
} PhCoder;

struct PhCoefficients {
  j_compress_ptr encoder;
  PhComponent components[MAX_COMPONENTS];
  /// The blocks of each component. The encoder reads this array until it has written the file.
  jvirt_barray_ptr blocks[MAX_COMPONENTS];
  /// The width of a strip in samples, its rows, the rows that it has, and the strips before it.
  int pitch, rows, filled, done;
  /// The rows of the picture that are still to come.
  int left;
};

static int divided_up(int value, int by) { return (value + by - 1) / by; }

void ph_coefficients_make(j_compress_ptr encoder, PhCoefficients **made) {
  PhCoefficients *all = *made = g_new0(PhCoefficients, 1);
  all->encoder = encoder;
  int columns = 1, rows = 1;
  for (int i = 0; i < encoder->num_components; i++) {
    columns = MAX(columns, encoder->comp_info[i].h_samp_factor);
    rows = MAX(rows, encoder->comp_info[i].v_samp_factor);
  }
  int width = (int)encoder->image_width, height = (int)encoder->image_height;
  int units = divided_up(width, columns * DCTSIZE);
  all->pitch = units * columns * DCTSIZE;
  all->rows = rows * DCTSIZE;
  all->left = height;
  for (int i = 0; i < encoder->num_components; i++) {
    const jpeg_component_info *info = &encoder->comp_info[i];
    PhComponent *component = &all->components[i];
    component->columns = columns / info->h_samp_factor;
    component->rows = rows / info->v_samp_factor;
    component->across = units * info->h_samp_factor;
    component->down = divided_up(height, all->rows) * info->v_samp_factor;
    all->blocks[i] = encoder->mem->request_virt_barray(
        (j_common_ptr)encoder, JPOOL_IMAGE, FALSE, (JDIMENSION)component->across,
        (JDIMENSION)component->down, (JDIMENSION)info->v_samp_factor);
    component->strip = g_new(float, (size_t)all->pitch * (size_t)all->rows);
  }
  encoder->mem->realize_virt_arrays((j_common_ptr)encoder);
}

/// A row of blocks of the component with index `i`.
static JBLOCKROW block_row(const PhCoefficients *all, int i, int y) {
  return all->encoder->mem->access_virt_barray((j_common_ptr)all->encoder, all->blocks[i],
                                               (JDIMENSION)y, 1, TRUE)[0];
}

/// A block of a component from a strip: means of the pixels that share a sample.
static void read_block(const PhCoefficients *all, const PhComponent *component, int left, int top,
                       float (*block)[PH_DCT_EDGE]) {
  float share = 1 / (float)(component->columns * component->rows);
  for (int y = 0; y < DCTSIZE; y++)
    for (int x = 0; x < DCTSIZE; x++) {
      float sum = 0;
      for (int dy = 0; dy < component->rows; dy++) {
        int row = (top + y) * component->rows + dy;
        const float *at = component->strip + (size_t)row * (size_t)all->pitch +
                          (size_t)((left + x) * component->columns);
        for (int dx = 0; dx < component->columns; dx++) sum += at[dx];
      }
      block[y][x] = sum * share;
    }
}

static void transform_strip(PhCoefficients *all) {
  for (int i = 0; i < all->encoder->num_components; i++) {
    const PhComponent *component = &all->components[i];
    int rows = all->rows / component->rows / DCTSIZE;
    for (int row = 0; row < rows; row++) {
      JBLOCKROW blocks = block_row(all, i, all->done * rows + row);
      for (int x = 0; x < component->across; x++) {
        PhDctBlock samples, found;
        read_block(all, component, x * DCTSIZE, row * DCTSIZE, samples);
        ph_dct(samples, found);
        for (int k = 0; k < PH_COEFFICIENTS; k++)
          blocks[x][k] = (JCOEF)lrintf(found[zigzag[k] / DCTSIZE][zigzag[k] % DCTSIZE] * PH_STEPS);
      }
    }
  }
  all->filled = 0;
  all->done++;
}

/// Copies the last pixel of a row of the strip up to the strip's width.
static void extend_row(const PhCoefficients *all, float *row) {
  for (int x = (int)all->encoder->image_width; x < all->pitch; x++) row[x] = row[x - 1];
}

void ph_coefficients_add(PhCoefficients *all, const guint8 *row) {
  int bands = all->encoder->num_components;
  size_t start = (size_t)all->filled * (size_t)all->pitch;
  int width = (int)all->encoder->image_width;
  if (all->encoder->jpeg_color_space == JCS_YCbCr) {
    float *light = all->components[0].strip + start, *blue = all->components[1].strip + start,
          *red = all->components[2].strip + start;
    // The matrix of JFIF 1.02.
    for (int x = 0; x < width; x++) {
      float r = row[3 * x], g = row[3 * x + 1], b = row[3 * x + 2];
      light[x] = 0.299f * r + 0.587f * g + 0.114f * b - CENTERJSAMPLE;
      blue[x] = -0.168736f * r - 0.331264f * g + 0.5f * b;
      red[x] = 0.5f * r - 0.418688f * g - 0.081312f * b;
    }
  } else {
    for (int i = 0; i < bands; i++)
      for (int x = 0; x < width; x++)
        all->components[i].strip[start + (size_t)x] = (float)row[bands * x + i] - CENTERJSAMPLE;
  }
  for (int i = 0; i < bands; i++) extend_row(all, all->components[i].strip + start);
  all->filled++;
  all->left--;
  if (all->left == 0)
    for (; all->filled < all->rows; all->filled++)
      for (int i = 0; i < bands; i++) {
        float *next = all->components[i].strip + (size_t)all->filled * (size_t)all->pitch;
        memcpy(next, next - all->pitch, (size_t)all->pitch * sizeof(float));
      }
  if (all->filled == all->rows) transform_strip(all);
}

/// The coefficients of a stored block, and their mean square without the first.
static float read_ratios(JCOEFPTR stored, const float *steps, float *ratios) {
  float sum = 0;
  for (int k = 1; k < PH_COEFFICIENTS; k++) {
    float value = (float)stored[k] / PH_STEPS;
    sum += value * value;
  }
  for (int k = 0; k < PH_COEFFICIENTS; k++) ratios[k] = (float)stored[k] * steps[k];
  return sum / (PH_COEFFICIENTS - 1);
}

/// The factors by which stored coefficients of component `i` become ratios to their quantizers.
static void read_steps(const PhCoefficients *all, int i, float *steps) {
  const JQUANT_TBL *table = all->encoder->quant_tbl_ptrs[all->encoder->comp_info[i].quant_tbl_no];
  for (int k = 0; k < PH_COEFFICIENTS; k++)
    steps[k] = 1 / ((float)table->quantval[zigzag[k]] * PH_STEPS);
}

/// Counts the symbols of the nearest values, for each table of the coder.
static void count_symbols(JCOEFPTR stored, const float *steps, PhCoder *coder) {
  float ratios[PH_COEFFICIENTS];
  gint16 values[PH_COEFFICIENTS];
  read_ratios(stored, steps, ratios);
  ph_quantize_nearest(ratios, values);
  ph_symbols_count(values, &coder->counts);
}

/// Replaces the coefficients of a block by their values.
static void quantize(JCOEFPTR stored, const float *steps, PhCoder *coder) {
  float ratios[PH_COEFFICIENTS];
  gint16 values[PH_COEFFICIENTS];
  float detail = read_ratios(stored, steps, ratios);
  ph_quantize_cheapest(ratios, PH_PRICE + PH_PRICE_OF_DETAIL * detail, &coder->bits, values);
  values[0] = (gint16)lrintf(ratios[0]);
  for (int k = 0; k < PH_COEFFICIENTS; k++) stored[zigzag[k]] = values[k];
}

/// Calls `visit` for each block, with the coder of its component.
static void visit_blocks(PhCoefficients *all, PhCoder *coders,
                         void (*visit)(JCOEFPTR, const float *, PhCoder *)) {
  for (int i = 0; i < all->encoder->num_components; i++) {
    const PhComponent *component = &all->components[i];
    float steps[PH_COEFFICIENTS];
    read_steps(all, i, steps);
    for (int y = 0; y < component->down; y++) {
      JBLOCKROW blocks = block_row(all, i, y);
      for (int x = 0; x < component->across; x++)
        visit(blocks[x], steps, &coders[all->encoder->comp_info[i].ac_tbl_no]);
    }
  }
}

void ph_coefficients_begin_file(PhCoefficients *all) {
  PhCoder coders[NUM_HUFF_TBLS] = {{{{0}}, {{0}}}};
  visit_blocks(all, coders, count_symbols);
  for (int i = 0; i < NUM_HUFF_TBLS; i++) ph_symbols_bits(&coders[i].counts, &coders[i].bits);
  visit_blocks(all, coders, quantize);
  jpeg_write_coefficients(all->encoder, all->blocks);
}

void ph_coefficients_free(PhCoefficients *all) {
  if (!all) return;
  for (int i = 0; i < MAX_COMPONENTS; i++) g_free(all->components[i].strip);
  g_free(all);
}
