import PhotoRecipes
import Synchronization

/// A colour space for which phbatch itself writes an ICC profile: primaries, white and tone curve.
public struct StandardProfile: Sendable, Hashable {
  let description: String
  let primaries: Primaries
  /// The curve to linear light: `(g, a, b, c, d)` of an ICC parametric curve of type 3, or `g`
  /// alone.
  let tone: [Double]
  /// True if the space has one channel, brightness, and no colours.
  var isGrey = false

  private static let srgbTone = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]

  public static let srgb = StandardProfile(
    description: "sRGB", primaries: .srgb, tone: srgbTone)
  public static let displayP3 = StandardProfile(
    description: "Display P3", primaries: .displayP3, tone: srgbTone)
  public static let adobeRGB = StandardProfile(
    description: "Adobe RGB (1998) compatible", primaries: .adobeRGB, tone: [563.0 / 256])
  public static let proPhoto = StandardProfile(
    description: "ProPhoto RGB compatible", primaries: .proPhoto,
    tone: [1.8, 1, 0, 1.0 / 16, 1.0 / 32])

  /// The tone curve is from ITU-R BT.2020-2, table 4, with the exact constants.
  public static let rec2020 = StandardProfile(
    description: "Rec. 2020", primaries: .rec2020,
    tone: [
      1 / 0.45, 1 / 1.09929682680944, 0.09929682680944 / 1.09929682680944, 1 / 4.5,
      0.08124285829863,
    ])
  public static let grey = StandardProfile(
    description: "Grey with sRGB's curve", primaries: .srgb, tone: srgbTone, isGrey: true)

  /// The space in which phbatch passes colours with 16 bits to Little CMS.
  ///
  /// This space contains all colours that presses print. A larger space would be less exact,
  /// because the tables of profiles have a fixed number of points.
  static let handover = adobeRGB

  /// The matrix from XYZ relative to D50, the connection space of ICC profiles, to linear sRGB.
  static let srgbFromXYZ50 = srgb.xyz50FromRGB.inverse ?? .identity

  /// The matrix from linear RGB to XYZ adapted to D50.
  var xyz50FromRGB: ColourMatrix {
    let d50 = ColourMatrix.Vector(0.9642, 1, 0.8249)
    let white = Primaries.xyz(primaries.white)
    return Bradford.adaptation(from: white, to: d50).after(primaries.xyzFromRGB)
  }
}

extension StandardProfile {
  /// The profile as a file: version 4.3, class display.
  ///
  /// - Source: ICC.1:2010, sections 7 to 10.
  public var bytes: [UInt8] {
    if let known = Self.known.withLock({ $0[self] }) { return known }
    let bytes = encoded
    Self.known.withLock { known in
      if known.count >= Self.most { known = [:] }
      known[self] = bytes
    }
    return bytes
  }

  /// The maximum number of profiles whose bytes are kept, of about 600 bytes each.
  private static let most = 64
  private static let known = Mutex<[StandardProfile: [UInt8]]>([:])

  private var encoded: [UInt8] {
    let matrix = xyz50FromRGB
    let adaptation = Bradford.adaptation(
      from: Primaries.xyz(primaries.white), to: .init(0.9642, 1, 0.8249))
    func column(_ i: Int) -> [UInt8] { Self.xyz(matrix.rows.map { $0[i] }) }
    let curve = Self.curve(tone)
    let colorants = [
      ("rXYZ", column(0)), ("gXYZ", column(1)), ("bXYZ", column(2)), ("rTRC", curve),
      ("gTRC", curve), ("bTRC", curve),
    ]
    let tags: [(String, [UInt8])] =
      [
        ("desc", Self.text(description)), ("cprt", Self.text("No copyright, use freely")),
        ("wtpt", Self.xyz([0.9642, 1, 0.8249])),
        (
          "chad",
          Self.signature("sf32") + adaptation.rows.flatMap { Self.fixed([$0.x, $0.y, $0.z]) }
        ),
      ] + (isGrey ? [("kTRC", curve)] : colorants)
    var table = Self.word(tags.count)
    var data: [UInt8] = []
    var places: [[UInt8]: Int] = [:]
    let start = 128 + 4 + 12 * tags.count
    for (name, content) in tags {
      let offset = places[content] ?? start + data.count
      if places[content] == nil { data += content + Self.padding(content.count) }
      places[content] = offset
      table += Array(name.utf8) + Self.word(offset) + Self.word(content.count)
    }
    return Self.header(isGrey ? "GRAY" : "RGB ", size: start + data.count) + table + data
  }

  private static func header(_ space: String, size: Int) -> [UInt8] {
    var header = word(size) + [0, 0, 0, 0] + word(0x0430_0000)
    header += Array("mntr\(space)XYZ ".utf8)
    header += [0x07, 0xEA, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28) + fixed([0.9642, 1, 0.8249])
    return header + [UInt8](repeating: 0, count: 128 - header.count)
  }

  private static func signature(_ name: String) -> [UInt8] { Array(name.utf8) + [0, 0, 0, 0] }

  private static func word(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func fixed(_ values: [Double]) -> [UInt8] {
    values.flatMap { word(Int(($0 * 65_536).rounded())) }
  }

  private static func xyz(_ values: [Double]) -> [UInt8] { signature("XYZ ") + fixed(values) }

  private static func curve(_ tone: [Double]) -> [UInt8] {
    signature("para") + [0, tone.count == 1 ? 0 : 3, 0, 0] + fixed(tone)
  }

  private static func text(_ text: String) -> [UInt8] {
    let utf16 = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    return signature("mluc") + word(1) + word(12) + Array("enUS".utf8) + word(utf16.count)
      + word(28) + utf16
  }

  private static func padding(_ count: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: (4 - count % 4) % 4)
  }
}

extension StandardProfile {
  /// Creates a space with the primaries of `profile` and sRGB's curve; nil if the profile's curves
  /// are not linear.
  init?(encoding profile: ICCProfile) {
    guard case .matrix(let red, let green, let blue, let toSRGB) = profile,
      [red, green, blue].allSatisfy(Self.isLinear)
    else { return nil }
    let white = Primaries.xyz(Primaries.d65)
    let connection = Self.srgb.xyz50FromRGB.after(toSRGB)
    let matrix = Bradford.adaptation(from: .init(0.9642, 1, 0.8249), to: white).after(connection)
    func point(_ column: Int) -> SIMD2<Double> {
      let xyz = matrix.rows.map { $0[column] }
      return SIMD2(xyz[0], xyz[1]) / xyz.reduce(0, +)
    }
    self.init(
      description: "Linear primaries with sRGB's curve",
      primaries: Primaries(red: point(0), green: point(1), blue: point(2), white: Primaries.d65),
      tone: Self.srgb.tone)
  }

  private static func isLinear(_ curve: Curve) -> Bool {
    stride(from: 0.0, through: 1, by: 0.125).allSatisfy { abs(curve($0) - $0) < 0.0001 }
  }
}
