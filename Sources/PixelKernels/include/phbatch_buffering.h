#pragma once

/// Has libvips compute about so many rows together, and keep as many behind what reads a file: 128 is
/// what it does by itself. More threads may need more.
///
/// For the whole process, and not while an image is computed. Returns 0, or −1 with libvips's error
/// text set.
int ph_set_buffered_rows(int rows);
