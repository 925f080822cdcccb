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
  private typealias Instruction = PointProgram.Instruction
  private typealias Vector = ColourMatrix.Vector

  private(set) var form = GreyForm.equal
  /// The forms of the saved pixels that no instruction has mixed yet.
  private var saved: [GreyForm] = []

  /// Follows an instruction.
  ///
  /// Returns true if a grey is certain to stay grey.
  mutating func follow(_ instruction: PointProgram.Instruction) -> Bool {
    switch instruction {
    case .channels(let red, let green, let blue):
      if form == .equal { return red == green && green == blue }
      return [green, blue].allSatisfy { abs($0.reduce(0) { $1($0) }) < GreyForm.tolerance }
    case .matrix(let matrix): return follow(matrix)
    case .colour(let function): return function.keepsGrey(form)
    case .key: return form == .lightness
    case .hold: return saved.popLast() == .lightness && form == .lightness
    case .dehaze(let haze): return form == .equal && haze.keepsGrey
    // These instructions change all channels equally, or in proportion to the luma.
    case .tone, .radial, .falloff, .grain, .local, .tiles, .dither: return form == .equal
    case .save: saved.append(form)
    case .blend: return form == .equal && saved.last == .equal
    case .multiply: return saved.popLast() == .equal && form == .equal
    case .mix(0, isMasked: false): form = saved.popLast() ?? form
    case .mix, .compose: return saved.popLast() == form
    case .cover, .combine, .fade: break
    case .layer: form = .equal
    case .lookup: return false
    }
    return true
  }

  private mutating func follow(_ matrix: ColourMatrix) -> Bool {
    let greys = matrix.rows.map { form == .equal ? $0.sum() : $0.x }
    let way = Vector(greys[0], greys[1], greys[2])
    if way.isGrey && matrix.offset.isGrey {
      form = .equal
    } else if way.isLightness && matrix.offset.isLightness {
      form = .lightness
    } else {
      return false
    }
    return true
  }
}
