#include "blur.h"
#include "phbatch_kernels.h"
#include "point.h"
#include "unsharp.h"
#include "warp.h"

void phbatch_kernels_register(void) {
  ph_point_get_type();
  ph_unsharp_get_type();
  ph_blur_get_type();
  ph_warp_get_type();
}
