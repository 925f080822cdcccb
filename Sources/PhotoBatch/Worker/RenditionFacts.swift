import PhotoRecipes
import PhotoRender

/// What a worker says of one rendition that it wrote.
struct RenditionFacts: Sendable, Hashable {
  var output: String
  var size: Size
  /// The quality, where `maxBytes` made it lower than the output's.
  var quality: Int?
  /// The share of pixels that were clipped, 0…1; nil where it is not known.
  var clipped: Double?
  /// Whether the file has the photo's own bytes.
  var isOriginal = false
}

extension RenditionFacts {
  init(_ rendition: Rendering.Rendition) {
    self.init(
      output: rendition.output, size: rendition.size, quality: rendition.quality,
      clipped: rendition.clipped, isOriginal: rendition.isOriginal)
  }

  var json: JSON {
    var object = JSON.Object()
    object["output"] = .string(output)
    object["width"] = .integer(size.width)
    object["height"] = .integer(size.height)
    object["quality"] = quality.map(JSON.integer)
    object["clipped"] = clipped.map(JSON.number)
    object["isOriginal"] = .bool(isOriginal)
    return .object(object)
  }

  init?(_ json: JSON) {
    guard let output = json["output"]?.string, let width = json["width"]?.integer,
      let height = json["height"]?.integer
    else { return nil }
    self.init(
      output: output, size: Size(width, height), quality: json["quality"]?.integer,
      clipped: json["clipped"]?.number, isOriginal: json["isOriginal"]?.bool ?? false)
  }
}
