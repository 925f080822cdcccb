#pragma once
#include "../loops.h"

extern const PhLoops ph_loops_portable;
#if defined(__x86_64__)
extern const PhLoops ph_loops_v3, ph_loops_v4;
#endif
