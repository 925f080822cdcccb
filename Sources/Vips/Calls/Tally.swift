import PixelKernels

/// Counts the pixels that kernels of ours write as integers, and those of them that are clipped: that
/// have a colour outside 0…1 by more than half a step of 8 bits, or one that is not a number.
///
/// It is an argument of theirs, and counts whatever threads compute for as long as anybody has the
/// image. Pixels that are computed twice count twice.
///
/// Safe to share: the counts are atomic.
public final class Tally: @unchecked Sendable {
  let pointer = ph_tally_new()

  public init() {}

  deinit { ph_tally_release(pointer) }

  public var written: Int { Int(clamping: ph_tally_written(pointer)) }

  public var clipped: Int { Int(clamping: ph_tally_clipped(pointer)) }
}
