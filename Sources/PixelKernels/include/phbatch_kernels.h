#pragma once

/// Registers the kernels, operations named `phbatch_…`, with libvips.
///
/// Call once, after `vips_init`.
void phbatch_kernels_register(void);

/// The first word of a point program: "PHP1" in little-endian order.
enum { PHBATCH_PROGRAM_MAGIC = 0x31504850 };

/// The instructions of a point program. A program is a run of little-endian 32-bit words: the
/// magic, the number of instructions, then for each its opcode, the number of its floats, the
/// floats. All floats are finite. R, G, B stand for the three planes, whatever they hold.
enum phbatch_opcode {
  /// 3 × 256 (uchar in) or 3 × 65536 (ushort in): the value of each sample, for each plane.
  /// Only as the first instruction.
  PHBATCH_OP_TABLE = 1,
  /// 6: gain R G B, offset R G B; `x × gain + offset`.
  PHBATCH_OP_GAIN = 2,
  /// 12: three rows of three factors and an offset.
  PHBATCH_OP_MATRIX = 3,
  /// None: sRGB encoded → linear light; odd-symmetric below 0, not clipped above 1.
  PHBATCH_OP_DECODE = 4,
  /// None: the inverse of DECODE.
  PHBATCH_OP_ENCODE = 5,
  /// 3 + c × (n + 3): tMax, c (1 or 3), n, then for each channel the slope below 0, the slope from
  /// tMax² on, and n + 1 values at equal steps of √x from 0 to tMax.
  PHBATCH_OP_CURVE = 6,
  /// None: odd cube root.
  PHBATCH_OP_CBRT = 7,
  /// None: x³.
  PHBATCH_OP_CUBE = 8,
  /// 1: k; the planes are OKLab, and a, b grow by `1 + k × (1 − min(1, 4 × chroma))`.
  PHBATCH_OP_VIBRANCE = 9,
  /// 7: x0 y0 (pixels), sx sy, e0 e1 (e0 ≠ e1), k; all planes grow by `1 + k × smoothstep`, from 0
  /// where the scaled distance of the pixel's centre is e0 to 1 where it is e1.
  PHBATCH_OP_RADIAL = 10,
  /// 1: slot 0…3; keeps a copy of the planes.
  PHBATCH_OP_SAVE = 11,
  /// 2: slot (saved before), opacity; `saved + opacity × (planes − saved)`.
  PHBATCH_OP_MIX = 12,
  PHBATCH_OP_LAST = PHBATCH_OP_MIX,
};

/// Slots that SAVE and MIX may name.
enum { PHBATCH_SLOTS = 4 };
