#include "phbatch_kernels.h"

#include <glib-object.h>

// The linker sets these to the ends of the section in which PH_DEFINE_OPERATION lists operations.
extern GType (*const __start_ph_operations[])(void);
extern GType (*const __stop_ph_operations[])(void);

void phbatch_operations_register(void) {
  for (GType (*const *get_type)(void) = __start_ph_operations; get_type < __stop_ph_operations;
       get_type++)
    (*get_type)();
}
