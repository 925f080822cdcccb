// The loops of one instruction set. Each set includes this file once, with PH_LOOPS as the name of
// its table and PH_REGISTER_LANES as the number of floats in a register. FP_CONTRACT must be off
// where this file is included: if only some CPUs fused multiply-adds, their results would differ in
// the last bits.
#include <string.h>

#include "loops.h"
#include "point/instructions.h"

#define PH_INLINE static inline __attribute__((always_inline))

/// Interleaves eight pixels of a loop whose body is one long dependency chain, to hide the latency.
#define PH_OVERLAPPED _Pragma("clang loop interleave_count(8)")

// The order of these files matters: each file uses functions of the files before it.
#include "samples.h"

#include "planes.h"

#include "clipping.h"

#include "rows.h"

#include "point/roots.h"

#include "point/srgb.h"

#include "point/cover.h"

#include "point/colour.h"

#include "point/chroma.h"

#include "point/adapt.h"

#include "point/rolloff.h"

#include "point/gamut.h"

#include "point/curve.h"

#include "point/tone.h"

#include "point/hues.h"

#include "point/nearly.h"

#include "point/lut.h"

#include "point/position.h"

#include "point/layers.h"

#include "point/blend.h"

#include "point/compose.h"

#include "area/sharpness.h"

#include "point/local.h"

#include "area/filter.h"

#include "resize/alpha.h"

#include "resize/resample.h"

#include "area/network.h"

#include "area/cosine.h"

#include "area/resolution.h"

#include "area/noise.h"

#include "area/glow.h"

#include "area/slide.h"

#include "resize/bend.h"

#include "resize/warp.h"

#include "files.h"

#include "raw/roots.h"
#include "raw/demosaic.h"

#include "raw/xtrans.h"

#include "raw/mosaic.h"

#define PH_STEP(name, payload, loop) [PHBATCH_OP_##name] = loop,

const PhLoops PH_LOOPS = {
    .read = {ph_read_uchar, ph_read_ushort, ph_read_float},
    .write = {ph_write_uchar, ph_write_ushort, ph_write_float},
    .unpack = {{ph_unpack_uchar3, ph_unpack_uchar4},
               {ph_unpack_ushort3, ph_unpack_ushort4},
               {ph_unpack_float3, ph_unpack_float4}},
    .pack = {{ph_pack_uchar3, ph_pack_uchar4},
             {ph_pack_ushort3, ph_pack_ushort4},
             {ph_pack_float3, ph_pack_float4}},
    .clipped = ph_clipped_pixels,
    .clipped_run = {ph_clipped_run1, ph_clipped_run2, ph_clipped_run3, ph_clipped_run4},
    .lookup = {{ph_lookup_uchar3, ph_lookup_uchar4}, {ph_lookup_ushort3, ph_lookup_ushort4}},
    .step = {PH_EACH_INSTRUCTION(PH_STEP)},
    .luma = ph_luma,
    .luma_squares = ph_luma_squares,
    .detail = ph_detail,
    .contrast = ph_contrast,
    .protect = ph_protect,
    .restrain = ph_restrain,
    .lighten = ph_lighten,
    .filter = ph_filter,
    .lookup_run = {ph_lookup_run1, ph_lookup_run2, ph_lookup_run4},
    .decode_run = {ph_decode_run1, ph_decode_run2, ph_decode_run4},
    .encode_run = {ph_encode_run1, ph_encode_run2, ph_encode_run4},
    .premultiply = {NULL, ph_premultiply2, ph_premultiply4},
    .unpremultiply = {NULL, ph_unpremultiply2, ph_unpremultiply4},
    .accumulate = ph_accumulate,
    .interleave = ph_interleave,
    .deinterleave = ph_deinterleave,
    .across = {ph_across1, ph_across2, ph_across3, ph_across4},
    .gather_lines = ph_gather_lines,
    .lowest = ph_lowest,
    .highest = ph_highest,
    .exchange = ph_exchange,
    .pick = ph_pick,
    .cosine = ph_cosine_lines,
    .cosine_inverse = ph_cosine_inverse_added,
    .shrink = ph_shrink,
    .weighted = ph_weighted,
    .halve = ph_halve,
    .twice = ph_double,
    .gather = ph_gather,
    .stretch = ph_stretch,
    .opponents = ph_opponents,
    .colours = ph_colours,
    .replace_base = ph_replace_base,
    .replace_base_shrunk = ph_replace_base_shrunk,
    .approach = ph_approach,
    .squares = ph_squares,
    .spread = ph_spread,
    .slope = ph_slope,
    .rest = ph_rest,
    .apply_model = ph_apply_model,
    .glow = ph_glow,
    .shine = ph_shine,
    .slide = {ph_slide3, ph_slide4},
    .crossfade = ph_crossfade,
    .warp = {ph_warp_uchar, ph_warp_ushort, ph_warp_float},
    .png_filter = {ph_png_none, ph_png_sub, ph_png_up, ph_png_average, ph_png_paeth},
    .halve_bytes = {ph_halve1, NULL, ph_halve3},
    .demosaic = ph_demosaic,
    .demosaic_xtrans = ph_demosaic_xtrans,
    .sum_rows = ph_sum_rows,
    .sum_samples = ph_sum_samples,
    .sum_pairs = ph_sum_pairs,
    .scale_pairs = ph_scale_pairs,
    .neighbours = ph_neighbours,
    .camera_colours = ph_camera_colours,
};

#undef PH_STEP
