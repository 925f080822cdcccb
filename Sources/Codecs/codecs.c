#include "phbatch_codecs.h"

#include <glib-object.h>
#include <libheif/heif.h>

#include "heif/aom_encoder.h"
#include "late/late.h"

/// All operations, by the name of their GType. A new operation needs its own file, and a line in
/// this list.
#define PH_EACH_CODEC(X) \
  X(bleed)               \
  X(dzsave)              \
  X(heifaux)             \
  X(heifsave)            \
  X(jp2kload)            \
  X(jpegload)            \
  X(jpegsave)            \
  X(jxlload)             \
  X(pngsave)             \
  X(rawload)

#define PH_DECLARE(name) GType ph_##name##_get_type(void);
PH_EACH_CODEC(PH_DECLARE)

#define PH_REGISTER(name) ph_##name##_get_type();
int phbatch_codecs_register(void) {
  if (ph_load_late() != 0) return -1;
  PH_EACH_CODEC(PH_REGISTER)
  // Loads libheif's plug-ins, because some encoders may be in separate files.
  heif_init(NULL);
  ph_aom_register();
  return 0;
}

int phbatch_can_encode_hevc(void) {
  return heif_have_encoder_for_format(heif_compression_HEVC);
}
