import PhotoMetadata
public import PhotoRecipes

/// The kind of an ICC profile, with its conversion to sRGB if the conversion consists of tone
/// curves and a matrix.
///
/// - Source: ICC.1:2022.
public enum ICCProfile: Sendable, Hashable {
  /// Three tone curves to linear light, and a matrix from linear light to linear sRGB.
  case matrix(red: Curve, green: Curve, blue: Curve, toSRGB: ColourMatrix)
  /// One tone curve to linear light.
  case grey(Curve)
  /// A profile with tables or with another colour model; Little CMS converts its colours.
  ///
  /// `isRelative` is false if there are tables only for the perceptual intent, not for the relative
  /// colorimetric intent.
  case table(space: String, isRelative: Bool)
}

extension ICCProfile {
  /// Reads a profile; nil if the bytes are not a profile, or the profile has no usable colours.
  public init?(_ bytes: [UInt8]) {
    guard let reader = ICCReader(bytes) else { return nil }
    let space = reader.signature(at: 16)
    let tables = ["A2B0", "A2B1", "D2B0"].contains { reader.tag($0) != nil }
    let connection = reader.signature(at: 20)
    if space == "GRAY", !tables, let curve = reader.curve("kTRC") {
      self = .grey(curve)
    } else if space == "RGB ", !tables, connection == "XYZ ", let matrix = reader.matrix,
      let red = reader.curve("rTRC"), let green = reader.curve("gTRC"),
      let blue = reader.curve("bTRC")
    {
      let toSRGB = StandardProfile.srgbFromXYZ50.after(matrix)
      self = .matrix(red: red, green: green, blue: blue, toSRGB: toSRGB)
    } else if space == "RGB ", !tables, reader.matrix == nil {
      // A matrix without an inverse maps all colours to a plane or a line, so the profile is
      // unusable.
      return nil
    } else {
      let isRelative = !tables || ["A2B1", "D2B1"].contains { reader.tag($0) != nil }
      self = .table(space: space, isRelative: isRelative)
    }
  }

  /// The device profile with tables from colours to device values (`B2A0`); nil if the profile has
  /// none or its colour model is unsupported.
  static func device(_ bytes: [UInt8]) -> DeviceProfile? {
    guard let reader = ICCReader(bytes), reader.tag("B2A0") != nil,
      let model = DeviceProfile.Model(rawValue: reader.signature(at: 16))
    else { return nil }
    return DeviceProfile(model: model, bytes: bytes)
  }

  /// True if photos with this profile may be treated as sRGB, or as greys of sRGB.
  ///
  /// Then converting colours to sRGB changes no channel by more than 1/1000 of the range.
  public var isSRGB: Bool {
    let levels = (0...8).map { Double($0) / 8 }
    if case .grey(let curve) = self {
      return levels.allSatisfy { abs(Curve.encode(curve($0)) - $0) < 0.001 }
    }
    guard case .matrix(let red, let green, let blue, let matrix) = self else { return false }
    // The linear values that sRGB encodes with an error below 0.001.
    let allowed = levels.map { (Curve.decode($0 - 0.001), Curve.decode($0 + 0.001)) }
    func isAllowed(_ value: Double, _ level: Int) -> Bool {
      value > allowed[level].0 && value < allowed[level].1
    }
    let reds = levels.map { red($0) }
    let greens = levels.map { green($0) }
    let blues = levels.map { blue($0) }
    for r in levels.indices {
      for g in levels.indices {
        for b in levels.indices {
          let linear = matrix(.init(reds[r], greens[g], blues[b]))
          guard isAllowed(linear.x, r), isAllowed(linear.y, g), isAllowed(linear.z, b) else {
            return false
          }
        }
      }
    }
    return true
  }

  /// The instructions from this profile's values to display-encoded sRGB; nil if the profile has
  /// tables.
  public var toSRGB: [PointProgram.Instruction]? {
    switch self {
    case .matrix(let red, let green, let blue, let matrix):
      isSRGB
        ? []
        : [
          .channels(red: [red], green: [green], blue: [blue]), .matrix(matrix), .curve(.encode),
        ]
    case .grey(let curve): isSRGB ? [] : [.curve(curve), .curve(.encode)]
    case .table: nil
    }
  }

  /// The instructions from display-encoded sRGB to this profile's values; a grey profile gives the
  /// same value in all channels.
  ///
  /// Nil if the profile has tables or cannot be inverted.
  public var fromSRGB: [PointProgram.Instruction]? {
    if case .grey(let curve) = self {
      return curve.inverse.map { [.curve(.decode), .matrix(Self.brightness), .curve($0)] }
    }
    guard case .matrix(let red, let green, let blue, let matrix) = self else { return nil }
    if isSRGB { return [] }
    guard let inverse = matrix.inverse, let r = red.inverse, let g = green.inverse,
      let b = blue.inverse
    else { return nil }
    return [.curve(.decode), .matrix(inverse), .channels(red: [r], green: [g], blue: [b])]
  }
}

extension ICCProfile {
  /// The matrix that replaces each channel of linear sRGB by the brightness of the colour: Y
  /// relative to D50, the white of ICC's connection space.
  static let brightness: ColourMatrix = {
    let weights = StandardProfile.srgb.xyz50FromRGB.rows[1]
    return ColourMatrix(weights, weights, weights)
  }()

  /// The code points in a profile; nil if the profile has none.
  ///
  /// - Source: ICC.1:2022, 9.2.17 (cicp); libjxl 0.7, which writes them into the description, as in
  ///   `RGB_D65_202_Rel_PeQ`.
  static func codePoints(_ bytes: [UInt8]) -> CodePoints? {
    guard let reader = ICCReader(bytes) else { return nil }
    if let points = reader.codePoints { return points }
    let parts = reader.description.split(separator: "_")
    guard parts.count == 5, parts[0] == "RGB", parts[1] == "D65",
      let primaries = ["SRG": 1, "202": 9, "DCI": 12][parts[2]],
      let transfer = ["PeQ": 16, "HLG": 18][parts[4]]
    else { return nil }
    return CodePoints(primaries: primaries, transfer: transfer)
  }

  /// The name of a profile, from its own description; empty if it has none.
  static func description(_ bytes: [UInt8]) -> String { ICCReader(bytes)?.description ?? "" }
}

/// An ICC profile to which Little CMS converts colours.
///
/// The profile describes either a colour space or a device, such as a press. The profile of a
/// device has tables that compute device values from colours.
///
/// - Source: ICC.1:2022, 8.3 to 8.5, table 19.
public struct DeviceProfile: Sendable, Hashable {
  /// The device's colour model, by its signature in ICC profiles.
  public enum Model: String, Sendable, Hashable {
    case rgb = "RGB "
    case cmyk = "CMYK"
    case grey = "GRAY"

    var bands: Int {
      switch self {
      case .rgb: 3
      case .cmyk: 4
      case .grey: 1
      }
    }
  }

  public let model: Model
  public let bytes: [UInt8]

  /// The rendering intent that the profile uses for `wanted`.
  ///
  /// A profile without tables for an intent uses those of the perceptual intent. Profiles of
  /// scanners often have no others, and Little CMS does not choose them by itself.
  ///
  /// - Source: ICC.1:2010, 8.10.2.
  func intent(for wanted: RenderingIntent) -> RenderingIntent {
    let table =
      switch wanted {
      case .perceptual: "B2A0"
      case .relative, .absolute: "B2A1"
      case .saturation: "B2A2"
      }
    guard let reader = ICCReader(bytes) else { return wanted }
    let curves = model == .rgb ? ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"] : ["kTRC"]
    let isWhole = model != .cmyk && curves.allSatisfy { reader.tag($0) != nil }
    return isWhole || reader.tag(table) != nil ? wanted : .perceptual
  }
}

extension DeviceProfile: CustomStringConvertible {
  public var description: String {
    "\(model)".uppercased() + " profile '\(ICCProfile.description(bytes))', \(bytes.count) bytes"
  }
}

/// Reads the header, the tag table and the simple tags of a profile; never reads outside the
/// profile.
private struct ICCReader {
  private let bytes: [UInt8]
  private var tags: [String: Range<Int>] = [:]

  /// Reads the tag table as Little CMS does.
  ///
  /// Tags that are empty or outside the profile are left out. If several tags have the same name,
  /// the first is used.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard bytes.count >= 132, signature(at: 36) == "acsp", let count = word(128), count <= 100,
      let stated = word(0), 132 + 12 * Int(count) <= bytes.count
    else { return nil }
    let end = min(Int(stated), bytes.count)
    for index in 0..<Int(count) {
      let entry = 132 + 12 * index
      guard let offset = word(entry + 4), let size = word(entry + 8), offset > 0, size > 0,
        Int(offset) + Int(size) <= end
      else { continue }
      let name = signature(at: entry)
      if tags[name] == nil { tags[name] = Int(offset)..<Int(offset) + Int(size) }
    }
  }

  func tag(_ name: String) -> Range<Int>? { tags[name] }

  func signature(at offset: Int) -> String {
    guard offset + 4 <= bytes.count else { return "" }
    return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  private func word(_ offset: Int) -> UInt32? {
    guard offset >= 0, offset + 4 <= bytes.count else { return nil }
    return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func half(_ offset: Int) -> Double? {
    guard offset >= 0, offset + 2 <= bytes.count else { return nil }
    return Double(UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1]))
  }

  /// Reads a number in ICC's s15Fixed16Number format; nil if it is outside the profile.
  private func fixed(_ offset: Int) -> Double? {
    word(offset).map { Double(Int32(bitPattern: $0)) / 65_536 }
  }

  var codePoints: CodePoints? {
    guard let tag = tags["cicp"], tag.count >= 12 else { return nil }
    let numbers = bytes[(tag.lowerBound + 8)..<(tag.lowerBound + 12)].map { Int($0) }
    return CodePoints(
      primaries: numbers[0], transfer: numbers[1], matrix: numbers[2],
      isFullRange: numbers[3] == 1)
  }

  /// The profile's description: in version 4 the first of several texts, in version 2 the ASCII
  /// text.
  var description: String {
    guard let tag = tags["desc"], tag.count >= 12 else { return "" }
    let start = tag.lowerBound
    if signature(at: start) == "desc", let count = word(start + 8), Int(count) <= tag.count - 12 {
      let text = bytes[(start + 12)..<(start + 12 + Int(count))].prefix { $0 != 0 }
      return String(decoding: text, as: UTF8.self)
    }
    guard signature(at: start) == "mluc", let length = word(start + 20),
      let offset = word(start + 24), Int(offset) + Int(length) <= tag.count
    else { return "" }
    let first = start + Int(offset)
    let units = stride(from: first, to: first + Int(length) - 1, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }

  var matrix: ColourMatrix? {
    guard let r = xyz("rXYZ"), let g = xyz("gXYZ"), let b = xyz("bXYZ") else { return nil }
    let matrix = ColourMatrix(.init(r.x, g.x, b.x), .init(r.y, g.y, b.y), .init(r.z, g.z, b.z))
    return matrix.inverse == nil ? nil : matrix
  }

  /// The type signatures of XYZ values and of sampled curves.
  ///
  /// Each set also has a wrong signature, which programs by Corbis (XYZ values) and Monaco (curves)
  /// write; Little CMS accepts it, too.
  private enum TagType {
    static let xyz: Set<UInt32> = [0x5859_5A20, 0x17A5_05B8]
    static let samples: Set<UInt32> = [0x6375_7276, 0x9478_EE00]
  }

  private func xyz(_ name: String) -> ColourMatrix.Vector? {
    guard let tag = tags[name], tag.count >= 8,
      word(tag.lowerBound).map(TagType.xyz.contains) ?? false,
      let x = fixed(tag.lowerBound + 8), let y = fixed(tag.lowerBound + 12),
      let z = fixed(tag.lowerBound + 16)
    else { return nil }
    return .init(x, y, z)
  }

  func curve(_ name: String) -> Curve? {
    guard let tag = tags[name], tag.count >= 12 else { return nil }
    if word(tag.lowerBound).map(TagType.samples.contains) ?? false { return samples(tag) }
    return signature(at: tag.lowerBound) == "para" ? parametric(tag) : nil
  }

  private func samples(_ tag: Range<Int>) -> Curve? {
    let start = tag.lowerBound + 12
    guard let count = word(tag.lowerBound + 8), count <= 65_536,
      start + 2 * Int(count) <= tag.upperBound
    else { return nil }
    if count == 0 { return .linear(slope: 1, offset: 0) }
    if count == 1 { return half(start).map { .power($0 / 256) } }
    let values = (0..<Int(count)).compactMap { half(start + 2 * $0) }.map { $0 / 65_535 }
    return zip(values, values.dropFirst()).allSatisfy { $0 <= $1 } ? .sampled(values) : nil
  }

  private func parametric(_ tag: Range<Int>) -> Curve? {
    let counts = [1, 3, 4, 5, 7]
    guard let kind = half(tag.lowerBound + 8).map({ Int($0) }), counts.indices.contains(kind)
    else { return nil }
    let p = (0..<counts[kind]).compactMap { index -> Double? in
      let offset = tag.lowerBound + 12 + 4 * index
      return offset + 4 <= tag.upperBound ? fixed(offset) : nil
    }
    guard p.count == counts[kind], p[0] > 0 else { return nil }
    if kind == 0 { return .power(p[0]) }
    guard p[1] > 0 else { return nil }
    let zero = -p[2] / p[1]
    return switch kind {
    case 1: .parametric(g: p[0], a: p[1], b: p[2], c: 0, d: zero, e: 0, f: 0)
    case 2: .parametric(g: p[0], a: p[1], b: p[2], c: 0, d: zero, e: p[3], f: p[3])
    case 3: .parametric(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: 0, f: 0)
    default: .parametric(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: p[5], f: p[6])
    }
  }
}
