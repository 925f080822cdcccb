#pragma once
#include "raw/raw_file.h"

/// Replaces hot and dead pixels of an X-Trans mosaic, as `ph_raw_mend_hot_pixels` does those of a
/// Bayer mosaic. The neighbours of a sample are the eight nearest samples of its colour. Returns the
/// number of replaced samples, or −1 with libvips's error text set.
int ph_raw_mend_xtrans_hot_pixels(PhRawFile *file);
