import Notation

/// The recipe's settings for raw photos: `inputs.raw`.
public struct RawSettings: Sendable, Hashable {
  /// The conversion of scene light to the tones of a picture.
  public enum Look: String, Choice {
    /// The tones of the JPEG that the camera has embedded; `neutral` for a file without one.
    case camera
    /// The tones of a fixed curve like the curve of a film, after the file's baseline exposure.
    case neutral
    /// Scene light without a tone curve: values are proportional to the light on the sensor.
    case linear
    /// The JPEG that the camera has embedded in the file.
    case preview
  }

  /// The treatment of raw photos that cannot be read.
  public enum Fallback: String, Choice {
    /// An error is reported, and the photo is not rendered.
    case none
    /// The JPEG that is embedded in the raw photo is rendered, with a warning.
    case preview
  }

  /// The treatment of pixels in which the sensor has clipped at least one of the colours.
  public enum Highlights: String, Choice {
    /// The colour of a pixel fades as more of its channels are clipped; its brightness stays.
    case blend
    /// All channels are clipped at the level at which the first of them is clipped.
    case clip
    /// Clipped channels are rebuilt from the others, in the colour of the bright areas around them.
    case rebuild
  }

  /// The treatment of samples that stand out from all others around them.
  public enum HotPixels: String, Choice {
    /// Replaces each hot pixel by the median of its neighbours of the same colour.
    case mend
    /// Leaves hot pixels as they are.
    case keep
  }

  /// The treatment of the sensor's colour noise.
  public enum ColourNoise: String, Choice {
    /// Reduces colour noise, in proportion to the noise of the photo, if the noise is visible.
    case reduce
    /// Leaves colour noise as it is.
    case keep
  }

  public var look = Look.camera
  public var fallback = Fallback.none
  public var highlights = Highlights.blend
  public var hotPixels = HotPixels.mend
  public var colourNoise = ColourNoise.reduce

  public init() {}
}

extension RawSettings {
  static let keys = ["look", "fallback", "highlights", "hotPixels", "colourNoise", "comment"]

  init(_ field: Field, _ diagnostics: inout Diagnostics) {
    guard diagnostics.expectObject(field, "an object such as {\"look\": \"neutral\"}") else {
      return
    }
    var reader = ObjectReader(field, "'raw'", &diagnostics)
    defer { diagnostics = reader.diagnostics }
    reader.rejectUnknown(known: Self.keys)
    _ = reader.read("comment", as: .text, String.self)
    look = reader.read("look", as: Look.kind) ?? look
    fallback = reader.read("fallback", as: Fallback.kind) ?? fallback
    highlights = reader.read("highlights", as: Highlights.kind) ?? highlights
    hotPixels = reader.read("hotPixels", as: HotPixels.kind) ?? hotPixels
    colourNoise = reader.read("colourNoise", as: ColourNoise.kind) ?? colourNoise
  }

  /// The settings that differ from the defaults, as JSON; nil if all have their defaults.
  var sparse: JSON? {
    let defaults = RawSettings()
    if self == defaults { return nil }
    var object = JSON.Object()
    if look != defaults.look { object["look"] = look.json }
    if fallback != defaults.fallback { object["fallback"] = fallback.json }
    if highlights != defaults.highlights { object["highlights"] = highlights.json }
    if hotPixels != defaults.hotPixels { object["hotPixels"] = hotPixels.json }
    if colourNoise != defaults.colourNoise { object["colourNoise"] = colourNoise.json }
    return .object(object)
  }

  static var schema: JSON {
    .object([
      "type": .string("object"), "additionalProperties": .bool(false),
      "properties": .object([
        "look": Look.kind.schema, "fallback": Fallback.kind.schema,
        "highlights": Highlights.kind.schema,
        "hotPixels": HotPixels.kind.schema,
        "colourNoise": ColourNoise.kind.schema,
        "comment": .object(["type": .string("string")]),
      ]),
    ])
  }
}
