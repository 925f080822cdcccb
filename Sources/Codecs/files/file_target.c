#include <errno.h>
#include <vips/vips.h>

#include "phbatch_codecs.h"
#include "system_calls.h"

/// A target that writes to a descriptor and keeps the error of a write that fails. libvips itself
/// keeps only a text.
typedef VipsTarget PhFileTarget;
typedef VipsTargetClass PhFileTargetClass;

G_DEFINE_TYPE(PhFileTarget, ph_file_target, VIPS_TYPE_TARGET)

static gint64 ph_file_target_write(VipsTarget *target, const void *data, size_t length) {
  gint64 written = VIPS_TARGET_CLASS(ph_file_target_parent_class)->write(target, data, length);
  if (written < 0) phbatch_note_write_error(((VipsConnection *)target)->descriptor, errno);
  return written;
}

static void ph_file_target_class_init(PhFileTargetClass *class) {
  class->write = ph_file_target_write;
}

static void ph_file_target_init(PhFileTarget *target) { (void)target; }

void *phbatch_file_target(int descriptor) {
  VipsTarget *target = g_object_new(ph_file_target_get_type(), "descriptor", descriptor, NULL);
  if (vips_object_build(VIPS_OBJECT(target)) == 0) return target;
  g_object_unref(target);
  return NULL;
}
