#pragma once
#include "loops/loops.h"
#include "png_stream.h"

/// Filters the rows of a picture for a PNG file, each by the filter with the least sum of absolute
/// differences.
typedef struct PhPngRows PhPngRows;

/// Creates a filter for rows of `samples` samples of 1 or 2 bytes; a pixel has `bands` samples. If
/// `filters` is false, the rows stay unfiltered.
///
/// Returns NULL, with libvips's error text set, if memory is short.
PhPngRows *ph_png_rows_new(const PhLoops *loops, int samples, int bytes, int bands,
                           gboolean filters);

/// Frees a filter; has no effect for NULL.
void ph_png_rows_free(PhPngRows *rows);

/// Filters the next row, whose samples are in the machine's byte order, and adds it to the stream.
///
/// Returns 0, or −1 with libvips's error text set.
int ph_png_rows_add(PhPngRows *rows, const void *samples, PhPngStream *stream);
