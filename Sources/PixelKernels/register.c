#include "bloom.h"
#include "blur.h"
#include "censor.h"
#include "denoise.h"
#include "dzsave.h"
#include "heifaux.h"
#include "heifsave.h"
#include "jpegload.h"
#include "jpegsave.h"
#include "jxlload.h"
#include "lens.h"
#include "median.h"
#include "motion.h"
#include "phbatch_kernels.h"
#include "pixelate.h"
#include "pngsave.h"
#include "point.h"
#include "resize.h"
#include "resize_planes.h"
#include "soften.h"
#include "surface.h"
#include "tilt.h"
#include "unsharp.h"
#include "warp.h"
#include "zoom.h"

void phbatch_kernels_register(void) {
  ph_point_get_type();
  ph_unsharp_get_type();
  ph_blur_get_type();
  ph_resize_get_type();
  ph_resize_planes_get_type();
  ph_motion_get_type();
  ph_zoom_get_type();
  ph_pixelate_get_type();
  ph_censor_get_type();
  ph_surface_get_type();
  ph_bloom_get_type();
  ph_soften_get_type();
  ph_tilt_get_type();
  ph_lens_get_type();
  ph_denoise_get_type();
  ph_median_get_type();
  ph_warp_get_type();
  ph_pngsave_get_type();
  ph_dzsave_get_type();
  ph_heifsave_get_type();
  ph_heifaux_get_type();
  ph_jxlload_get_type();
  ph_jpegload_get_type();
  ph_jpegsave_get_type();
  ph_heif_start();
}
