extension PointProgram {
  /// True if the result is certain to have three equal channels.
  ///
  /// `isGrey` is true if the input has three equal channels, and `layers` is true if all images that
  /// the program reads have.
  func makesGrey(of isGrey: Bool, layers: Bool) -> Bool {
    var path = GreyPath(form: isGrey ? .equal : nil, layers: layers ? .equal : nil)
    for instruction in instructions { path.follow(instruction) }
    return path.form == .equal
  }
}

/// Follows a pixel through the instructions of a program, and tracks whether it is certain to be
/// grey, and how its channels represent the grey: as three equal channels, or as a lightness with
/// two channels of 0.
private struct GreyPath {
  private typealias Vector = ColourMatrix.Vector

  /// The pixel's form; nil if it may have a colour.
  private(set) var form: GreyForm?
  /// The form of the images that the program reads.
  private let layers: GreyForm?
  /// The forms of the saved pixels that no instruction has mixed yet.
  private var saved: [GreyForm?] = []

  init(form: GreyForm?, layers: GreyForm?) {
    (self.form, self.layers) = (form, layers)
  }

  mutating func follow(_ instruction: PointProgram.Instruction) {
    switch instruction {
    case .channels(let red, let green, let blue):
      switch form {
      case .equal: keep(if: red == green && green == blue)
      case .lightness:
        keep(
          if: [green, blue].allSatisfy { abs($0.reduce(0) { $1($0) }) < GreyForm.tolerance })
      case nil: break
      }
    case .matrix(let matrix): follow(matrix)
    case .colour(let function): keep(if: form.map(function.keepsGrey) ?? false)
    case .key: keep(if: form == .lightness)
    case .hold: keep(if: takeSaved() == .lightness && form == .lightness)
    case .dehaze(let haze): keep(if: form == .equal && haze.keepsGrey)
    // These instructions change all channels equally, or in proportion to the luma.
    case .tone, .radial, .falloff, .grain, .local, .tiles, .dither: keep(if: form == .equal)
    case .save: saved.append(form)
    case .blend: keep(if: form == .equal && saved.last == .some(.equal))
    case .multiply: keep(if: takeSaved() == .equal && form == .equal)
    case .mix(0, isMasked: false): form = takeSaved()
    case .mix, .compose: keep(if: takeSaved() == form)
    case .cover, .combine, .fade: break
    case .layer: form = layers
    case .lookup: form = nil
    }
  }

  private mutating func keep(if isKept: Bool) { if !isKept { form = nil } }

  private mutating func takeSaved() -> GreyForm? { saved.popLast() ?? nil }

  private mutating func follow(_ matrix: ColourMatrix) {
    let rows = matrix.rows
    /// The parts of the result that vary with the pixel independently of each other.
    let ways: [Vector] =
      switch form {
      case .equal: [Vector(rows[0].sum(), rows[1].sum(), rows[2].sum())]
      case .lightness: [Vector(rows[0].x, rows[1].x, rows[2].x)]
      case nil: (0..<3).map { Vector(rows[0][$0], rows[1][$0], rows[2][$0]) }
      }
    let parts = ways + [matrix.offset]
    form =
      parts.allSatisfy(\.isGrey) ? .equal : parts.allSatisfy(\.isLightness) ? .lightness : nil
  }
}
