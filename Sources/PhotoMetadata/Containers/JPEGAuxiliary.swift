public import FileStructure
import Notation
public import PhotoRecipes

/// A matte or a depth map that a JPEG file contains in addition to the photo.
///
/// iPhones add pictures to the index of pictures (Multi-Picture Format); the XMP of each states its
/// kind. Other phones put a depth map into the photo's XMP (`GDepth`), or append it to the file and
/// list it in the XMP (Dynamic Depth).
/// - Source: Apple, ImageIO, `kCGImageAuxiliaryDataType…`; Google, "Depth Map Metadata";
///   "Dynamic Depth" 1.0, chapters 2 and 5.
public struct JPEGAuxiliary: Sendable, Hashable {
  /// The bytes of the picture as a separate file.
  public let file: [UInt8]
  /// True if far positions are white.
  public let isDistance: Bool

  /// The maximum size in bytes of a picture.
  private static let mostBytes = 64 << 20

  /// Finds the picture of a kind in a file; nil if the file has none, or is no JPEG file.
  public init?(_ kind: AuxiliaryPicture, in source: ByteSource) {
    guard JPEGFile.hasSignature(source) else { return nil }
    let file = JPEGFile(source)
    guard let found = file.indexed(kind) ?? (kind == .depth ? file.depth : nil) else { return nil }
    self = found
  }

  fileprivate init(_ file: [UInt8], isDistance: Bool) {
    self.file = file
    self.isDistance = isDistance
  }

  /// The picture in a part of a file; nil if the part is too large, or exceeds the file.
  fileprivate init?(_ source: ByteSource, at offset: Int, _ length: Int, isDistance: Bool) {
    guard offset > 0, length > 0,
      let bytes = source.whole(at: offset, length, limit: Self.mostBytes)
    else { return nil }
    self.init(bytes, isDistance: isDistance)
  }
}

extension JPEGFile {
  private enum Namespace {
    static let apple = "http://ns.apple.com/pixeldatainfo/1.0/"
    static let depth = "http://ns.google.com/photos/1.0/depthmap/"
  }

  /// The picture of a kind in the index of pictures.
  fileprivate func indexed(_ kind: AuxiliaryPicture) -> JPEGAuxiliary? {
    for picture in otherPictures where [.matte, .depth].contains(picture.kind) {
      guard
        let found = JPEGAuxiliary(source, at: picture.offset, picture.length, isDistance: false),
        let packet = JPEGFile(.bytes(found.file)).blocks.xmp.first, let xmp = try? XMP(packet)
      else { continue }
      let type = xmp.text(MarkupName(Namespace.apple, "AuxiliaryImageType")) ?? ""
      // The matte of people has the type `depth`, and a subtype.
      let subtype = xmp.text(MarkupName(Namespace.apple, "AuxiliaryImageSubType"))
      let name = (subtype ?? type).split(separator: ":").last.map(String.init) ?? ""
      if kind != .depth, kind.names.contains(where: { $0.hasSuffix(":\(name)") }) { return found }
      if kind == .depth, name == "disparity" { return found }
      if kind == .depth, name == "depth" { return JPEGAuxiliary(found.file, isDistance: true) }
    }
    return nil
  }

  /// The depth map that the photo's XMP contains, or the appended depth map that the XMP lists.
  ///
  /// In both, 0 is the nearest position.
  fileprivate var depth: JPEGAuxiliary? {
    var xmp = XMP()
    for packet in blocks.xmp { if let more = try? XMP(packet) { xmp.merge(more) } }
    if let text = xmp.text(MarkupName(Namespace.depth, "Data")),
      let bytes = [UInt8](base64: text.utf8)
    {
      return JPEGAuxiliary(bytes, isDistance: true)
    }
    let directories = xmp.properties.flatMap { $0.all(named: "Directory") }
    let items = directories.first?.children.flatMap(\.children) ?? []
    // The items follow the photo in their order, so the last item ends with the file.
    var end = source.count
    for item in items.reversed() {
      guard let length = item.value("Length").flatMap({ Int($0) }), length >= 0,
        let padding = Int(item.value("Padding") ?? "0"), padding >= 0, length <= end,
        padding <= end - length
      else { return nil }
      let start = end - length - padding
      if item.value("Semantic") == "Depth" {
        return JPEGAuxiliary(source, at: start, length, isDistance: true)
      }
      end = start
    }
    return nil
  }
}

extension MarkupElement {
  /// This element and all elements inside it, if they have the local name.
  fileprivate func all(named local: String) -> [MarkupElement] {
    (name.local == local ? [self] : []) + children.flatMap { $0.all(named: local) }
  }
}

extension [UInt8] {
  /// Decodes a text in Base64; nil if the text is damaged.
  ///
  /// Line breaks are ignored.
  /// - Source: RFC 4648, 4.
  init?(base64 text: some Collection<UInt8>) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var (bits, count): (UInt32, Int) = (0, 0)
    for character in text {
      let value: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " "): continue
      default: return nil
      }
      (bits, count) = (bits << 6 | UInt32(value), count + 1)
      if count == 4 {
        bytes += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
        (bits, count) = (0, 0)
      }
    }
    if count == 1 { return nil }
    if count == 2 { bytes.append(UInt8(bits >> 4 & 255)) }
    if count == 3 { bytes += [UInt8(bits >> 10 & 255), UInt8(bits >> 2 & 255)] }
    self = bytes
  }
}
