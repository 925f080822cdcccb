/// A change of each pixel that does not depend on its neighbours: a list of instructions on (R, G,
/// B).
///
/// Input and output are display-encoded with sRGB primaries, nominally 0…1 and never clipped.
public struct PointProgram: Sendable, Hashable {
  /// The maximum number of images that one program can read.
  public static let mostImages = 16

  public private(set) var instructions: [Instruction]

  /// The instructions that the unedited photo has in place of this program.
  ///
  /// The look of a raw photo has some; other programs have none.
  var unedited: [Instruction] = []

  /// The greatest channel value of a raw photo's light for which the program was made; 0 if the steps
  /// before the program define it.
  var brightestInput = 0.0

  public init(_ instructions: [Instruction] = []) {
    self.instructions = []
    append(instructions)
  }

  /// Adds instructions.
  ///
  /// Each instruction is merged with the preceding one if a single instruction can replace both.
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

  /// True if the result depends on a pixel's position in the frame.
  public var dependsOnPosition: Bool { instructions.contains(where: \.dependsOnPosition) }

  /// True if the result depends on the individual pixel, so that it is meaningless on a reduced
  /// image.
  var dependsOnPixels: Bool { instructions.contains(where: \.dependsOnPixels) }

  /// True if the program reads other images at the same position.
  public var hasLayers: Bool {
    instructions.contains { if case .layer = $0 { true } else { false } }
  }

  /// True if the program makes pixels transparent.
  public var makesAlpha: Bool {
    instructions.contains {
      switch $0 {
      case .key: true
      case .compose(let mode, let opacity, let isMasked):
        mode.makesAlpha(isPartial: opacity < 1 || isMasked)
      default: false
      }
    }
  }

  /// A single program that runs this program and then `next`.
  ///
  /// Both programs must use the same indices for the same images.
  func followed(by next: PointProgram) -> PointProgram {
    var whole = self
    whole.append(next.instructions)
    return whole
  }

  /// The same program with other indices of images.
  public func renumbered(_ change: (Int) -> Int) -> PointProgram {
    PointProgram(instructions.map { $0.renumbered(change) })
  }

  /// The same program for a whole, upright frame of `size`, to which its positions then refer.
  func covering(_ size: Size) -> PointProgram {
    PointProgram(
      instructions.map {
        switch $0 {
        case .cover(var cover):
          cover.aspect = Double(size.width) / Double(size.height)
          return .cover(cover)
        case .grain(var grain):
          grain.frame = size
          return .grain(grain)
        default: return $0
        }
      })
  }

  /// The same program with `change` applied to the placement of each instruction.
  func moved(_ change: (Placement) -> Placement) -> PointProgram {
    dependsOnPosition ? PointProgram(instructions.map { $0.moved(change) }) : self
  }

  /// The program that does the same in a crop of the image to `rectangle`; `size` is the size of
  /// the whole image.
  public func cropped(to rectangle: Rectangle, of size: Size) -> PointProgram {
    moved { $0.cropped(to: rectangle, of: size) }
  }

  /// The program that does the same after the image is turned clockwise.
  public func turned(_ quarters: Int) -> PointProgram { moved { $0.turned(quarters) } }
}

extension PointProgram.Instruction {
  /// The simplified instruction: a gain becomes channel curves, which can be merged into tables;
  /// nil if the instruction has no effect.
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
    case .tone(let curves):
      let simple = Self.simplified(curves)
      if simple.isEmpty { return nil }
      if case .linear = simple[0], simple.count == 1 { return .curve(simple[0]) }
      return .tone(simple)
    case .colour(let function): return function.isIdentity ? nil : self
    case .radial(let gain): return gain.strength == 0 ? nil : self
    case .falloff(let falloff): return falloff.factors == [0, 0, 0] ? nil : self
    case .fade(let gain, let offset): return gain == 1 && offset == 0 ? nil : self
    case .grain(let grain): return grain.amount == 0 ? nil : self
    case .hold, .lookup, .dither, .save, .layer, .blend, .multiply, .mix, .compose, .cover,
      .combine, .local, .dehaze, .tiles, .key:
      return self
    }
  }

  /// A single instruction equal to `self` followed by `next`; nil if there is none.
  fileprivate func folded(with next: Self) -> Self? {
    switch (self, next) {
    case (.channels(let r, let g, let b), .channels(let r2, let g2, let b2)):
      .channels(red: r + r2, green: g + g2, blue: b + b2)
    case (.tone(let first), .tone(let second)): .tone(first + second)
    // The same straight line for all channels also keeps the middle channel's place.
    case (.channels, .tone(let curves)): line.map { .tone([$0] + curves) }
    case (.tone(let curves), .channels): next.line.map { .tone(curves + [$0]) }
    case (.matrix(let first), .matrix(let second)): .matrix(second.after(first))
    case (.matrix(let first), .channels(let red, let green, let blue)):
      Self.gain(red, green, blue).map { .matrix($0.after(first)) }
    case (.channels(let red, let green, let blue), .matrix(let second)):
      Self.gain(red, green, blue).map { .matrix(second.after($0)) }
    case (.local(let first), .local(let second)): first.followed(by: second).map { .local($0) }
    default: nil
    }
  }

  /// The straight line that the instruction applies to all channels; nil if it does anything else.
  private var line: Curve? {
    guard case .channels(let red, let green, let blue) = self, red == green, red == blue,
      red.count == 1, case .linear = red[0]
    else { return nil }
    return red[0]
  }

  /// The diagonal matrix that equals the channels' curves; nil if the curves of a channel are not
  /// one straight line.
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

  /// Removes consecutive curves that cancel each other, merges straight lines, and removes
  /// identities.
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
