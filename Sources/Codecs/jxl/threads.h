#pragma once
#include <jxl/parallel_runner.h>

/// Calls `run` for each number from `begin` to `end` − 1, in as many threads as the `int` at
/// `threads` states. It fits the type `JxlParallelRunner`.
///
/// libjxl's own runner is in a library of its own, which phbatch does not load.
JxlParallelRetCode ph_jxl_run(void *threads, void *work, JxlParallelRunInit init,
                              JxlParallelRunFunction run, uint32_t begin, uint32_t end);
