#include <errno.h>
#include <stdatomic.h>
#include <vips/vips.h>

#include "phbatch_codecs.h"

/// A target that writes to a descriptor and keeps the error of a write that fails. libvips itself
/// keeps only a text.
typedef VipsTarget PhFileTarget;
typedef VipsTargetClass PhFileTargetClass;

G_DEFINE_TYPE(PhFileTarget, ph_file_target, VIPS_TYPE_TARGET)

static atomic_int last_error;

static gint64 ph_file_target_write(VipsTarget *target, const void *data, size_t length) {
  gint64 written = VIPS_TARGET_CLASS(ph_file_target_parent_class)->write(target, data, length);
  if (written < 0) phbatch_note_write_error(errno);
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

void phbatch_note_write_error(int error) { atomic_store(&last_error, error); }

int phbatch_take_write_error(void) { return atomic_exchange(&last_error, 0); }
