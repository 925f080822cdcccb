#include "phbatch_buffering.h"

#include <vips/vips.h>

/// Buffers have as many rows as tiles, whether or not an image is computed in tiles; the height of
/// tiles is no argument of any function, but an option of libvips's for command lines.
int ph_set_buffered_rows(int rows) {
  GOptionGroup *group = g_option_group_new("vips", "", "", NULL, NULL);
  GOptionContext *context = g_option_context_new(NULL);
  vips_add_option_entries(group);
  g_option_context_set_main_group(context, group);
  char option[40];
  g_snprintf(option, sizeof option, "--vips-tile-height=%d", rows);
  char *words[] = {"phbatch", option, NULL};
  char **arguments = words;
  int count = 2;
  GError *error = NULL;
  gboolean is_set = g_option_context_parse(context, &count, &arguments, &error);
  if (!is_set) vips_error("buffering", "%s", error->message);
  g_clear_error(&error);
  g_option_context_free(context);
  return is_set ? 0 : -1;
}
