#pragma once

// Loads libvips, whose functions can be called afterwards. Returns NULL, or the reason why it cannot
// be loaded; the reason is valid until the next call of a function of dlfcn.h.
const char *ph_load_vips(void);

// An address in libvips, after it is loaded.
void *ph_address_in_vips(void);

// Loads libaom, libheif and libjxl, as `ph_load_vips` loads libvips.
const char *ph_load_late(void);
