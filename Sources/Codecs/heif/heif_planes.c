#include "heif_planes.h"

#include "bleed/bleed.h"

#pragma STDC FP_CONTRACT OFF

struct PhHeifPlanes {
  struct heif_image *image;
  PhHeifSampling sampling;
  int width;
  int height;
  int bands;
  gboolean is_wide;
  /// The factor from the range of the image's samples to the range of the planes.
  float scale;
  /// The weights of red and blue in luma.
  float red;
  float blue;
  int y;
  /// For each sample in the current row of chroma: the sums of red, green and blue of the visible
  /// pixels that share the sample, and the number of these pixels.
  float *sums;
  uint8_t *data[4];
  int stride[4];
};

/// The libheif channel of each plane in `data`.
static const enum heif_channel channels[4] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr,
                                              heif_channel_Alpha};

static gboolean is_grey(const PhHeifPlanes *planes) { return planes->bands < 3; }
static gboolean has_alpha(const PhHeifPlanes *planes) { return planes->bands % 2 == 0; }

static int fail(struct heif_error error) {
  if (error.code) vips_error("phbatch_heifsave", "%s", error.message);
  return error.code ? -1 : 0;
}

static int no_memory(void) {
  vips_error("phbatch_heifsave", "memory is short");
  return -1;
}

static int add_plane(PhHeifPlanes *planes, int number, int width, int height) {
  if (fail(heif_image_add_plane(planes->image, channels[number], width, height,
                                planes->sampling.depth)))
    return -1;
  planes->data[number] =
      heif_image_get_plane(planes->image, channels[number], &planes->stride[number]);
  return planes->data[number] ? 0 : no_memory();
}

static int create(PhHeifPlanes *planes) {
  const PhHeifSampling *sampling = &planes->sampling;
  enum heif_chroma chroma = is_grey(planes)        ? heif_chroma_monochrome
                            : sampling->down > 1   ? heif_chroma_420
                            : sampling->across > 1 ? heif_chroma_422
                                                   : heif_chroma_444;
  enum heif_colorspace space =
      is_grey(planes) ? heif_colorspace_monochrome : heif_colorspace_YCbCr;
  if (fail(heif_image_create(planes->width, planes->height, space, chroma, &planes->image)) ||
      add_plane(planes, 0, planes->width, planes->height))
    return -1;
  int width = (planes->width + sampling->across - 1) / sampling->across;
  int height = (planes->height + sampling->down - 1) / sampling->down;
  for (int number = 1; number < 3 && !is_grey(planes); number++)
    if (add_plane(planes, number, width, height)) return -1;
  if (has_alpha(planes) && add_plane(planes, 3, planes->width, planes->height)) return -1;
  planes->sums = g_try_new0(float, 4 * (size_t)width);
  return planes->sums ? 0 : no_memory();
}

PhHeifPlanes *ph_heif_planes_new(VipsImage *in, PhHeifSampling sampling) {
  PhHeifPlanes *planes = g_new0(PhHeifPlanes, 1);
  planes->sampling = sampling;
  planes->width = in->Xsize;
  planes->height = in->Ysize;
  planes->bands = in->Bands;
  planes->is_wide = in->BandFmt == VIPS_FORMAT_USHORT;
  planes->scale = (float)((1 << sampling.depth) - 1) / (planes->is_wide ? 65535.0f : 255.0f);
  planes->red = sampling.matrix == 9 ? 0.2627f : 0.299f;
  planes->blue = sampling.matrix == 9 ? 0.0593f : 0.114f;
  if (create(planes)) {
    ph_heif_planes_free(planes);
    return NULL;
  }
  return planes;
}

void ph_heif_planes_free(PhHeifPlanes *planes) {
  if (!planes) return;
  if (planes->image) heif_image_release(planes->image);
  g_free(planes->sums);
  g_free(planes);
}

struct heif_image *ph_heif_planes_image(PhHeifPlanes *planes) { return planes->image; }

static float sample(const PhHeifPlanes *planes, const VipsPel *row, int index) {
  return planes->is_wide ? ((const uint16_t *)row)[index] : row[index];
}

/// Clamps, rounds and stores a value in the range of the planes.
static void store(PhHeifPlanes *planes, int number, int x, int y, float value) {
  float top = (float)((1 << planes->sampling.depth) - 1);
  float limited = value < 0 ? 0 : value > top ? top : value;
  uint8_t *row = planes->data[number] + (size_t)y * (size_t)planes->stride[number];
  if (planes->sampling.depth > 8)
    ((uint16_t *)row)[x] = (uint16_t)(limited + 0.5f);
  else
    row[x] = (uint8_t)(limited + 0.5f);
}

static float luma(const PhHeifPlanes *planes, float red, float green, float blue) {
  return planes->red * red + (1 - planes->red - planes->blue) * green + planes->blue * blue;
}

/// Computes and stores the row of chroma samples whose sums are complete, and resets the sums for
/// the next row.
static void end_colours(PhHeifPlanes *planes) {
  const PhHeifSampling *sampling = &planes->sampling;
  int y = planes->y / sampling->down;
  int width = (planes->width + sampling->across - 1) / sampling->across;
  float centre = (float)(1 << (sampling->depth - 1));
  for (int x = 0; x < width; x++) {
    float *sum = planes->sums + 4 * x;
    float factor = planes->scale / VIPS_MAX(sum[3], 1);
    float red = sum[0] * factor, green = sum[1] * factor, blue = sum[2] * factor;
    float grey = luma(planes, red, green, blue);
    store(planes, 1, x, y, centre + (blue - grey) / (2 * (1 - planes->blue)));
    store(planes, 2, x, y, centre + (red - grey) / (2 * (1 - planes->red)));
    sum[0] = sum[1] = sum[2] = sum[3] = 0;
  }
}

void ph_heif_planes_add(PhHeifPlanes *planes, const VipsPel *row) {
  const PhHeifSampling *sampling = &planes->sampling;
  int y = planes->y;
  for (int x = 0; x < planes->width; x++) {
    int start = x * planes->bands;
    float red = sample(planes, row, start);
    float alpha = 1;
    if (has_alpha(planes)) {
      alpha = sample(planes, row, start + planes->bands - 1) * planes->scale;
      store(planes, 3, x, y, alpha);
    }
    if (is_grey(planes)) {
      store(planes, 0, x, y, red * planes->scale);
      continue;
    }
    float green = sample(planes, row, start + 1), blue = sample(planes, row, start + 2);
    if (sampling->matrix == 0) {
      store(planes, 0, x, y, green * planes->scale);
      store(planes, 1, x, y, blue * planes->scale);
      store(planes, 2, x, y, red * planes->scale);
      continue;
    }
    store(planes, 0, x, y, luma(planes, red, green, blue) * planes->scale);
    // `alpha` is in the range of the planes. A value below ½ is rounded to 0, so the pixel is
    // invisible and not part of the mean for its chroma sample.
    if (alpha < 0.5f) continue;
    float *sum = planes->sums + 4 * (x / sampling->across);
    sum[0] += red;
    sum[1] += green;
    sum[2] += blue;
    sum[3] += 1;
  }
  gboolean is_last = y % sampling->down == sampling->down - 1 || y == planes->height - 1;
  if (!is_grey(planes) && sampling->matrix != 0 && is_last) end_colours(planes);
  planes->y++;
}

static PhSamples samples(const PhHeifPlanes *planes, int number, int across, int down) {
  return (PhSamples){planes->data[number], planes->stride[number], 1,
                     (planes->width + across - 1) / across, (planes->height + down - 1) / down,
                     planes->sampling.depth > 8};
}

int ph_heif_planes_bleed(PhHeifPlanes *planes) {
  if (!has_alpha(planes)) return 0;
  PhSamples alpha = samples(planes, 3, 1, 1);
  for (int number = 0; number < (is_grey(planes) ? 1 : 3); number++) {
    int across = number ? planes->sampling.across : 1;
    int down = number ? planes->sampling.down : 1;
    if (ph_bleed_plane(samples(planes, number, across, down), alpha, across, down)) return -1;
  }
  return 0;
}
