#pragma once
#include <libraw/libraw.h>

// Declarations that hide the differences between LibRaw 0.20 and later versions.

/// The parameters that limit LibRaw's memory; LibRaw 0.21 moved them to another structure.
///
/// - Delete from: the release of phbatch that requires LibRaw 0.21, which Debian 13 has.
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
#define PH_RAW_PARAMETERS(raw) ((raw)->rawparams)
#else
#define PH_RAW_PARAMETERS(raw) ((raw)->params)
#endif

/// The type of a file offset in LibRaw's callback for damaged files: int up to LibRaw 0.21, or 64
/// bits.
typedef __typeof__(_Generic((data_callback)0, void (*)(void *, const char *, INT64): (INT64)0,
                            default: 0)) PhRawOffset;

/// Copies to `crop` the part of the raw frame that the camera's own JPEG shows: left, top, width
/// and height in pixels. Returns false if the file does not state this part.
///
/// LibRaw 0.21 lets the crop of a Bayer sensor start at an even column and row: it moves an odd
/// start by one pixel, and makes the crop one pixel smaller. The crops of cameras have even sizes,
/// so an odd size shows that this happened, and the move is undone.
static inline int ph_raw_crop(const libraw_data_t *raw, int is_mosaic, int *crop) {
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
  const libraw_raw_inset_crop_t *inset = &raw->sizes.raw_inset_crops[0];
  int is_moved = is_mosaic && raw->idata.dng_version == 0;
#else
  const libraw_raw_inset_crop_t *inset = &raw->sizes.raw_inset_crop;
  int is_moved = 0;
  (void)is_mosaic;
#endif
  int right = is_moved && inset->cwidth % 2 == 1 && inset->cleft > 0;
  int down = is_moved && inset->cheight % 2 == 1 && inset->ctop > 0;
  crop[0] = inset->cleft - right, crop[1] = inset->ctop - down;
  crop[2] = inset->cwidth + right, crop[3] = inset->cheight + down;
  return inset->cleft < 65535 && inset->ctop < 65535 && crop[2] > 0 && crop[3] > 0;
}

/// The function of libgomp, the OpenMP library, that sets the number of threads; NULL if LibRaw is
/// built without OpenMP.
extern void omp_set_num_threads(int) __attribute__((weak));
