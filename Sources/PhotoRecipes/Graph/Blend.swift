import Notation

/// The way in which the second of two images is blended over the first: mode, opacity and mask.
public struct Blend: Sendable, Hashable, CustomStringConvertible {
  /// The opacity of the second image, 0…1.
  public var opacity = 1.0
  public var mode = BlendMode.normal
  public var mask: Mask?

  public var description: String {
    let parts = [
      mode == .normal ? nil : mode.rawValue, opacity == 1 ? nil : "opacity \(opacity.short)",
      mask.map { "mask \($0.json.compactText)" },
    ]
    return parts.compactMap { $0 }.joined(separator: " ")
  }

  /// Returns the instructions that compute `top` for a pixel and blend the result over that pixel,
  /// and the maps that these instructions read.
  ///
  /// The first map has the index `first`.
  func program(
    around top: [PointProgram.Instruction], firstImage first: Int
  ) -> (
    instructions: [PointProgram.Instruction], maps: [MapSource]
  ) {
    let (cover, maps) = mask?.program(firstImage: first) ?? ([], [])
    let isMasked = mask != nil
    if mode.isComposition {
      let whole = PointProgram.Instruction.compose(mode, opacity: opacity, isMasked: isMasked)
      return ([.save] + cover + top + [whole], maps)
    }
    let look: [PointProgram.Instruction] = mode == .normal ? [] : [.blend(mode)]
    return ([.save] + cover + top + look + [.mix(opacity: opacity, isMasked: isMasked)], maps)
  }
}
