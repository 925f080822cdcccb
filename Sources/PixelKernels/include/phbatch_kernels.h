#pragma once

/// Registers `phbatch_point` and the other kernels with libvips.
///
/// Call once, after `vips_init`. Each has an optional argument "tally"; see phbatch_tally.h.
void phbatch_kernels_register(void);

/// Whether operations that are built from now on use AVX2 at most, so that a test can compare that
/// with what else the CPU has. The pixels are the same.
void phbatch_kernels_keep_to_avx2(int keeps);
