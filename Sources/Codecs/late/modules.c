#define _GNU_SOURCE
#include <dlfcn.h>
#include <gmodule.h>
#include <vips/vips.h>

#include "late.h"
#include "phbatch_codecs.h"

void phbatch_load_module(const char *name) {
  Dl_info info;
  if (dladdr(ph_address_in_vips(), &info) == 0 || info.dli_fname == NULL) return;
  char *folder = g_path_get_dirname(info.dli_fname);
  char *file = g_strdup_printf(
    "%s/vips-modules-%d.%d/vips-%s.so", folder, vips_version(0), vips_version(1), name);
  // The module keeps itself in memory.
  g_module_open(file, G_MODULE_BIND_LAZY);
  g_free(file);
  g_free(folder);
}
