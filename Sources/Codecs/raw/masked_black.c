#include "raw/masked_black.h"

#include <string.h>

typedef struct {
  guint64 sum[4], count[4], zeros;
} PhMaskedSamples;

/// Adds the samples of an area of the frame.
static void add_area(const PhRawFile *file, int top, int left, int bottom, int right,
                     PhMaskedSamples *samples) {
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  const ushort *frame = file->libraw->rawdata.raw_image;
  for (int y = VIPS_MAX(top, 0); y < VIPS_MIN(bottom, sizes->raw_height); y++)
    for (int x = VIPS_MAX(left, 0); x < VIPS_MIN(right, sizes->raw_width); x++) {
      ushort sample = frame[(size_t)y * (sizes->raw_pitch / sizeof(ushort)) + (size_t)x];
      // Margins are less than 65536 rows and columns, which are whole cells.
      int colour = ph_raw_colour(file, x - sizes->left_margin + 65536, y - sizes->top_margin + 65536);
      samples->sum[colour] += sample;
      samples->count[colour]++;
      samples->zeros += sample == 0;
    }
}

void ph_raw_measure_black(PhRawFile *file) {
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  PhMaskedSamples samples = {0};
  if (sizes->mask[0][3] > 0) {
    for (int i = 0; i < 8; i++)
      add_area(file, sizes->mask[i][0], sizes->mask[i][1], sizes->mask[i][2], sizes->mask[i][3],
               &samples);
  } else {
    // Until LibRaw has decoded a file, its areas are differences from these columns.
    int top = sizes->top_margin, bottom = top + sizes->height;
    int left = sizes->left_margin, right = left + sizes->width;
    add_area(file, top, sizes->mask[0][1] + 2, bottom, sizes->mask[0][3] + left - 2, &samples);
    add_area(file, top, sizes->mask[1][1] + right + 2, bottom,
             sizes->mask[1][3] + sizes->raw_width, &samples);
  }
  guint64 all = 0;
  for (int i = 0; i < 4; i++) {
    if (!samples.count[i]) return;
    all += samples.count[i];
  }
  if (samples.zeros == all) return;
  libraw_colordata_t *colour = &file->libraw->color;
  colour->black = 0;
  memset(colour->cblack, 0, sizeof colour->cblack);
  for (int i = 0; i < 4; i++) colour->cblack[i] = (unsigned)(samples.sum[i] / samples.count[i]);
}
