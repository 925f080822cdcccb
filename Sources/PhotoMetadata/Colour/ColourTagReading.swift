import FileStructure
import PhotoRecipes

extension ColourTags {
  /// Reads the chunks of colour information before the pixels.
  ///
  /// - Source: PNG Specification, 3rd edition, 11.3.2 and 11.3.2.6 (the order of precedence).
  mutating func read(_ file: PNGFile) {
    // The maximum luminance of the picture and of the mastering display; nil if unknown.
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
        // The chunk stores the exponent that converts light to samples, times 100,000; `gamma` is
        // the inverse of the exponent.
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

  /// A luminance in cd/m², stored in units of 0.0001 cd/m²; nil for 0.
  private static func luminance(_ cursor: inout ByteCursor) -> Double? {
    cursor.number(4).flatMap { $0 > 0 ? Double($0) / 10_000 : nil }
  }

  /// The white, red, green and blue points, each as x and y in units of 1/100,000.
  private static func primaries(_ cursor: inout ByteCursor) -> Primaries? {
    let numbers = (0..<8).compactMap { _ in cursor.number(4).map { Double($0) / 100_000 } }
    guard numbers.count == 8 else { return nil }
    let points = stride(from: 0, to: 8, by: 2).map { SIMD2(numbers[$0], numbers[$0 + 1]) }
    let isPossible = points.allSatisfy { $0.y > 0.000_5 && $0.x >= 0 && $0.x + $0.y <= 1 }
    let primaries = Primaries(red: points[1], green: points[2], blue: points[3], white: points[0])
    return isPossible && primaries.xyzFromRGB.inverse != nil ? primaries : nil
  }
}

extension ColourTags {
  /// Reads the primaries, and sets `gamma` to 1, because samples of OpenEXR are linear light.
  ///
  /// - Source: "OpenEXR File Layout", 2020, predefined attribute types; "Standard Attributes":
  ///   samples are linear light, and the primaries of sRGB apply if the file names none.
  mutating func read(_ file: EXRFile) {
    guard let value = file.value(of: "chromaticities", type: "chromaticities"), value.count == 32
    else { return }
    let numbers = stride(from: 0, to: 32, by: 4).compactMap { place in
      value.number(at: place, 4, .little).map { Double(Float(bitPattern: UInt32($0))) }
    }
    // Primaries may be outside the visible colours, but coordinates beyond ±4 are damaged.
    guard numbers.allSatisfy({ abs($0) <= 4 }) else { return }
    let points = stride(from: 0, to: 8, by: 2).map { SIMD2(numbers[$0], numbers[$0 + 1]) }
    let named = Primaries(red: points[0], green: points[1], blue: points[2], white: points[3])
    guard named.white.y > 0.000_5, let inverse = named.xyzFromRGB.inverse,
      (named.xyzFromRGB.rows + inverse.rows).allSatisfy({ $0.max() < 1000 && $0.min() > -1000 })
    else { return }
    (primaries, gamma) = (named, 1)
  }
}

extension ColourTags {
  /// Reads the properties of the primary picture, or of its first tile.
  ///
  /// - Source: ISO/IEC 14496-12:2022, 12.1.5 (colr), 12.1.6 (clli, mdcv); ISO/IEC 23008-12:2022,
  ///   6.5.5: a tile's colours apply to a grid without colours.
  mutating func read(_ file: HEIFFile) {
    guard let primary = file.primary else { return }
    codePoints = file.codePoints(of: primary)
    if var cursor = file.property("clli", of: primary) {
      peak = cursor.number(2).flatMap { $0 > 0 ? Double($0) : nil }
    }
    if peak == nil, var cursor = file.property("mdcv", of: primary) {
      cursor.offset = 16
      peak = cursor.number(4).flatMap { $0 > 0 ? Double($0) / 10_000 : nil }
    }
    hasLimitedGrey = file.isMonochrome(primary) && file.isLimited(primary)
    hasLimitedAlpha = file.alpha(of: primary).map(file.isLimited) ?? false
  }
}

extension HEIFFile {
  /// The content of a picture's first property of this name that satisfies `fits`.
  ///
  /// If the picture has none, its first tile is searched.
  fileprivate func property(
    _ name: String, of item: Int, where fits: (ByteCursor) -> Bool = { _ in true }
  ) -> ByteCursor? {
    let tile = references(from: item, "dimg").first.map { properties(of: $0) } ?? []
    return (properties(of: item) + tile).lazy.filter { $0.name == name }.map {
      ByteCursor(source.bytes(at: $0.content.lowerBound, min(64, $0.content.count)))
    }.first(where: fits)
  }

  func codePoints(of item: Int) -> CodePoints? {
    guard var cursor = property("colr", of: item, where: { $0.bytes.name(at: 0) == "nclx" }) else {
      return nil
    }
    cursor.offset = 4
    guard let primaries = cursor.number(2), let transfer = cursor.number(2),
      let matrix = cursor.number(2), let range = cursor.number(1)
    else { return nil }
    return CodePoints(
      primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range >> 7 == 1)
  }

  /// True if an AV1 picture is grey.
  fileprivate func isMonochrome(_ item: Int) -> Bool { sequence(of: item)?.isMonochrome ?? false }

  /// True if the samples of an AV1 picture have the limited range.
  ///
  /// If container and stream state different ranges, the container takes precedence.
  fileprivate func isLimited(_ item: Int) -> Bool {
    guard let sequence = sequence(of: item) else { return false }
    return !(codePoints(of: item)?.isFullRange ?? sequence.isFullRange)
  }

  /// The identifier of a picture's alpha item; nil if the picture has no alpha.
  fileprivate func alpha(of item: Int) -> Int? {
    references.filter { $0.kind == "auxl" && $0.targets.contains(item) }.map(\.item).first {
      property("auxC", of: $0).map { cursor in
        var cursor = cursor
        cursor.offset = 4
        return cursor.text()?.hasSuffix(":alpha") ?? false
      } ?? false
    }
  }
}
