import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The `<picture>` element of one photo of a web set.
///
/// - Source: HTML Living Standard, 4.8.1 and 4.8.3; URLs as in RFC 3986, 2.1 and 2.3.
struct PictureElement {
  let set: WebSet
  /// The files by format, in the order of the set; smallest file first.
  let sources: [(format: String, files: [WebSetEntry.File])]
  let alternative: String
  let placeholder: Placeholder?

  /// The media types of formats.
  static func mediaType(_ format: String) -> String { "image/\(format)" }

  /// The URL of a path below the output root.
  static func url(_ path: FilePath, base: String) -> String {
    var url = base
    for byte in path.bytes {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      if isPlain || "-._~/".unicodeScalars.contains(scalar) {
        url.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        url += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return url
  }

  var text: String {
    guard let last = sources.last, let largest = last.files.last else { return "" }
    var pieces: [HTML] = sources.dropLast().map { source in
      .element(
        "source",
        [
          ("type", Self.mediaType(source.format)), ("srcset", candidates(source.files)),
          ("sizes", set.sizes),
        ], [])
    }
    var attributes = [
      ("src", Self.url(largest.path, base: set.base)), ("srcset", candidates(last.files)),
      ("sizes", set.sizes), ("width", "\(largest.size.width)"),
      ("height", "\(largest.size.height)"), ("alt", alternative), ("loading", "lazy"),
      ("decoding", "async"),
    ]
    if let placeholder {
      attributes.append(("style", "background:center/cover no-repeat url(\(placeholder.url))"))
    }
    pieces.append(.element("img", attributes, []))
    var text: [UInt8] = []
    HTML.element("picture", [], pieces).write(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private func candidates(_ files: [WebSetEntry.File]) -> String {
    files.map { "\(Self.url($0.path, base: set.base)) \($0.size.width)w" }.joined(separator: ", ")
  }
}
