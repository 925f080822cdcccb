extension PointProgram {
  /// True if the program converts three equal channels to three equal channels.
  var keepsGrey: Bool {
    var path = GreyPath()
    return instructions.allSatisfy { path.follow($0) } && path.form == .equal
  }
}

/// Follows a grey pixel through the instructions of a program, and tracks how its channels
/// represent it: as three equal channels, or as a lightness with two channels of 0.
private struct GreyPath {
  enum Form: Hashable {
    /// Three equal channels.
    case equal
    /// The lightness and two channels of 0, as in OKLab.
    case lightness
  }

  private typealias Instruction = PointProgram.Instruction
  private typealias Vector = ColourMatrix.Vector

  private(set) var form = Form.equal
  /// The forms of the pixels that are saved and not yet mixed.
  private var saved: [Form] = []

  /// The tolerance of comparisons with 0 or between channels; such a difference is invisible at 16
  /// bits.
  private static let tolerance = 1e-6

  /// Follows an instruction.
  ///
  /// Returns true if a grey is certain to stay grey.
  mutating func follow(_ instruction: PointProgram.Instruction) -> Bool {
    switch instruction {
    case .channels(let red, let green, let blue):
      if form == .equal { return red == green && green == blue }
      return [green, blue].allSatisfy { abs($0.reduce(0) { $1($0) }) < Self.tolerance }
    case .matrix(let matrix): return follow(matrix)
    // The effect of these instructions depends on the chroma. A grey has chroma 0 and stays grey.
    case .vibrance, .saturate, .hues, .key: return form == .lightness
    case .hold: return saved.popLast() == .lightness && form == .lightness
    case .grade(let grade):
      return form == .equal
        && grade.samples.allSatisfy { Self.isEqual($0.gain) && Self.isEqual($0.offset) }
    case .dehaze(let haze): return form == .equal && Self.isEqual(haze.air)
    // These instructions change all channels equally, or in proportion to the luma.
    case .steps, .radial, .grain, .local, .tiles, .rolloff, .gamut, .dither: return form == .equal
    case .save: saved.append(form)
    case .blend: return form == .equal && saved.last == .equal
    case .mix(0, isMasked: false): form = saved.popLast() ?? form
    case .mix, .compose: return saved.popLast() == form
    case .cover, .combine, .fade: break
    case .layer: form = .equal
    case .cube, .lookup: return false
    }
    return true
  }

  private mutating func follow(_ matrix: ColourMatrix) -> Bool {
    let greys = matrix.rows.map { form == .equal ? $0.sum() : $0.x }
    let way = Vector(greys[0], greys[1], greys[2])
    if Self.isEqual(way) && Self.isEqual(matrix.offset) {
      form = .equal
    } else if Self.isLightness(way) && Self.isLightness(matrix.offset) {
      form = .lightness
    } else {
      return false
    }
    return true
  }

  private static func isEqual(_ vector: Vector) -> Bool {
    vector.max() - vector.min() < tolerance
  }

  private static func isLightness(_ vector: Vector) -> Bool {
    abs(vector.y) < tolerance && abs(vector.z) < tolerance
  }
}
