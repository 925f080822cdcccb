#include "jpeg/trellis.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

enum { PH_END_OF_BLOCK = 0, PH_SIXTEEN_ZEROS = 0xF0, PH_MOST_BITS = 16 };

/// The number of bits of a value's magnitude.
static int width(int magnitude) {
  return magnitude == 0 ? 0 : 32 - __builtin_clz((unsigned)magnitude);
}

void ph_symbols_count(const gint16 *values, PhSymbolCounts *counts) {
  int zeros = 0;
  for (int i = 1; i < PH_COEFFICIENTS; i++) {
    int magnitude = values[i] < 0 ? -values[i] : values[i];
    if (magnitude == 0) {
      zeros++;
      continue;
    }
    counts->counts[PH_SIXTEEN_ZEROS] += zeros >> 4;
    counts->counts[(zeros & 15) << 4 | width(magnitude)]++;
    zeros = 0;
  }
  if (zeros > 0) counts->counts[PH_END_OF_BLOCK]++;
}

void ph_symbols_bits(const PhSymbolCounts *counts, PhSymbolBits *bits) {
  // Symbols that did not occur may be needed: each counts as a third of an occurrence.
  double total = 0;
  for (int i = 0; i < PH_SYMBOLS; i++) total += (double)MAX(3 * counts->counts[i], 1);
  for (int i = 0; i < PH_SYMBOLS; i++) {
    double ideal = log2(total / (double)MAX(3 * counts->counts[i], 1));
    bits->bits[i] = (float)CLAMP(ideal, 1, PH_MOST_BITS);
  }
}

void ph_quantize_nearest(const float *ratios, gint16 *values) {
  for (int i = 1; i < PH_COEFFICIENTS; i++)
    values[i] = (gint16)(ratios[i] + (ratios[i] < 0 ? -0.5f : 0.5f));
}

/// The cheapest way to store the coefficients up to one that is not zero.
typedef struct {
  /// The coefficient's place, the place of the one before that is not zero, and its magnitude.
  int place, before, magnitude;
  /// The errors and the price of the bits so far.
  float cost;
} PhStep;

/// The cost of a coefficient and of the zeros before it.
static float cost(const PhStep *from, const float *zeroed, int place, float error, int bits,
                  float price, const PhSymbolBits *symbols) {
  int zeros = place - from->place - 1;
  float needed = (float)(zeros >> 4) * symbols->bits[PH_SIXTEEN_ZEROS] +
                 symbols->bits[(zeros & 15) << 4 | bits] + (float)bits;
  return from->cost + (zeroed[place - 1] - zeroed[from->place]) + error + price * needed;
}

void ph_quantize_cheapest(const float *ratios, float price, const PhSymbolBits *symbols,
                          gint16 *values) {
  // The error if all coefficients up to a place are zero.
  float zeroed[PH_COEFFICIENTS] = {0};
  PhStep steps[PH_COEFFICIENTS] = {{0}};
  int count = 1;
  for (int i = 1; i < PH_COEFFICIENTS; i++) {
    values[i] = 0;
    zeroed[i] = zeroed[i - 1] + ratios[i] * ratios[i];
    float ratio = fabsf(ratios[i]);
    int nearest = (int)(ratio + 0.5f);
    if (nearest == 0) continue;
    PhStep best = {.place = i, .cost = INFINITY};
    for (int bits = width(nearest); bits > 0; bits--) {
      int magnitude = MIN(nearest, (1 << bits) - 1);
      float error = (ratio - (float)magnitude) * (ratio - (float)magnitude);
      for (int j = 0; j < count; j++) {
        float sum = cost(&steps[j], zeroed, i, error, bits, price, symbols);
        if (sum < best.cost) best = (PhStep){i, j, magnitude, sum};
      }
    }
    steps[count++] = best;
  }
  int last = 0;
  float lowest = INFINITY;
  for (int j = 0; j < count; j++) {
    gboolean ends = steps[j].place < PH_COEFFICIENTS - 1;
    float sum = steps[j].cost + (zeroed[PH_COEFFICIENTS - 1] - zeroed[steps[j].place]) +
                (ends ? price * symbols->bits[PH_END_OF_BLOCK] : 0);
    if (sum < lowest) {
      lowest = sum;
      last = j;
    }
  }
  for (int j = last; j > 0; j = steps[j].before) {
    int place = steps[j].place;
    values[place] = (gint16)(ratios[place] < 0 ? -steps[j].magnitude : steps[j].magnitude);
  }
}
