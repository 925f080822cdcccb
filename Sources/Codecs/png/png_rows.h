#pragma once
#include "loops/loops.h"
#include "png_stream.h"

/// The rows of a picture on their way into a PNG file: each under the filter that leaves the least.
typedef struct PhPngRows PhPngRows;

/// For rows of `samples` samples of 1 or 2 bytes, and pixels of `bands` of them; with `filters` off
/// rows stay as they are.
///
/// Returns NULL, with libvips's error text set, if memory is short.
PhPngRows *ph_png_rows_new(const PhLoops *loops, int samples, int bytes, int bands,
                           gboolean filters);

/// Takes NULL too.
void ph_png_rows_free(PhPngRows *rows);

/// Filters the next row, of samples in the machine's order, and hands it on.
///
/// Returns 0, or −1 with libvips's error text set.
int ph_png_rows_add(PhPngRows *rows, const void *samples, PhPngStream *stream);
