#include "phbatch_stream.h"

#include <vips/vips.h>

/// libvips takes these numbers only as command-line options. `together` is the height of a tile,
/// which also determines the size of the buffers of images computed in strips; `strip` is the
/// height of a strip.
int ph_set_buffered_rows(int together, int strip) {
  GOptionGroup *group = g_option_group_new("vips", "", "", NULL, NULL);
  GOptionContext *context = g_option_context_new(NULL);
  vips_add_option_entries(group);
  g_option_context_set_main_group(context, group);
  char tile_option[40], strip_option[40];
  g_snprintf(tile_option, sizeof tile_option, "--vips-tile-height=%d", together);
  g_snprintf(strip_option, sizeof strip_option, "--vips-fatstrip-height=%d", strip);
  char *words[] = {"phbatch", tile_option, strip_option, NULL};
  char **arguments = words;
  int count = 3;
  GError *error = NULL;
  gboolean is_set = g_option_context_parse(context, &count, &arguments, &error);
  if (!is_set) vips_error("buffering", "%s", error->message);
  g_clear_error(&error);
  g_option_context_free(context);
  return is_set ? 0 : -1;
}
