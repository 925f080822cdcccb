#pragma once

/// Has libvips compute `strip` rows of an image at a time, 16 by itself, and keep `together` rows of
/// it wherever it keeps some, 128 by itself; at least as many as its threads compute two strips each.
///
/// For the whole process, and not while an image is computed. Returns 0, or −1 with libvips's error
/// text set.
int ph_set_buffered_rows(int together, int strip);
