#pragma once

// Loads libaom, libheif and libjxl, whose functions can be called afterwards; -1 with an error of
// libvips if one of them cannot be loaded.
int ph_load_late(void);
