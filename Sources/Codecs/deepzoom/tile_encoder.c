#include "tile_encoder.h"

#include <string.h>

gboolean ph_tile_encoder_knows(const char *suffix) {
  return !strcmp(suffix, "jpg") || !strcmp(suffix, "png") || !strcmp(suffix, "webp");
}

/// Creates an image that refers to the caller's pixels without copying them.
static VipsImage *tile(const PhTileEncoder *encoder, const guchar *pixels, int width, int height) {
  VipsImage *like = encoder->like;
  size_t size = (size_t)width * (size_t)height * (size_t)like->Bands;
  VipsImage *image = vips_image_new_from_memory(pixels, size, width, height, like->Bands,
                                                VIPS_FORMAT_UCHAR);
  if (!image) return NULL;
  image->Type = like->Type;
  vips_image_set_int(image, VIPS_META_CONCURRENCY, 1);
  const void *profile;
  size_t length;
  if (vips_image_get_typeof(like, VIPS_META_ICC_NAME) &&
      !vips_image_get_blob(like, VIPS_META_ICC_NAME, &profile, &length))
    vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, profile, length);
  return image;
}

VipsBlob *ph_tile_encode(const PhTileEncoder *encoder, const guchar *pixels, int width,
                         int height) {
  VipsImage *image = tile(encoder, pixels, width, height);
  VipsTarget *target = vips_target_new_to_memory();
  gboolean bare = image && !vips_image_get_typeof(image, VIPS_META_ICC_NAME);
  int status = -1;
  if (!image || !target) {
  } else if (!strcmp(encoder->suffix, "png")) {
    status = vips_call("phbatch_pngsave", image, target, NULL);
  } else if (!strcmp(encoder->suffix, "webp")) {
    status = vips_webpsave_target(image, target, "Q", encoder->quality, "strip", bare, NULL);
  } else {
    status = vips_jpegsave_target(image, target, "Q", encoder->quality, "optimize_coding", TRUE,
                                  "strip", bare, NULL);
  }
  VipsBlob *blob = NULL;
  if (!status) g_object_get(target, "blob", &blob, NULL);
  VIPS_UNREF(image);
  VIPS_UNREF(target);
  return blob;
}
