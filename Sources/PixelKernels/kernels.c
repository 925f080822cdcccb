#include "phbatch_kernels.h"

#include <glib-object.h>

/// All kernels, by the name of their type. A new kernel needs its own file and a line here.
#define PH_EACH_KERNEL(X) \
  X(bloom)                \
  X(blur)                 \
  X(censor)               \
  X(denoise)              \
  X(develop)              \
  X(lens)                 \
  X(median)               \
  X(motion)               \
  X(pixelate)             \
  X(point)                \
  X(resize)               \
  X(resize_planes)        \
  X(soften)               \
  X(surface)              \
  X(tilt)                 \
  X(unsharp)              \
  X(warp)                 \
  X(zoom)

#define PH_DECLARE(name) GType ph_##name##_get_type(void);
PH_EACH_KERNEL(PH_DECLARE)

#define PH_REGISTER(name) ph_##name##_get_type();
void phbatch_kernels_register(void) { PH_EACH_KERNEL(PH_REGISTER) }
