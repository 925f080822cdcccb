import FileStructure
import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The HTML element `<picture>` for one photo of a web set.
///
/// - Source: HTML Living Standard, 4.8.1 and 4.8.3; URLs as in RFC 3986, 2.1 and 2.3.
struct PictureElement {
  let set: WebSet
  /// The files by format, in the order of the set; within a format, the smallest file is first.
  let sources: [(format: String, files: [WebSetEntry.File])]
  let alternative: String
  let placeholder: Placeholder?

  /// The media type of a format, such as `image/webp`.
  static func mediaType(_ format: String) -> String { "image/\(format)" }

  /// Returns the URL of a file: `base`, followed by the percent-encoded path below the output root.
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

/// A tiny picture embedded in a page, shown enlarged and blurred until the photo is loaded.
struct Placeholder {
  /// A `data:` URL.
  let url: String

  /// The maximum size in bytes of the WebP file.
  ///
  /// A page contains one such file for each photo, so the limit is low.
  static let longest = 400
  /// The bytes of a frame's place, size and duration, before its pixels.
  private static let frameHead = 16

  /// Makes the placeholder from a small WebP file: copies only the pixels, without profile and
  /// metadata.
  ///
  /// Nil if the file has no pixels, they exceed the size limit, or they are partly transparent. A
  /// placeholder stays behind the loaded photo, so it must not show through transparent pixels. The
  /// placeholder of an animation is its first frame.
  ///
  /// - Source: WebP Container Specification, RFC 9649, 2.5 (simple file format), 2.7.1.1
  ///   (animation), 2.7.1.2 (alpha) and 3.4 (the header of lossless pixels).
  init?(webP bytes: [UInt8]) {
    let source = ByteSource.bytes(bytes)
    var chunks = WebPFile(source).chunks
    if let frame = chunks.first(where: { $0.name == "ANMF" && $0.length >= Self.frameHead }) {
      chunks = WebPFile.Chunk.all(
        in: source, (frame.data + Self.frameHead)..<(frame.data + frame.length))
    }
    guard !chunks.contains(where: { $0.name == "ALPH" }),
      let chunk = chunks.first(where: { $0.name == "VP8 " })
        ?? chunks.first(where: { $0.name == "VP8L" && Self.isOpaque($0, bytes) }),
      chunk.end <= bytes.count
    else {
      return nil
    }
    let pixels = bytes[chunk.offset..<chunk.end]
    let length = ByteOrder.little.bytes(pixels.count + 4, 4)
    let file = Array("RIFF".utf8) + length + Array("WEBP".utf8) + pixels
    guard file.count <= Self.longest else { return nil }
    url = "data:image/webp;base64,\(Base64.encode(file))"
  }

  /// True if the chunk of lossless pixels has no alpha: the bit after the 14-bit width and the
  /// 14-bit height in its header is 0.
  private static func isOpaque(_ chunk: WebPFile.Chunk, _ bytes: [UInt8]) -> Bool {
    bytes.number(at: chunk.data + 4, 1, .little).map { $0 & 0x10 == 0 } ?? false
  }
}
