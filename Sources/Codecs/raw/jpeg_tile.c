#include "raw/jpeg_tile.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

static _Noreturn void leave(j_common_ptr decoder) {
  longjmp(*(jmp_buf *)decoder->client_data, 1);
}

/// Treats a warning as an error: libjpeg would go on with made-up samples.
static void hear(j_common_ptr decoder, int level) {
  if (level < 0) leave(decoder);
}

static gboolean is_one_of(JDIMENSION length, int first, int second) {
  return length == (JDIMENSION)first || length == (JDIMENSION)second;
}

int ph_jpeg_tile_read(const guint8 *bytes, gsize length, const PhTileSize *size, guint8 *to,
                      gsize pitch) {
  struct jpeg_decompress_struct decoder;
  struct jpeg_error_mgr errors;
  jmp_buf failed;
  decoder.err = jpeg_std_error(&errors);
  errors.error_exit = leave;
  errors.emit_message = hear;
  decoder.client_data = &failed;
  if (setjmp(failed)) {
    jpeg_destroy_decompress(&decoder);
    return -1;
  }
  jpeg_create_decompress(&decoder);
  // The pool of libjpeg lives until the decoder is destroyed.
  jpeg_mem_src(&decoder, bytes, length);
  jpeg_read_header(&decoder, TRUE);
  jpeg_start_decompress(&decoder);
  if (decoder.output_components != 3 ||
      !is_one_of(decoder.output_width, size->width, size->columns) ||
      !is_one_of(decoder.output_height, size->height, size->rows))
    leave((j_common_ptr)&decoder);
  JSAMPARRAY row = decoder.mem->alloc_sarray((j_common_ptr)&decoder, JPOOL_IMAGE,
                                             3 * decoder.output_width, 1);
  for (int y = 0; y < size->rows; y++) {
    jpeg_read_scanlines(&decoder, row, 1);
    guint8 *pixels = to + (gsize)y * pitch;
    for (int i = 0; i < 3 * size->columns; i++) pixels[i] = row[0][i];
  }
  jpeg_destroy_decompress(&decoder);
  return 0;
}
