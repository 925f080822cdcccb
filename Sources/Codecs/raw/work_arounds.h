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
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
#define PH_RAW_INSET(raw) ((raw)->sizes.raw_inset_crops[0])
#else
#define PH_RAW_INSET(raw) ((raw)->sizes.raw_inset_crop)
#endif
static inline int ph_raw_crop(int left, int top, int width, int height, int *crop) {
  crop[0] = left, crop[1] = top, crop[2] = width, crop[3] = height;
  return left < 65535 && top < 65535 && width > 0 && height > 0;
}
#define PH_RAW_CROP(raw, crop)                                                            \
  ph_raw_crop(PH_RAW_INSET(raw).cleft, PH_RAW_INSET(raw).ctop, PH_RAW_INSET(raw).cwidth, \
              PH_RAW_INSET(raw).cheight, crop)

/// The function of libgomp, the OpenMP library, that sets the number of threads; NULL if LibRaw is
/// built without OpenMP.
extern void omp_set_num_threads(int) __attribute__((weak));
