import PhotoRecipes

extension ColourTags {
  /// - Source: PNG Specification, 3rd edition, 11.3.2 and 11.3.2.6 (the order of precedence).
  mutating func read(_ file: PNGFile) {
    // The lightest of what is shown, and of what the screen could show; 0 is unknown.
    var (light, screen): (Double?, Double?)
    for chunk in file.chunks.prefix(while: { $0.name != "IDAT" }) where chunk.length <= 64 {
      var cursor = ByteCursor(file.source.bytes(at: chunk.data, chunk.length))
      switch chunk.name {
      case "cICP":
        if let primaries = cursor.number(1), let transfer = cursor.number(1),
          let matrix = cursor.number(1), let range = cursor.number(1)
        {
          codePoints = CodePoints(
            primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range == 1)
          outranksProfile = true
        }
      case "sRGB": isSRGB = true
      case "gAMA":
        // Samples are light to the power of it.
        if let number = cursor.number(4), (1_000...1_000_000).contains(number) {
          gamma = 100_000 / Double(number)
        }
      case "cHRM": primaries = Self.primaries(&cursor)
      case "cLLI": light = Self.luminance(&cursor)
      case "mDCV":
        cursor.offset = 16
        screen = Self.luminance(&cursor)
      default: continue
      }
    }
    peak = light ?? screen
  }

  /// Candelas a square metre, from units of 0.0001; nil for 0.
  private static func luminance(_ cursor: inout ByteCursor) -> Double? {
    cursor.number(4).flatMap { $0 > 0 ? Double($0) / 10_000 : nil }
  }

  /// White, red, green and blue, each x and y in units of 1/100,000.
  private static func primaries(_ cursor: inout ByteCursor) -> Primaries? {
    let numbers = (0..<8).compactMap { _ in cursor.number(4).map { Double($0) / 100_000 } }
    guard numbers.count == 8 else { return nil }
    let points = stride(from: 0, to: 8, by: 2).map { SIMD2(numbers[$0], numbers[$0 + 1]) }
    let isPossible = points.allSatisfy { $0.y > 0.000_5 && $0.x >= 0 && $0.x + $0.y <= 1 }
    let primaries = Primaries(red: points[1], green: points[2], blue: points[3], white: points[0])
    return isPossible && primaries.xyzFromRGB.inverse != nil ? primaries : nil
  }
}
