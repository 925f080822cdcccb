#pragma once

/// Registers with libvips all operations of the program that PH_DEFINE_OPERATION defines:
/// `phbatch_point` and the other kernels, and the operations of Codecs if these are linked.
///
/// Call once, after `vips_init`. Every kernel has an optional argument "tally"; see
/// phbatch_tally.h.
void phbatch_operations_register(void);

/// If `keeps` is not 0, limits operations that are built from now on to AVX2; otherwise removes
/// this limit. A test calls it to check that AVX2 and AVX-512 compute the same pixels.
void phbatch_kernels_keep_to_avx2(int keeps);
