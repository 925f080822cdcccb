public import Notation

/// The optical errors of a lens at one focal length, aperture and distance, as measured for the
/// lens database.
///
/// - Source: lensfun 0.3, `lensfun.h`: the models `poly3`, `poly5` and `ptlens` of distortion,
///   `linear` and `poly3` of lateral colour, and `pa` of vignetting.
public struct LensProfile: Sendable, Hashable {
  /// The distance r' from the centre in the photo, for a distance r in the corrected photo.
  public enum Distortion: Sendable, Hashable {
    /// r' = r (1 − k + k r²)
    case poly3(k: Double)
    /// r' = r (1 + k₁ r² + k₂ r⁴)
    case poly5(Double, Double)
    /// r' = r (a r³ + b r² + c r + 1 − a − b − c)
    case ptlens(a: Double, b: Double, c: Double)
  }

  /// The distance from the centre of one channel, relative to green at the distance r: v + c r + b
  /// r².
  public struct Fringe: Sendable, Hashable {
    public var v: Double
    public var c: Double
    public var b: Double

    public init(v: Double, c: Double = 0, b: Double = 0) { (self.v, self.c, self.b) = (v, c, b) }
  }

  /// The light at the distance r, as a fraction of that at the centre: 1 + k₁ r² + k₂ r⁴ + k₃ r⁶.
  public struct Vignetting: Sendable, Hashable {
    public var factors: SIMD3<Double>

    public init(_ factors: SIMD3<Double>) { self.factors = factors }
  }

  /// The names of the camera and of the lens in the database.
  public var camera: String
  public var lens: String
  /// The version of the database, such as `2022-02-20`; empty if it has none.
  public var database: String
  /// The diagonal of a 36 × 24 mm frame, divided by the diagonal of the camera's sensor.
  public var crop: Double
  /// True if the camera's sensor is not known, and `crop` is that of the sensor with which the lens
  /// was measured.
  public var isCropAssumed = false
  /// The same quotient for the sensor with which the lens was measured, and the aspect ratio of the
  /// photos that were measured.
  public var measuredCrop: Double
  public var measuredAspect: Double
  /// The distance of the optical axis from the centre of the photo as stored, in halves of the
  /// shorter edge.
  public var shift: SIMD2<Double>
  public var distortion: Distortion?
  public var red: Fringe?
  public var blue: Fringe?
  public var vignetting: Vignetting?

  public init(camera: String, lens: String, database: String, crop: Double) {
    self.camera = camera
    self.lens = lens
    self.database = database
    self.crop = crop
    measuredCrop = crop
    measuredAspect = 1.5
    shift = [0, 0]
  }

  /// The errors of the lens that the database knows, in words.
  public var known: [String] {
    [
      distortion == nil ? nil : "distortion", red == nil ? nil : "lateral colour",
      vignetting == nil ? nil : "vignetting",
    ].compactMap(\.self)
  }
}

extension LensProfile.Distortion {
  /// r' ÷ r as a polynomial of r: the coefficients of r⁰ to r⁴.
  var coefficients: [Double] {
    switch self {
    case .poly3(let k): [1 - k, 0, k, 0, 0]
    case .poly5(let first, let second): [1, 0, first, 0, second]
    case .ptlens(let a, let b, let c): [1 - a - b - c, c, b, a, 0]
    }
  }
}

extension LensProfile {
  public var json: JSON {
    var object = JSON.Object()
    object["camera"] = .string(camera)
    object["lens"] = .string(lens)
    object["database"] = .string(database)
    object["crop"] = .number(crop)
    if isCropAssumed { object["isCropAssumed"] = .bool(true) }
    object["measuredCrop"] = .number(measuredCrop)
    object["measuredAspect"] = .number(measuredAspect)
    if shift != [0, 0] { object["shift"] = Self.list([shift.x, shift.y]) }
    switch distortion {
    case nil: break
    case .poly3(let k): object["poly3"] = Self.list([k])
    case .poly5(let first, let second): object["poly5"] = Self.list([first, second])
    case .ptlens(let a, let b, let c): object["ptlens"] = Self.list([a, b, c])
    }
    object["red"] = red.map { Self.list([$0.v, $0.c, $0.b]) }
    object["blue"] = blue.map { Self.list([$0.v, $0.c, $0.b]) }
    object["vignetting"] = vignetting.map {
      Self.list([$0.factors.x, $0.factors.y, $0.factors.z])
    }
    return .object(object)
  }

  private static func list(_ numbers: [Double]) -> JSON { .array(numbers.map(JSON.number)) }

  /// Reads a profile; nil if a part is missing, or if a number is out of range.
  public init?(_ json: JSON) {
    guard let camera = json["camera"]?.string, let lens = json["lens"]?.string,
      let crop = json["crop"]?.number, let measuredCrop = json["measuredCrop"]?.number,
      let measuredAspect = json["measuredAspect"]?.number
    else { return nil }
    self.init(
      camera: camera, lens: lens, database: json["database"]?.string ?? "", crop: crop)
    isCropAssumed = json["isCropAssumed"]?.bool ?? false
    self.measuredCrop = measuredCrop
    self.measuredAspect = measuredAspect
    func numbers(_ name: String, _ count: Int) -> [Double]? {
      let numbers = json[name]?.array?.compactMap(\.number) ?? []
      return numbers.count == count ? numbers : nil
    }
    func fringe(_ name: String) -> Fringe? {
      numbers(name, 3).map { Fringe(v: $0[0], c: $0[1], b: $0[2]) }
    }
    if let shift = numbers("shift", 2) { self.shift = [shift[0], shift[1]] }
    if let k = numbers("poly3", 1) { distortion = .poly3(k: k[0]) }
    if let k = numbers("poly5", 2) { distortion = .poly5(k[0], k[1]) }
    if let k = numbers("ptlens", 3) { distortion = .ptlens(a: k[0], b: k[1], c: k[2]) }
    (red, blue) = (fringe("red"), fringe("blue"))
    vignetting = numbers("vignetting", 3).map { Vignetting([$0[0], $0[1], $0[2]]) }
    guard isSane else { return nil }
  }

  /// True if all numbers are in the range of real lenses, so that no formula overflows.
  public var isSane: Bool {
    let sensors = [crop, measuredCrop, measuredAspect]
    guard sensors.allSatisfy({ (0.05...50).contains($0) }) else { return false }
    let fringes = [red, blue].compactMap(\.self)
    guard fringes.allSatisfy({ (0.5...2).contains($0.v) }) else { return false }
    let others =
      [shift.x, shift.y] + (distortion?.coefficients ?? []) + fringes.flatMap { [$0.c, $0.b] }
      + (vignetting.map { [$0.factors.x, $0.factors.y, $0.factors.z] } ?? [])
    return others.allSatisfy { abs($0) <= 100 }
  }
}
