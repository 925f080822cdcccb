#include "png_chunks.h"

#include <libdeflate.h>
#include <string.h>

static const char nickname[] = "phbatch_pngsave";

/// The maximum number of bytes of a chunk of pixels; readers may keep a whole chunk in memory.
enum { PH_PNG_CHUNK = 1 << 20 };

static void put32(guchar *to, guint32 number) {
  for (int i = 0; i < 4; i++) to[i] = (guchar)(number >> (24 - 8 * i));
}

int ph_png_write_chunk(VipsTarget *target, const char *type, const void *bytes, size_t count) {
  guchar head[8], tail[4];
  put32(head, (guint32)count);
  memcpy(head + 4, type, 4);
  put32(tail, libdeflate_crc32(libdeflate_crc32(0, type, 4), bytes, count));
  return vips_target_write(target, head, 8) || (count && vips_target_write(target, bytes, count)) ||
         vips_target_write(target, tail, 4);
}

int ph_png_write_pixels(VipsTarget *target, const void *bytes, size_t count) {
  for (size_t done = 0; done < count; done += PH_PNG_CHUNK)
    if (ph_png_write_chunk(target, "IDAT", (const guchar *)bytes + done,
                           VIPS_MIN(PH_PNG_CHUNK, count - done)))
      return -1;
  return 0;
}

static int write_header(VipsTarget *target, VipsImage *image, int depth) {
  // The PNG colour types for 1…4 bands: grey, grey with alpha, RGB, RGB with alpha.
  static const guchar colour[] = {0, 4, 2, 6};
  guchar header[13] = {0};
  put32(header, (guint32)image->Xsize);
  put32(header + 4, (guint32)image->Ysize);
  header[8] = (guchar)depth;
  header[9] = colour[image->Bands - 1];
  return ph_png_write_chunk(target, "IHDR", header, sizeof header);
}

static int write_profile(VipsTarget *target, VipsImage *image) {
  const void *profile;
  size_t length;
  if (!vips_image_get_typeof(image, VIPS_META_ICC_NAME)) return 0;
  if (vips_image_get_blob(image, VIPS_META_ICC_NAME, &profile, &length)) return -1;
  struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(9);
  if (!compressor) {
    vips_error(nickname, "memory is short");
    return -1;
  }
  // The profile's name, the zero byte that ends it, and the number of the compression method.
  static const char name[] = "icc\0";
  size_t bound = libdeflate_zlib_compress_bound(compressor, length);
  guchar *chunk = g_malloc(sizeof name + bound);
  memcpy(chunk, name, sizeof name);
  size_t size =
      libdeflate_zlib_compress(compressor, profile, length, chunk + sizeof name, bound);
  libdeflate_free_compressor(compressor);
  int status = ph_png_write_chunk(target, "iCCP", chunk, sizeof name + size);
  g_free(chunk);
  return status;
}

static int write_density(VipsTarget *target, VipsImage *image) {
  guchar density[9];
  put32(density, (guint32)VIPS_ROUND_UINT(image->Xres * 1000));
  put32(density + 4, (guint32)VIPS_ROUND_UINT(image->Yres * 1000));
  density[8] = 1;  // The unit: pixels per metre.
  return ph_png_write_chunk(target, "pHYs", density, sizeof density);
}

int ph_png_write_head(VipsTarget *target, VipsImage *image, int depth) {
  static const guchar signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  return vips_target_write(target, signature, sizeof signature) ||
                 write_header(target, image, depth) || write_profile(target, image) ||
                 write_density(target, image)
             ? -1
             : 0;
}
