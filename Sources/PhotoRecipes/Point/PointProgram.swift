/// What happens to each pixel by itself: a straight list of instructions on (R, G, B).
///
/// Values go in and come out display-encoded with sRGB primaries, nominally 0…1 and never clipped.
public struct PointProgram: Sendable, Hashable {
  public enum Instruction: Sendable, Hashable {
    /// A function of each channel: what follows in the list is applied in turn.
    case channels(red: [Curve], green: [Curve], blue: [Curve])
    case matrix(ColourMatrix)
    /// On OKLab: chroma × (1 + amount × (1 − min(1, 4 × chroma))).
    case vibrance(Double)
    case radial(RadialGain)
    /// Keeps the pixel for a later `mix`.
    case save
    /// The pixel last saved and not yet mixed, moved towards this one by `opacity`, 0…1.
    case mix(opacity: Double)
  }

  public private(set) var instructions: [Instruction]

  public init(_ instructions: [Instruction] = []) {
    self.instructions = []
    append(instructions)
  }

  /// Adds instructions, folding each into the one before it where the two are one function.
  public mutating func append(_ added: [Instruction]) {
    for instruction in added {
      var next = instruction.simplified
      while let current = next {
        guard let last = instructions.last, let folded = last.folded(with: current) else {
          instructions.append(current)
          break
        }
        instructions.removeLast()
        next = folded.simplified
      }
    }
  }

  public var isIdentity: Bool { instructions.isEmpty }

  /// Whether the result depends on where in the frame a pixel stands.
  public var dependsOnPosition: Bool {
    instructions.contains { if case .radial = $0 { true } else { false } }
  }
}

extension PointProgram.Instruction {
  /// One curve for all three channels.
  public static func curve(_ curve: Curve) -> Self {
    .channels(red: [curve], green: [curve], blue: [curve])
  }

  /// Gains as channel curves, which fold into tables; nothing for an identity.
  fileprivate var simplified: Self? {
    switch self {
    case .matrix(let matrix):
      if matrix.isNearIdentity { return nil }
      guard let gain = matrix.diagonal else { return self }
      func line(_ i: Int) -> [Curve] { [.linear(slope: gain[i], offset: matrix.offset[i])] }
      return .channels(red: line(0), green: line(1), blue: line(2))
    case .channels(let red, let green, let blue):
      let simple = [red, green, blue].map(Self.simplified)
      if simple.allSatisfy(\.isEmpty) { return nil }
      return .channels(red: simple[0], green: simple[1], blue: simple[2])
    case .vibrance(let amount): return amount == 0 ? nil : self
    case .radial(let gain): return gain.strength == 0 ? nil : self
    case .save, .mix: return self
    }
  }

  /// The one instruction that does what `self` and then `next` do; nil where there is none.
  fileprivate func folded(with next: Self) -> Self? {
    switch (self, next) {
    case (.channels(let r, let g, let b), .channels(let r2, let g2, let b2)):
      .channels(red: r + r2, green: g + g2, blue: b + b2)
    case (.matrix(let first), .matrix(let second)): .matrix(second.after(first))
    case (.matrix(let first), .channels(let red, let green, let blue)):
      Self.gain(red, green, blue).map { .matrix($0.after(first)) }
    case (.channels(let red, let green, let blue), .matrix(let second)):
      Self.gain(red, green, blue).map { .matrix(second.after($0)) }
    default: nil
    }
  }

  /// The diagonal matrix that three straight lines are.
  private static func gain(_ red: [Curve], _ green: [Curve], _ blue: [Curve]) -> ColourMatrix? {
    var slopes = ColourMatrix.Vector(1, 1, 1)
    var offsets = ColourMatrix.Vector.zero
    for (index, curves) in [red, green, blue].enumerated() {
      guard curves.count <= 1 else { return nil }
      guard let curve = curves.first else { continue }
      guard case .linear(let slope, let offset) = curve else { return nil }
      slopes[index] = slope
      offsets[index] = offset
    }
    return .diagonal(slopes, offset: offsets)
  }

  /// Drops neighbours that undo each other, joins straight lines and powers, drops identities.
  private static func simplified(_ curves: [Curve]) -> [Curve] {
    var result: [Curve] = []
    for curve in curves {
      switch (result.last, curve) {
      case (let last?, _) where last.inverse == curve: result.removeLast()
      case (.linear(let a, let b), .linear(let c, let d)):
        result[result.count - 1] = .linear(slope: a * c, offset: b * c + d)
      default: result.append(curve)
      }
      if result.last == .linear(slope: 1, offset: 0) || result.last == .power(1) {
        result.removeLast()
      }
    }
    return result
  }
}

extension PointProgram: CustomStringConvertible {
  public var description: String {
    instructions.map(\.description).joined(separator: "; ")
  }
}

extension PointProgram.Instruction: CustomStringConvertible {
  public var description: String {
    switch self {
    case .channels(let red, let green, let blue):
      red == green && green == blue
        ? Self.text(red) : "R \(Self.text(red)), G \(Self.text(green)), B \(Self.text(blue))"
    case .matrix(let matrix): "matrix [\(matrix)]"
    case .vibrance(let amount): "vibrance \(amount.short)"
    case .radial(let gain): "radial \(gain)"
    case .save: "save"
    case .mix(let opacity): "mix \(opacity.short)"
    }
  }

  private static func text(_ curves: [Curve]) -> String {
    curves.isEmpty ? "—" : curves.map(\.description).joined(separator: " · ")
  }
}
