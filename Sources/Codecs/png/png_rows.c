#include "png_rows.h"

#include <string.h>

/// The maximum number of bytes of a pixel.
enum { PH_PNG_PIXEL = 8 };

struct PhPngRows {
  const PhLoops *loops;
  /// The number of bytes of a row, of a sample, and of a pixel.
  int count, bytes, pixel;
  gboolean filters;
  /// The current row and the row above, each preceded by PH_PNG_PIXEL zero bytes.
  guchar *row, *above;
  /// The result of each filter, preceded by the filter's type byte.
  guchar *rest[PH_PNG_FILTERS];
};

PhPngRows *ph_png_rows_new(const PhLoops *loops, int samples, int bytes, int bands,
                           gboolean filters) {
  PhPngRows *rows = g_new0(PhPngRows, 1);
  int count = samples * bytes;
  *rows = (PhPngRows){
      .loops = loops, .count = count, .bytes = bytes, .pixel = bands * bytes, .filters = filters};
  rows->row = g_try_malloc0((size_t)count + PH_PNG_PIXEL);
  rows->above = g_try_malloc0((size_t)count + PH_PNG_PIXEL);
  gboolean made = rows->row && rows->above;
  for (int i = 0; i < PH_PNG_FILTERS; i++) {
    rows->rest[i] = g_try_malloc((size_t)count + 1);
    if (rows->rest[i]) rows->rest[i][0] = (guchar)i;
    made = made && rows->rest[i];
  }
  if (made) return rows;
  vips_error("phbatch_pngsave", "memory is short");
  ph_png_rows_free(rows);
  return NULL;
}

void ph_png_rows_free(PhPngRows *rows) {
  if (!rows) return;
  g_free(rows->row);
  g_free(rows->above);
  for (int i = 0; i < PH_PNG_FILTERS; i++) g_free(rows->rest[i]);
  g_free(rows);
}

/// Copies samples in big-endian order.
static void read_samples(const PhPngRows *rows, const void *samples, guchar *to) {
  if (rows->bytes == 1) {
    memcpy(to, samples, (size_t)rows->count);
    return;
  }
  const guint16 *from = samples;
  for (int i = 0; i < rows->count / 2; i++) {
    guint16 sample = GUINT16_TO_BE(from[i]);
    memcpy(to + 2 * i, &sample, 2);
  }
}

int ph_png_rows_add(PhPngRows *rows, const void *samples, PhPngStream *stream) {
  guchar *row = rows->row + PH_PNG_PIXEL;
  read_samples(rows, samples, row);
  int best = 0;
  guint64 least = G_MAXUINT64;
  for (int i = 0; i < (rows->filters ? PH_PNG_FILTERS : 1); i++) {
    guint64 left = rows->loops->png_filter[i](row, rows->above + PH_PNG_PIXEL, rows->pixel,
                                              rows->rest[i] + 1, rows->count);
    if (left < least) {
      least = left;
      best = i;
    }
  }
  guchar *above = rows->above;
  rows->above = rows->row;
  rows->row = above;
  return ph_png_stream_add(stream, rows->rest[best], (size_t)rows->count + 1);
}
