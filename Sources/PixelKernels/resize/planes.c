#include "planes.h"

static const char field[] = "phbatch-planes";

/// The number of values stored for one plane, and for the whole layout, which consists of the
/// number of luma rows and the values of all planes.
enum { PH_PLANE_NUMBERS = 6, PH_NUMBERS = 1 + PH_PLANES * PH_PLANE_NUMBERS };

void ph_planes_set(VipsImage *image, const PhPlanes *planes) {
  double numbers[PH_NUMBERS] = {planes->rows};
  for (int i = 0; i < PH_PLANES; i++) {
    const PhPlane *plane = &planes->plane[i];
    double *of = numbers + 1 + i * PH_PLANE_NUMBERS;
    of[0] = plane->left, of[1] = plane->pitch, of[2] = plane->width, of[3] = plane->height;
    of[4] = plane->across, of[5] = plane->down;
  }
  vips_image_set_array_double(image, field, numbers, PH_NUMBERS);
}

/// True if a plane is within the image.
static gboolean fits(const VipsImage *image, const PhPlane *plane, int rows) {
  return plane->left >= 0 && plane->width > 0 && plane->height > 0 && plane->pitch >= plane->width &&
         plane->left + (rows - 1) * plane->pitch + plane->width <= image->Xsize &&
         (plane->height - 1) / rows < image->Ysize && plane->across > plane->width - 1 &&
         plane->across <= plane->width && plane->down > plane->height - 1 &&
         plane->down <= plane->height;
}

int ph_planes_get(VipsImage *image, PhPlanes *planes) {
  double *numbers;
  int count;
  if (vips_image_get_array_double(image, field, &numbers, &count)) return -1;
  gboolean is_sound = image->Bands == 1 && count == PH_NUMBERS;
  if (is_sound) {
    planes->rows = (int)numbers[0];
    is_sound = planes->rows == 1 || planes->rows == 2;
  }
  for (int i = 0; is_sound && i < PH_PLANES; i++) {
    PhPlane *plane = &planes->plane[i];
    const double *of = numbers + 1 + i * PH_PLANE_NUMBERS;
    *plane = (PhPlane){(int)of[0], (int)of[1], (int)of[2], (int)of[3], of[4], of[5]};
    is_sound = fits(image, plane, i == 0 ? planes->rows : 1);
  }
  if (is_sound) return 0;
  vips_error("phbatch_planes", "the planes lie outside the image");
  return -1;
}
