#pragma once

// Loads libaom, libheif and libjxl, whose functions can be called afterwards. Returns NULL, or the
// reason why one of them cannot be loaded; the reason is valid until the next call of a function of
// dlfcn.h.
const char *ph_load_late(void);
