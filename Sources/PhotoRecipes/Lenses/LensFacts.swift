public import Notation

/// The facts about a photo by which the lens database is searched.
public struct LensFacts: Sendable, Hashable {
  /// The maker and the model of the camera, as its photos name them; empty if unknown.
  public var maker = ""
  public var camera = ""
  /// The name of the lens; empty if unknown, as in photos of cameras with a fixed lens.
  public var lens = ""
  /// The focal length in millimetres; nil if unknown.
  public var focalLength: Double?
  /// The f-number; nil if unknown.
  public var aperture: Double?
  /// The distance of the subject in metres; nil if unknown.
  public var distance: Double?
  /// The focal length with the same field of view on a 36 × 24 mm frame; nil if unknown.
  public var equivalent: Double?
  /// True if a user wrote the name of the camera or of the lens, so that it may be incomplete.
  public var isWritten = false

  public init() {}

  /// The name of the camera, with the maker if the model does not contain it.
  public var cameraName: String {
    let brand = maker.split(separator: " ").first.map { $0.lowercased() } ?? ""
    let contains = brand.isEmpty || camera.lowercased().contains(brand)
    return contains ? camera : camera.isEmpty ? maker : "\(maker) \(camera)"
  }
}

extension LensFacts {
  private static let texts: KeyValuePairs<String, any WritableKeyPath<Self, String> & Sendable> = [
    "maker": \.maker, "camera": \.camera, "lens": \.lens,
  ]
  private static let numbers: KeyValuePairs<String, any WritableKeyPath<Self, Double?> & Sendable> =
    [
      "focalLength": \.focalLength, "aperture": \.aperture, "distance": \.distance,
      "equivalent": \.equivalent,
    ]

  public var json: JSON {
    var object = JSON.Object()
    for (name, path) in Self.texts where !self[keyPath: path].isEmpty {
      object[name] = .string(self[keyPath: path])
    }
    for (name, path) in Self.numbers { object[name] = self[keyPath: path].map(JSON.number) }
    if isWritten { object["isWritten"] = .bool(true) }
    return .object(object)
  }

  public init(_ json: JSON) {
    for (name, path) in Self.texts { self[keyPath: path] = json[name]?.string ?? "" }
    for (name, path) in Self.numbers {
      self[keyPath: path] = json[name]?.number.flatMap { $0 > 0 && $0 < 1e6 ? $0 : nil }
    }
    isWritten = json["isWritten"]?.bool ?? false
  }
}

/// The lens of a photo as the database knows it, with the facts by which it was found.
public struct FoundLens: Sendable, Hashable {
  public var facts: LensFacts
  public var profile: LensProfile

  public init(_ facts: LensFacts, _ profile: LensProfile) {
    (self.facts, self.profile) = (facts, profile)
  }

  public var json: JSON {
    .object(["facts": facts.json, "profile": profile.json])
  }

  /// Reads the lens from its JSON form; nil if its profile is invalid.
  public init?(_ json: JSON) {
    guard let profile = json["profile"].flatMap({ LensProfile($0) }) else { return nil }
    self.init(json["facts"].map { LensFacts($0) } ?? LensFacts(), profile)
  }
}
