#pragma once

/// Registers `phbatch_point` and the other kernels with libvips.
///
/// Call once, after `vips_init`. Every kernel has an optional argument "tally"; see
/// phbatch_tally.h.
void phbatch_kernels_register(void);

/// Limits operations that are built from now on to AVX2, or lifts that limit, so that a test can
/// compare AVX2 with AVX-512. The pixels are the same.
void phbatch_kernels_keep_to_avx2(int keeps);
