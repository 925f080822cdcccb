public import Notation

/// Facts from a photo's metadata: how, when and where it was taken, and its descriptions.
public struct PhotoDetails: Sendable, Hashable {
  /// The camera's make and model; a make that the model already contains is not repeated.
  public var camera: String?
  public var lens: String?
  /// The ISO sensitivity.
  public var sensitivity: Double?
  /// The f-number.
  public var aperture: Double?
  /// The exposure time in seconds.
  public var exposureTime: Double?
  /// The focal length in millimetres.
  public var focalLength: Double?
  /// The rating, from −1 (rejected) to 5 stars.
  public var rating: Double?
  public var label: String?
  public var keywords: [String] = []
  public var hasPosition = false
  /// The capture time as `yyyy-MM-ddTHH:mm:ss`, in the camera's time.
  public var date: String?
  public var title: String?
  public var description: String?
  public var creator: String?
  public var copyright: String?
  /// The duration of a film in seconds.
  public var duration: Double?
  /// The mean number of frames per second of a film.
  public var frameRate: Double?
  /// The codec of a film's picture, such as `h264`.
  public var codec: String?

  public init() {}

  /// The details, with missing ones taken from `other`.
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
    result.duration = duration ?? other.duration
    result.frameRate = frameRate ?? other.frameRate
    result.codec = codec ?? other.codec
    return result
  }

  /// The values of placeholders in texts; unknown values are omitted.
  public var texts: [String: String] {
    var texts: [String: String] = [:]
    texts["camera"] = camera
    texts["lens"] = lens
    texts["iso"] = sensitivity.map(\.brief)
    texts["sensitivity"] = sensitivity.map { "ISO \($0.brief)" }
    texts["aperture"] = aperture.flatMap(Self.aperture)
    texts["shutter"] = exposureTime.flatMap(Self.shutter)
    texts["focalLength"] = focalLength.flatMap { $0 > 0 ? "\(Self.rounded($0, 10).brief) mm" : nil }
    texts["rating"] = rating.map(\.brief)
    texts["keywords"] = keywords.isEmpty ? nil : keywords.joined(separator: ", ")
    texts["date"] = date
    texts["title"] = title ?? description
    texts["description"] = description
    texts["artist"] = creator
    texts["creator"] = creator
    texts["copyright"] = copyright
    return texts
  }
}

extension PhotoDetails {
  /// The f-number as text, such as `f/2.8`, with two decimals below 1; nil if the lens does not
  /// report it.
  private static func aperture(_ number: Double) -> String? {
    number > 0 ? "f/\(rounded(number, number < 1 ? 100 : 10).brief)" : nil
  }

  /// The exposure time as cameras show it: `1/250 s`, or in seconds from about 0.3 s on; nil if it
  /// is unknown.
  private static func shutter(_ seconds: Double) -> String? {
    guard seconds > 0, seconds.isFinite else { return nil }
    if seconds < 0.29 { return "1/\(rounded(1 / seconds, 1).brief) s" }
    return "\(rounded(seconds, 10).brief) s"
  }

  private static func rounded(_ number: Double, _ steps: Double) -> Double {
    (number * steps).rounded() / steps
  }
}

extension PhotoDetails {
  private static let names: KeyValuePairs<String, any WritableKeyPath<Self, String?> & Sendable> = [
    "camera": \.camera, "lens": \.lens, "label": \.label, "date": \.date, "title": \.title,
    "description": \.description, "creator": \.creator, "copyright": \.copyright,
    "codec": \.codec,
  ]

  private static let numbers: KeyValuePairs<String, any WritableKeyPath<Self, Double?> & Sendable> =
    [
      "iso": \.sensitivity, "aperture": \.aperture, "exposureTime": \.exposureTime,
      "focalLength": \.focalLength, "rating": \.rating, "duration": \.duration,
      "frameRate": \.frameRate,
    ]

  /// The details as JSON, as a worker reports them.
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
