// The body of one instruction set, included once for each with PH_LOOPS as the name of its table.
// FP_CONTRACT is off in every includer: fused multiply-adds on one CPU only would change last bits.
#include <string.h>

#include "sets.h"

#define PH_INLINE static inline __attribute__((always_inline))

/// Before a loop of one long chain of operations: interleave several chains to hide their latency.
#define PH_OVERLAPPED _Pragma("clang loop interleave_count(4)")

#include "samples.h"

#include "planes.h"

#include "roots.h"

#include "srgb.h"

#include "colour.h"

#include "curve.h"

#include "position.h"

#include "layers.h"

#include "blend.h"

#include "cover.h"

#include "lut.h"

#include "grain.h"

#include "sharpness.h"

#include "filter.h"

const PhLoops PH_LOOPS = {
    .read = {ph_read_uchar, ph_read_ushort, ph_read_float},
    .write = {ph_write_uchar, ph_write_ushort, ph_write_float},
    .unpack = {{ph_unpack_uchar3, ph_unpack_uchar4},
               {ph_unpack_ushort3, ph_unpack_ushort4},
               {ph_unpack_float3, ph_unpack_float4}},
    .pack = {{ph_pack_uchar3, ph_pack_uchar4},
             {ph_pack_ushort3, ph_pack_ushort4},
             {ph_pack_float3, ph_pack_float4}},
    .lookup = {{ph_lookup_uchar3, ph_lookup_uchar4}, {ph_lookup_ushort3, ph_lookup_ushort4}},
    .step =
        {
            [PHBATCH_OP_GAIN] = ph_gain,
            [PHBATCH_OP_MATRIX] = ph_matrix,
            [PHBATCH_OP_DECODE] = ph_decode,
            [PHBATCH_OP_ENCODE] = ph_encode,
            [PHBATCH_OP_CURVE] = ph_curve,
            [PHBATCH_OP_CBRT] = ph_cube_root,
            [PHBATCH_OP_CUBE] = ph_cube,
            [PHBATCH_OP_VIBRANCE] = ph_vibrance,
            [PHBATCH_OP_RADIAL] = ph_radial,
            [PHBATCH_OP_SAVE] = ph_save,
            [PHBATCH_OP_MIX] = ph_mix,
            [PHBATCH_OP_HUES] = ph_hues,
            [PHBATCH_OP_GRADE] = ph_grade,
            [PHBATCH_OP_STEPS] = ph_steps,
            [PHBATCH_OP_LAYER] = ph_layer,
            [PHBATCH_OP_BLEND] = ph_blend,
            [PHBATCH_OP_COVER_LINEAR] = ph_cover_linear,
            [PHBATCH_OP_COVER_RADIAL] = ph_cover_radial,
            [PHBATCH_OP_COVER_POLYGON] = ph_cover_polygon,
            [PHBATCH_OP_COVER_RANGE] = ph_cover_range,
            [PHBATCH_OP_COVER_DISC] = ph_cover_disc,
            [PHBATCH_OP_COVER_MAP] = ph_cover_map,
            [PHBATCH_OP_COMBINE] = ph_combine,
            [PHBATCH_OP_FADE] = ph_fade,
            [PHBATCH_OP_LUT] = ph_lut,
            [PHBATCH_OP_GRAIN] = ph_grain,
            [PHBATCH_OP_DITHER] = ph_dither,
        },
    .luma = ph_luma,
    .sharpen = ph_sharpen,
    .filter = ph_filter,
};
