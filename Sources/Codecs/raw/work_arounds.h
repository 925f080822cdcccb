#pragma once
#include <libraw/libraw.h>

// The differences between the versions of LibRaw, and what LibRaw 0.20 does not declare.

/// The parameters that hold the limit of memory; LibRaw 0.21 has moved them.
///
/// - Delete from: LibRaw 0.21 as the oldest version that is supported (Debian 13).
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
#define PH_RAW_PARAMETERS(raw) ((raw)->rawparams)
#else
#define PH_RAW_PARAMETERS(raw) ((raw)->params)
#endif

/// The type of an offset in the file; LibRaw 0.21 has widened it.
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
typedef INT64 PhRawOffset;
#else
typedef int PhRawOffset;
#endif

/// Copies the crop of the maker's JPEG, as left, top, width and height of the raw frame; false if
/// there is none.
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

/// The function of libgomp that sets the number of threads; NULL if LibRaw is built without OpenMP.
extern void omp_set_num_threads(int) __attribute__((weak));
