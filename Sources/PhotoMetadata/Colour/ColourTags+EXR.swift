import PhotoRecipes

extension ColourTags {
  /// - Source: "OpenEXR File Layout", 2020, predefined attribute types; "Standard Attributes":
  ///   samples are linear light, and primaries those of sRGB where the file names none.
  mutating func read(_ file: EXRFile) {
    guard let value = file.value(of: "chromaticities", type: "chromaticities"), value.count == 32
    else { return }
    let numbers = stride(from: 0, to: 32, by: 4).compactMap { place in
      value.number(at: place, 4, .little).map { Double(Float(bitPattern: UInt32($0))) }
    }
    // Imaginary primaries may lie outside of all colours.
    guard numbers.allSatisfy({ abs($0) <= 4 }) else { return }
    let points = stride(from: 0, to: 8, by: 2).map { SIMD2(numbers[$0], numbers[$0 + 1]) }
    let named = Primaries(red: points[0], green: points[1], blue: points[2], white: points[3])
    guard named.white.y > 0.000_5, let inverse = named.xyzFromRGB.inverse,
      (named.xyzFromRGB.rows + inverse.rows).allSatisfy({ $0.max() < 1000 && $0.min() > -1000 })
    else { return }
    (primaries, gamma) = (named, 1)
  }
}
