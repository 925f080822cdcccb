#pragma once

#include <stddef.h>

// The files of the studio's page, embedded into the program.
struct studio_file {
  const char *name;
  const char *type;
  const unsigned char *bytes;
  size_t size;
};

const struct studio_file *studio_file_table(void);
size_t studio_file_count(void);
