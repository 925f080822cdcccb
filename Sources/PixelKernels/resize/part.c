#include "part.h"

void ph_part_arguments(VipsObjectClass *class, size_t offset) {
  VIPS_ARG_DOUBLE(class, "left", 20, "Left", "Left edge of the part",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, offset + G_STRUCT_OFFSET(PhPart, left), -1, 1, 0);
  VIPS_ARG_DOUBLE(class, "top", 21, "Top", "Upper edge of the part", VIPS_ARGUMENT_OPTIONAL_INPUT,
                  offset + G_STRUCT_OFFSET(PhPart, top), -1, 1, 0);
  VIPS_ARG_DOUBLE(class, "across", 22, "Across", "Width of the part",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, offset + G_STRUCT_OFFSET(PhPart, across), 1e-6, 2,
                  1);
  VIPS_ARG_DOUBLE(class, "down", 23, "Down", "Height of the part", VIPS_ARGUMENT_OPTIONAL_INPUT,
                  offset + G_STRUCT_OFFSET(PhPart, down), 1e-6, 2, 1);
}
