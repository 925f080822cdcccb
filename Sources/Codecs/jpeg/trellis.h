#pragma once
#include <glib.h>

/// Quantization of a JPEG block by the lowest cost of its errors and its bits, after M. Crouse and
/// K. Ramchandran, "Joint thresholding and quantizer selection for transform image coding",
/// IEEE Transactions on Image Processing 6(2), 1997.
///
/// Coefficients are in zigzag order. The first, the mean of the block, is left to the caller.

/// The number of coefficients in a block, and the number of symbols of the coder.
enum { PH_COEFFICIENTS = 64, PH_SYMBOLS = 256 };

/// How often each symbol of ITU-T T.81, F.1.2.2 occurs: 16 × the number of zeros before a
/// coefficient + the number of bits of its value. 0 ends a block, 0xF0 stands for 16 zeros.
typedef struct {
  gint64 counts[PH_SYMBOLS];
} PhSymbolCounts;

/// The number of bits of each symbol.
typedef struct {
  float bits[PH_SYMBOLS];
} PhSymbolBits;

/// Adds the symbols of a quantized block.
void ph_symbols_count(const gint16 *values, PhSymbolCounts *counts);

/// The bits of symbols that an ideal coder needs, between 1 and 16.
void ph_symbols_bits(const PhSymbolCounts *counts, PhSymbolBits *bits);

/// Rounds coefficients 1 to 63 to the nearest values. `ratios` are coefficients divided by their
/// quantizers.
void ph_quantize_nearest(const float *ratios, gint16 *values);

/// Chooses the values of coefficients 1 to 63 for which the sum of squared errors, in quantizers,
/// and of `price` times the bits is lowest.
///
/// A value is the nearest one, or the largest one that needs fewer bits, or 0.
void ph_quantize_cheapest(const float *ratios, float price, const PhSymbolBits *bits,
                          gint16 *values);
