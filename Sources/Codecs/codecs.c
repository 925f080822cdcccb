#include "phbatch_codecs.h"

#include <libheif/heif.h>

#include "heif/aom_encoder.h"
#include "late/late.h"

const char *phbatch_load_vips(void) {
  return ph_load_vips();
}

const char *phbatch_codecs_prepare(void) {
  const char *failure = ph_load_late();
  if (failure) return failure;
  // Loads libheif's plug-ins, because some encoders may be in separate files.
  heif_init(NULL);
  ph_aom_register();
  return NULL;
}

int phbatch_can_encode_hevc(void) {
  return heif_have_encoder_for_format(heif_compression_HEVC);
}
