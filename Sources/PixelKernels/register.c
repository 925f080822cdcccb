#include "blur.h"
#include "phbatch_kernels.h"
#include "point.h"
#include "resize.h"
#include "unsharp.h"

void phbatch_kernels_register(void) {
  ph_point_get_type();
  ph_unsharp_get_type();
  ph_blur_get_type();
  ph_resize_get_type();
}
