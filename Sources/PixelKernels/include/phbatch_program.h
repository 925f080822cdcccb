#pragma once

/// The first word of a point program: "PHP1" in little-endian order.
enum { PHBATCH_PROGRAM_MAGIC = 0x31504850 };

/// The instructions of a point program.
///
/// A program is a sequence of little-endian 32-bit words: the magic, the number of instructions,
/// then for each instruction its opcode, the number of floats in its payload, and the payload. All
/// floats are finite. Each description begins with the number of floats in the payload, and lists
/// them. The descriptions use these names:
///
/// - R, G, B: the three planes, also when the planes contain other values, such as OKLab.
/// - slot: the index of a saved copy of the planes.
/// - cover: the index of a mask's coverage, 0…1 for each pixel.
/// - (x, y): a position in pixels.
enum phbatch_opcode {
  /// 3 × 256 (uchar input) or 3 × 65536 (ushort input) floats: for each plane, the result for each
  /// possible sample. Only allowed as the first instruction.
  PHBATCH_OP_TABLE = 1,
  /// 6 floats: gain R G B, offset R G B; `x × gain + offset`.
  PHBATCH_OP_GAIN = 2,
  /// 12 floats: three rows of three factors and an offset.
  PHBATCH_OP_MATRIX = 3,
  /// No floats: converts sRGB-encoded samples to linear light; odd-symmetric below 0, not clipped
  /// above 1.
  PHBATCH_OP_DECODE = 4,
  /// No floats: the inverse of DECODE.
  PHBATCH_OP_ENCODE = 5,
  /// 8 + n floats: planes, root (0 or 1), tMin (at most 0), tMax, n, the slope below tMin, the
  /// slope from tMax on, and n + 1 values at equal steps of t from tMin to tMax. A changed plane
  /// becomes the value at t, interpolated. t is x or, if root is 1, √x (−√−x for negative x).
  /// `planes`, 1…7, selects the changed planes: the sum of 1 for R, 2 for G and 4 for B.
  PHBATCH_OP_CURVE = 6,
  /// No floats: cube root, odd-symmetric below 0.
  PHBATCH_OP_CBRT = 7,
  /// No floats: x³.
  PHBATCH_OP_CUBE = 8,
  /// 7 floats: k, and a gamut, which is an RGB space with the white of OKLab. The gamut has, for
  /// each of R, G and B, the multiples of the cone responses L and S; the multiple of M is 1 minus
  /// both. The planes are OKLab.
  ///
  /// a and b are multiplied by `1 + g` if k ≤ 0, otherwise by `1 + g (1 − q) ÷ (1 + g q)`:
  ///
  /// - g: the growth `k × (1 − min(1, 4 × chroma))`. If k > 0, it is multiplied by `1 − 0.7 s`.
  /// - s: the protection of skin, a smoothstep of the cosine of the hue's distance from 50°, from
  ///   cos 28° to cos 10°.
  /// - q: the square of the purity. The purity is 0 for greys and 1 at the edge of the gamut:
  ///   `max((h − n) ÷ max(1 − n, 1e-4), (n − l) ÷ max(n, 1e-4))`, clamped to 0…1.
  /// - h, l: the colour's greatest and least channel in linear light of the space.
  /// - n: L³, with L the OKLab lightness.
  PHBATCH_OP_VIBRANCE = 9,
  /// 7 floats: x0 y0 (pixels), sx sy, e0 e1 (e0 ≠ e1), k. All planes are multiplied by `1 + k ×
  /// smoothstep`; the smoothstep is 0 where the scaled distance of the pixel's centre from (x0, y0)
  /// is e0, and 1 where it is e1.
  PHBATCH_OP_RADIAL = 10,
  /// 1 float: slot. Saves a copy of the planes and of alpha.
  PHBATCH_OP_SAVE = 11,
  /// 3 floats: slot (saved before), opacity, cover (computed before; −1 for a cover of 1). The
  /// result is `saved + opacity × cover × (planes − saved)`, also for alpha; each of the two
  /// colours is weighted by its alpha.
  PHBATCH_OP_MIX = 12,
  /// 15 + 4 × (n + 1) floats, in this order: n, a power of 2 in 32…65536; four sets of arcs; the
  /// factors c and s for n + 1 equal steps of the diamond angle of (G, B) from 0 to 4; for the same
  /// steps, the growth g ≥ −1 and the factor l; and a gamut, as for VIBRANCE.
  ///
  /// The sets contain some of the 32 equal arcs of the diamond |G| + |B| = 1. Each set is stored as
  /// the bits of two floats: the first sixteen arcs, then the last sixteen. An arc is in the first
  /// set if (c, s) ≠ (1, 0) at one of its steps, ends included; in the second if g ≠ 0 at one; in
  /// the third if g > 0; and in the fourth if l ≠ 0. The sets may contain more arcs, but the third
  /// is a subset of the second.
  ///
  /// The planes are OKLab, and C is their chroma.
  ///
  /// - Lightness: `L' = L + d r ÷ (|d| + r)`, with `d = l C`. r is 1 − L, or L if d is negative,
  ///   but not less than 0.
  /// - Hue: `a' = c a − s b`, `b' = s a + c b`.
  /// - Chroma: a' and b' are multiplied by k = 1 + g. If that makes the colour purer, they are
  ///   multiplied only by `k ÷ max(1 + G q, k p' ÷ max(1, p))`.
  /// - p: the purity (see VIBRANCE) of (L, a, b), not limited to 1; q = min(1, p)².
  /// - p': the purity of (L', a', b') before the multiplication, not limited to 1.
  /// - G: the growth of purity `k (p' + 0.001) ÷ (p + 0.001) − 1`.
  PHBATCH_OP_HUES = 13,
  /// 4 + 8 × (n + 1) floats: weights R G B, n, then for n + 1 equal steps of t in 0…1 the gains of
  /// R G B and an unused float, and for the same steps the offsets of R G B and an unused float.
  /// The result is `x × gain + offset`, with the gain and the offset at t; t is the weighted sum of
  /// R G B, clamped to 0…1.
  PHBATCH_OP_GRADE = 14,
  /// 1 float: n in 2…65536. The result is `min(floor(n × x), n − 1) / (n − 1)`, with x clamped to
  /// 0…1.
  PHBATCH_OP_STEPS = 15,
  /// 1 float: the index of an image of `layers`. The image's pixels replace the planes and alpha.
  PHBATCH_OP_LAYER = 16,
  /// 2 floats: slot (saved before), mode (enum phbatch_blend). Blends the planes with the saved
  /// planes.
  PHBATCH_OP_BLEND = 17,
  /// 4 floats: number of the cover, then m0 m1 m2. The cover is the smoothstep of
  /// `m0 + m1 x + m2 y`.
  PHBATCH_OP_COVER_LINEAR = 18,
  /// 8 floats: number of the cover, six floats m that transform (x, y) to (u, v) by
  /// `u = m0 + m1 x + m2 y`, `v = m3 + m4 x + m5 y`, inner < 1. The cover is 1 where the distance
  /// of (u, v) from (0, 0) is at most `inner`, and 0 where the distance is at least 1.
  PHBATCH_OP_COVER_RADIAL = 19,
  /// 9 + 2 × n floats: number of the cover, six floats that transform (x, y) to (u, v) as in
  /// COVER_RADIAL, feather > 0, n, then the n ≥ 3 corners (u, v). The cover is 1 inside the
  /// polygon by the even–odd rule; the soft edge extends `feather` to either side.
  PHBATCH_OP_COVER_POLYGON = 20,
  /// 4 floats: number of the cover, low, high, feather > 0. With x the first plane, clamped to
  /// 0…1, the cover is 1 for x in low…high, and falls to 0 over `feather` outside this range.
  PHBATCH_OP_COVER_RANGE = 21,
  /// 5 floats: number of the cover, a, b, radius, feather > 0. The cover is 1 where the second
  /// and third plane are within `radius` of (a, b), and falls to 0 over `feather` outside this
  /// disc.
  PHBATCH_OP_COVER_DISC = 22,
  /// 8 floats: number of the cover, index of an image of `maps`, six floats that transform (x, y)
  /// to (u, v) as in COVER_RADIAL. (u, v) is a position in the image, 0…1 along both edges. The
  /// cover is the first band of the image at this position, interpolated bilinearly.
  PHBATCH_OP_COVER_MAP = 23,
  /// 3 floats: cover a (the result), cover b, mode. The result is a + b − a b in mode 0, a (1 − b)
  /// in mode 1, and a b in mode 2.
  PHBATCH_OP_COMBINE = 24,
  /// 3 floats: number of the cover, gain, offset. The cover becomes `gain × cover + offset`,
  /// clamped to 0…1.
  PHBATCH_OP_FADE = 25,
  /// 8 + 3 × n³ floats: n in 2…256, gain R G B, offset R G B, then R, G, B of the n³ points of a
  /// cube (red varies fastest, then green), and finally one unused float. The result is the cube's
  /// colour at `x × gain + offset`, clamped to 0…1, by tetrahedral interpolation.
  PHBATCH_OP_LUT = 26,
  /// 10 floats: six floats that transform (x, y) to (u, v) as in COVER_RADIAL, all factors in
  /// −256…256; c, s (−1…1), amount, seed (whole, 0…65535). Adds `amount × 4 Y (1 − Y) × noise` to
  /// all planes, where Y is their luma and the noise is interpolated smoothly between the points
  /// where `c u − s v` and `s u + c v` are whole.
  PHBATCH_OP_GRAIN = 27,
  /// 2 floats: levels in 1…65535, seed as in GRAIN. Clamps the planes to 0…1 and adds noise of up
  /// to ± one level with a triangular distribution; the noise is less within a level of 0 and 1.
  PHBATCH_OP_DITHER = 28,
  /// 8 + 4 × (n + 1) floats: the index of an image of `maps` with curves as in TILES, six floats
  /// that transform (x, y) to (u, v) as in COVER_MAP, n, then for n + 1 equal steps of the base in
  /// 0…1: the tone of the base; `low` and `high`, the gains of detail darker and brighter than the
  /// base; and an unused float. None of them is negative.
  ///
  /// - Y: the BT.709 luma of the pixel, clamped to 0…1.
  /// - base: the curve's value, clamped to 0…1.
  /// - Y': the new luma (see `ph_adapt`). Below the base, `Y' = tone Y ÷ (Y + low (base − Y))`;
  ///   from the base on, `1 − Y' = (1 − tone) (1 − Y) ÷ (1 − Y + high (Y − base))`.
  PHBATCH_OP_LOCAL = 40,
  /// 13 floats: the index of an image of `maps` with curves as in TILES, six floats that transform
  /// (x, y) to (u, v) as in COVER_MAP, the light R G B of the air, strength, floor > 0, richness ≥
  /// 0.
  ///
  /// - Guide: the position on the curve, `Y − 0.6 max(0, R − B)`, clamped to 0…1; Y is the BT.709
  ///   luma of the pixel.
  /// - h: the haze, which is the curve's value at the guide, clamped to 0…1.
  /// - Gain: `1 / max(1 − strength × h, floor)`.
  /// - Result: if the strength is below 0, `air + gain × (x − air)`. Otherwise the gain is at least
  ///   1, and increases the saturation and the distance of the luma from the air's luma; see
  ///   `HazeRemoval`.
  PHBATCH_OP_DEHAZE = 41,
  /// 7 floats: the index of an image of `maps`, six floats that transform (x, y) to (u, v) as in
  /// COVER_MAP. The bands of the image, at least two, are the values of a luma curve at equal steps
  /// over 0…1. Each pixel of the image has its own curve. The luma of a pixel of the photo becomes
  /// the value of the four nearest curves, interpolated.
  PHBATCH_OP_TILES = 42,
  /// 7 floats: k ≥ 0, and a gamut. Like VIBRANCE with `g = k` for all hues.
  PHBATCH_OP_SATURATE = 43,
  /// No floats: like DECODE, with an error below 1/25 of an 8-bit level after display encoding.
  PHBATCH_OP_DECODE_NEARLY = 44,
  /// 11 floats: fourth (0 or 1), toe ≥ 0, slope, top > toe, then seven factors c. The result is
  /// `slope × x` below the toe, else `Σ c[k] rᵏ`, where r is the square root of min(x, top), or its
  /// fourth root if fourth is 1. The result approximates the last curve of a program whose result
  /// is rounded to 8 bits; the curve is the same for all planes, and its value at `top` limits the
  /// result.
  PHBATCH_OP_CLOSE = 45,
  /// 9 floats: the key L0 a0 b0, the weight w ≥ 0 of lightness, tolerance, softness > 0, the
  /// direction u v of the key in (a, b), of length 1, or 0 for a grey key, spill in 0…1. The planes
  /// are OKLab.
  ///
  /// - d: the distance from the key, `|(w (L − L0), a − a0, b − b0)|`. Alpha is multiplied by the
  ///   smoothstep of `(d − tolerance) ÷ softness`.
  /// - p, q: the components of (a, b) along (u, v) and across it. (a, b) is reduced by `spill ×
  ///   max(0, p − √3 |q|)` along (u, v).
  PHBATCH_OP_KEY = 46,
  /// 4 floats: slot (saved before), opacity, cover (computed before; −1 for a cover of 1), mode
  /// (enum phbatch_composition). Composites the planes over the saved planes.
  ///
  /// - b: the alpha of the saved planes, clamped to 0…1; 1 without a fourth plane.
  /// - s: the alpha of the planes × opacity × cover, clamped to 0…1; alpha is 1 without a fourth
  ///   plane.
  /// - F, G: the fractions of the mode. Alpha becomes `s F + b G`, at most 1; colours are weighted
  ///   by `s F` and `b G`.
  PHBATCH_OP_COMPOSE = 47,
  /// 1 float: slot (saved before). The planes and the saved planes are OKLab. Brightens vivid
  /// colours less, then limits chroma to sRGB.
  ///
  /// First, the change since the saved planes is multiplied by `1 − (1 − min(1, L³ ÷ m)) d ÷ (d +
  /// r)` if d is above 0:
  ///
  /// - L: the saved lightness.
  /// - m, m': the linear light of the brightest channel, of the saved planes and of the planes.
  /// - d: `√m' − √m`.
  /// - r: `max(0, 1 − √m)`.
  ///
  /// Then, if G is above 0, chroma is multiplied by the lesser of `1 ÷ (1 + G q²)` and `max(1,
  /// before) ÷ after`. A colour that was outside sRGB before may thus stay outside.
  ///
  /// - before, after: the purities in sRGB (see VIBRANCE), of the saved planes and of the changed
  ///   planes.
  /// - G: the growth of purity `(after + 0.001) ÷ (before + 0.001) − 1`.
  /// - q: `min(1, before)`.
  PHBATCH_OP_HOLD = 48,
  /// 22 floats: encoded (0 or 1), knee > 0, bend ≥ 0, a 3 × 3 matrix, row by row, each of which
  /// sums to 1, and a polynomial: middle, scale and 8 coefficients. The planes are linear light, or
  /// sRGB-encoded samples if encoded is 1. The matrix converts linear light to a colour space.
  ///
  /// - m: the greatest channel of a pixel in that space.
  /// - t: `m − knee`.
  /// - s: the limit `min(1, knee + t ÷ (1 + bend t))`. If t is above 0, the linear light of all
  ///   planes is multiplied by `s ÷ m`.
  ///
  /// For encoded samples, the polynomial approximates the encoded s as a function of `max(−1, (1 ÷
  /// (m + 0.055) − middle) scale)`, where m is encoded too.
  PHBATCH_OP_ROLLOFF = 49,
  /// 21 floats: encoded (0 or 1), the 3 × 3 matrix from linear light of a colour space to the cone
  /// responses of OKLab, row by row, then its inverse, then u v, the direction of the space's blue
  /// in (a, b), of length 1. The planes are linear light, or sRGB-encoded samples if encoded is 1;
  /// the rules below apply to linear light.
  ///
  /// A pixel with a plane outside 0…1 keeps its OKLab hue and its lightness, clamped to 0…1. Its
  /// chroma is multiplied by p, the greatest factor up to which all smaller ones give planes in 0…1;
  /// planes that leave 0…1 only between two of eight even steps
  /// are ignored. The error of p is at most 2⁻¹¹, and nearly always below 2⁻¹⁷.
  ///
  /// Near blue, the space is concave: at nearly the same hue, chroma can leave the space and enter it
  /// again, so p alone would tear colours apart. For hues within 25° of blue's, p is therefore
  /// increased to q, and q to `q + (1 − q) i(pixel)`; the result is clamped to 0…1.
  ///
  /// - q: p plus the mean of i at the centres of eight even steps of the factor from p to 1, times
  ///   1 − p.
  /// - i: 1 inside the space, falling linearly to 0 at 0.1 w outside. Outside is the greatest of
  ///   the planes above 1 and of those below 0 divided by max(L³, 1e-6).
  /// - w: the smoothstep of the cosine of the hue's distance from blue's, from cos 25° to cos 8°, times
  ///   1 − the smoothstep of L from 0.6 to 0.8.
  PHBATCH_OP_GAMUT = 50,
  /// 8 floats: the centre x, y in pixels, the width and the height of a pixel in the unit of r, k1,
  /// k2, k3, least > 0. With r the distance from the centre to the pixel's centre, the planes are
  /// divided by `max(least, 1 + k1 r² + k2 r⁴ + k3 r⁶)`.
  PHBATCH_OP_FALLOFF = 51,
  /// 1 float: slot (saved before). Multiplies the three colour planes by the saved ones, without
  /// clamping; alpha becomes the saved alpha.
  PHBATCH_OP_MULTIPLY = 52,
  /// The payload of CURVE; `planes` is 7. The greatest and the least plane become their values on
  /// the curve. The middle plane m becomes `l' + (h' − l') (m − l) ÷ (h − l)`, with h and l the
  /// greatest and the least plane, and h' and l' their values.
  PHBATCH_OP_TONE = 53,
  /// 11 floats: a 3 × 3 matrix, row by row, from, to > from. With x the planes and `y = matrix × x`,
  /// each plane becomes `y + w max(0, t − y)`:
  ///
  /// - w: `(x − from) ÷ (to − from)` of this plane, clamped to 0…1.
  /// - t: `u + v (max y − u)`, with v the least w of the three planes, and u the mean of y weighted
  ///   by 1 − w, or the greatest y if all w are 1.
  PHBATCH_OP_ADAPT = 54,
  PHBATCH_OP_LAST = PHBATCH_OP_ADAPT,
};

/// The modes of BLEND. Planes and saved planes are clamped to 0…1 first. Where the saved planes are
/// transparent, the planes stay unchanged; where they are partly transparent, the planes change in
/// part. Source: W3C, Compositing and Blending Level 1, 9 and 10.
enum phbatch_blend {
  PHBATCH_BLEND_MULTIPLY = 1,
  PHBATCH_BLEND_SCREEN,
  PHBATCH_BLEND_OVERLAY,
  PHBATCH_BLEND_DARKEN,
  PHBATCH_BLEND_LIGHTEN,
  PHBATCH_BLEND_COLOUR_DODGE,
  PHBATCH_BLEND_COLOUR_BURN,
  PHBATCH_BLEND_HARD_LIGHT,
  PHBATCH_BLEND_SOFT_LIGHT,
  PHBATCH_BLEND_DIFFERENCE,
  PHBATCH_BLEND_EXCLUSION,
  PHBATCH_BLEND_ADD,
  PHBATCH_BLEND_SUBTRACT,
  PHBATCH_BLEND_HUE,
  PHBATCH_BLEND_SATURATION,
  PHBATCH_BLEND_COLOUR,
  PHBATCH_BLEND_LUMINOSITY,
  PHBATCH_BLEND_LAST = PHBATCH_BLEND_LUMINOSITY,
};

/// The modes of COMPOSE. The comment of each mode states its F, the fraction of the planes, then
/// its G, the fraction of the saved planes; s is the alpha of the planes, b the alpha of the saved
/// planes. Source: T. Porter and T. Duff, "Compositing Digital Images", 1984; W3C, Compositing and
/// Blending Level 1, 9.1; SATURATE: OpenGL 1.0, SRC_ALPHA_SATURATE.
enum phbatch_composition {
  /// F = 0, G = 0.
  PHBATCH_COMPOSE_CLEAR = 1,
  /// F = 1, G = 0.
  PHBATCH_COMPOSE_SOURCE,
  /// F = 1, G = 1 − s.
  PHBATCH_COMPOSE_OVER,
  /// F = b, G = 0.
  PHBATCH_COMPOSE_IN,
  /// F = 1 − b, G = 0.
  PHBATCH_COMPOSE_OUT,
  /// F = b, G = 1 − s.
  PHBATCH_COMPOSE_ATOP,
  /// F = 0, G = 1.
  PHBATCH_COMPOSE_DEST,
  /// F = 1 − b, G = 1.
  PHBATCH_COMPOSE_DEST_OVER,
  /// F = 0, G = s.
  PHBATCH_COMPOSE_DEST_IN,
  /// F = 0, G = 1 − s.
  PHBATCH_COMPOSE_DEST_OUT,
  /// F = 1 − b, G = s.
  PHBATCH_COMPOSE_DEST_ATOP,
  /// F = 1 − b, G = 1 − s.
  PHBATCH_COMPOSE_XOR,
  /// F = min(1, (1 − b) ÷ s), G = 1.
  PHBATCH_COMPOSE_SATURATE,
  PHBATCH_COMPOSE_LAST = PHBATCH_COMPOSE_SATURATE,
};

/// The maximum number of points along an edge of a LUT.
enum { PHBATCH_LUT_LONGEST = 256 };

/// The number of slots for SAVE, the number of covers, and the maximum number of layers and of
/// maps.
enum { PHBATCH_SLOTS = 6, PHBATCH_COVERS = 8, PHBATCH_IMAGES = 16 };
