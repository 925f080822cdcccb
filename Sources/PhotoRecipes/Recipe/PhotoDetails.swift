public import Notation

/// The facts in a photo's metadata about how, when and where it was taken, and its descriptions.
public struct PhotoDetails: Sendable, Hashable {
  /// Make and model, the make once.
  public var camera: String?
  public var lens: String?
  /// ISO.
  public var sensitivity: Double?
  /// The f-number.
  public var aperture: Double?
  /// Seconds.
  public var exposureTime: Double?
  /// Millimetres.
  public var focalLength: Double?
  /// -1 (rejected) to 5 stars.
  public var rating: Double?
  public var label: String?
  public var keywords: [String] = []
  public var hasPosition = false
  /// `yyyy-MM-ddTHH:mm:ss`, in the camera's time.
  public var date: String?
  public var title: String?
  public var description: String?
  public var creator: String?
  public var copyright: String?

  public init() {}

  /// The details with those of another that it lacks.
  public func merged(with other: PhotoDetails) -> PhotoDetails {
    var result = self
    result.camera = camera ?? other.camera
    result.lens = lens ?? other.lens
    result.sensitivity = sensitivity ?? other.sensitivity
    result.aperture = aperture ?? other.aperture
    result.exposureTime = exposureTime ?? other.exposureTime
    result.focalLength = focalLength ?? other.focalLength
    result.rating = rating ?? other.rating
    result.label = label ?? other.label
    result.keywords = keywords.isEmpty ? other.keywords : keywords
    result.hasPosition = hasPosition || other.hasPosition
    result.date = date ?? other.date
    result.title = title ?? other.title
    result.description = description ?? other.description
    result.creator = creator ?? other.creator
    result.copyright = copyright ?? other.copyright
    return result
  }

  /// The values of the placeholders of texts; unknown ones are left out.
  public var texts: [String: String] {
    var texts: [String: String] = [:]
    texts["camera"] = camera
    texts["lens"] = lens
    texts["iso"] = sensitivity.map(\.brief)
    texts["rating"] = rating.map(\.brief)
    texts["keywords"] = keywords.isEmpty ? nil : keywords.joined(separator: ", ")
    texts["date"] = date
    texts["title"] = title ?? description
    texts["artist"] = creator
    texts["creator"] = creator
    texts["copyright"] = copyright
    return texts
  }
}

extension PhotoDetails {
  private static let names: KeyValuePairs<String, any WritableKeyPath<Self, String?> & Sendable> = [
    "camera": \.camera, "lens": \.lens, "label": \.label, "date": \.date, "title": \.title,
    "description": \.description, "creator": \.creator, "copyright": \.copyright,
  ]

  private static let numbers: KeyValuePairs<String, any WritableKeyPath<Self, Double?> & Sendable> =
    [
      "iso": \.sensitivity, "aperture": \.aperture, "exposureTime": \.exposureTime,
      "focalLength": \.focalLength, "rating": \.rating,
    ]

  /// As a worker reports them.
  public var json: JSON {
    var object = JSON.Object()
    for (name, path) in Self.names { object[name] = self[keyPath: path].map(JSON.string) }
    for (name, path) in Self.numbers { object[name] = self[keyPath: path].map(JSON.number) }
    if !keywords.isEmpty { object["keywords"] = .array(keywords.map(JSON.string)) }
    if hasPosition { object["gps"] = .bool(true) }
    return .object(object)
  }

  public init(_ json: JSON) {
    for (name, path) in Self.names { self[keyPath: path] = json[name]?.string }
    for (name, path) in Self.numbers { self[keyPath: path] = json[name]?.number }
    keywords = json["keywords"]?.array?.compactMap(\.string) ?? []
    hasPosition = json["gps"]?.bool ?? false
  }
}
