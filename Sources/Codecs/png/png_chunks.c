#include "png_chunks.h"

#include <libdeflate.h>
#include <string.h>

#include "work_arounds.h"

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
  // The colour types of grey, grey with alpha, RGB, RGB with alpha.
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
  // The profile's name, the byte that ends it, and the compression method.
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
  density[8] = 1;  // To the metre.
  return ph_png_write_chunk(target, "pHYs", density, sizeof density);
}

static gboolean has_exif(VipsImage *image) {
  gboolean found = FALSE;
  char **names = vips_image_get_fields(image);
  for (char **name = names; name && *name; name++) found |= vips_isprefix("exif-", *name);
  g_strfreev(names);
  return found;
}

static int write_exif(VipsTarget *target, VipsImage *image) {
  const guchar *block;
  size_t length;
  if (!vips__exif_update || !has_exif(image)) return 0;
  if (vips__exif_update(image)) return -1;
  if (!vips_image_get_typeof(image, VIPS_META_EXIF_NAME)) return 0;
  if (vips_image_get_blob(image, VIPS_META_EXIF_NAME, (const void **)&block, &length)) return -1;
  // The prefix that JPEG files use is not part of the block.
  if (length > 6 && memcmp(block, "Exif\0\0", 6) == 0) {
    block += 6;
    length -= 6;
  }
  return length < 4 ? 0 : ph_png_write_chunk(target, "eXIf", block, length);
}

/// Writes an uncompressed `iTXt` chunk without a language.
static int write_text(VipsTarget *target, const char *keyword, const void *text, size_t length) {
  size_t name = strlen(keyword);
  if (name < 1 || name > 79) return 0;
  guchar *chunk = g_malloc0(name + 5 + length);
  memcpy(chunk, keyword, name);
  memcpy(chunk + name + 5, text, length);
  int status = ph_png_write_chunk(target, "iTXt", chunk, name + 5 + length);
  g_free(chunk);
  return status;
}

static int write_xmp(VipsTarget *target, VipsImage *image) {
  const void *packet;
  size_t length;
  if (!vips_image_get_typeof(image, VIPS_META_XMP_NAME)) return 0;
  if (vips_image_get_blob(image, VIPS_META_XMP_NAME, &packet, &length)) return -1;
  return write_text(target, "XML:com.adobe.xmp", packet, length);
}

/// Writes the comments that libvips keeps from a PNG file: `png-comment-0-Title` and so on.
static int write_comments(VipsTarget *target, VipsImage *image) {
  int status = 0;
  char **names = vips_image_get_fields(image);
  for (char **name = names; name && *name && status == 0; name++) {
    int number, start = 0;
    const char *text;
    if (sscanf(*name, "png-comment-%d-%n", &number, &start) != 1 || start == 0) continue;
    if (vips_image_get_string(image, *name, &text)) {
      status = -1;
    } else if (g_utf8_validate(text, -1, NULL)) {
      status = write_text(target, *name + start, text, strlen(text));
    }
  }
  g_strfreev(names);
  return status;
}

int ph_png_write_head(VipsTarget *target, VipsImage *image, int depth) {
  static const guchar signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  return vips_target_write(target, signature, sizeof signature) ||
                 write_header(target, image, depth) || write_profile(target, image) ||
                 write_density(target, image) || write_exif(target, image) ||
                 write_xmp(target, image) || write_comments(target, image)
             ? -1
             : 0;
}
