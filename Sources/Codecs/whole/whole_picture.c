#include "whole_picture.h"

static int decode_once(PhWholePicture *picture) {
  g_mutex_lock(&picture->lock);
  if (!picture->is_decoded && !picture->has_failed) {
    picture->has_failed = picture->decode(picture->loader) != 0;
    picture->is_decoded = !picture->has_failed;
  }
  gboolean has_failed = picture->has_failed;
  g_mutex_unlock(&picture->lock);
  return has_failed ? -1 : 0;
}

static int generate(VipsRegion *region, void *sequence, void *a, void *b, gboolean *stop) {
  PhWholePicture *picture = a;
  (void)sequence, (void)b, (void)stop;
  if (decode_once(picture)) return -1;
  const VipsRect *area = &region->valid;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    picture->write_row(picture->loader, area->left, y, area->width,
                       VIPS_REGION_ADDR(region, area->left, y));
  return 0;
}

int ph_whole_picture_output(PhWholePicture *picture, VipsImage *out) {
  return vips_image_pipelinev(out, VIPS_DEMAND_STYLE_THINSTRIP, NULL) ||
                 vips_image_generate(out, NULL, generate, NULL, picture, NULL)
             ? -1
             : 0;
}
