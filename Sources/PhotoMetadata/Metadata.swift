import PhotoRecipes

/// What a photo's file says of the photo.
public struct Metadata: Sendable, Hashable {
  /// Another picture or a record that a rendition does not carry.
  public enum Attachment: String, Sendable, Hashable, CaseIterable {
    case gainMap = "gain map"
    case depth = "depth map"
    case matte
    case pictures = "more pictures"
    case video
    /// C2PA: who made the file, and from what.
    case credentials = "content credentials"
  }

  public var exif: EXIF?
  public var xmp: XMP?
  public var iptc: IPTC?
  /// Comments outside of all blocks, as JPEG and GIF have them.
  public var comments: [String] = []
  public var attachments: Set<Attachment> = []
  /// What could not be read.
  public var warnings: [String] = []

  /// How the picture is to be turned, 1 to 8, where EXIF or else XMP says it.
  public var orientation: Int?

  public init() {}
}

/// The blocks of a file as its container holds them.
struct Blocks {
  static let limit = 16 << 20

  var exif: EXIF?
  /// The packet, and what did not fit into it.
  var xmp: [[UInt8]] = []
  var iptc: [UInt8]?
  var comments: [String] = []
  /// Texts by their keywords, as PNG has them.
  var texts: [(keyword: String, text: String)] = []
  var attachments: Set<Metadata.Attachment> = []
  /// Whether some are compressed, and cannot be expanded.
  var hasDamagedBoxes = false
}

extension Metadata {
  /// Reads what a file of any format says; nothing where the format is not known.
  public init(of source: ByteSource) {
    let blocks = ContainerFormat(of: source)?.blocks(in: source) ?? JP2File(source)?.blocks
    self.init(blocks ?? Blocks())
  }

  init(_ blocks: Blocks) {
    self.init()
    exif = blocks.exif.flatMap { $0.saysNothing ? nil : $0 }
    orientation = blocks.exif?.integer(.orientation)
    comments = blocks.comments
    attachments = blocks.attachments
    if blocks.hasDamagedBoxes {
      warnings.append("compressed metadata is damaged, or too large, and was left out")
    }
    var xmp = XMP()
    for packet in blocks.xmp {
      do throws(ForeignFileError) { xmp.merge(try XMP(packet)) } catch {
        if error != .noProperties { warnings.append("the XMP was left out: \(error.message)") }
      }
    }
    for (keyword, text) in blocks.texts { xmp.adopt(text, keyword: keyword) }
    orientation = orientation ?? xmp.text(.tiff("Orientation")).flatMap { Int($0) }
    self.xmp = xmp.isEmpty ? nil : xmp
    let iptc = blocks.iptc.map { IPTC($0) }
    self.iptc = iptc?.isEmpty == false ? iptc : nil
    noteAnnouncements()
  }

  /// Takes over what XMP says of other pictures in the file.
  private mutating func noteAnnouncements() {
    guard let xmp else { return }
    for property in xmp.properties {
      if let attachment = XMP.announced(property) { attachments.insert(attachment) }
    }
  }
}

extension XMP {
  /// A text that PNG keeps under a keyword of its own.
  ///
  /// - Source: PNG Specification, 3rd edition, 11.3.3.1.
  mutating func adopt(_ text: String, keyword: String) {
    let name: MarkupName? =
      switch keyword {
      case "Title": .dc("title")
      case "Description": .dc("description")
      case "Copyright": .dc("rights")
      case "Author": .dc("creator")
      case "Software": .xmp("CreatorTool")
      case "Comment": .exif("UserComment")
      default: nil
      }
    guard let name, self[name] == nil, !text.trimmed.isEmpty else { return }
    switch keyword {
    case "Author": set(name, "Seq", [text.trimmed])
    case "Software": set(name, text: text.trimmed)
    default: set(name, "Alt", [text.trimmed])
    }
  }

  /// The picture that a property announces in the same file.
  static func announced(_ property: MarkupElement) -> Metadata.Attachment? {
    switch XMPPrefix.byNamespace[property.name.namespace] {
    case "hdrgm", "HDRGainMap": .gainMap
    case "Container":
      property.mentions("GainMap") ? .gainMap : property.mentions("MotionPhoto") ? .video : nil
    case "GDepth": .depth
    case "GImage": .pictures
    case "GCamera" where property.name.local.hasPrefix("MicroVideo"): .video
    case "GCamera" where property.name.local.hasPrefix("MotionPhoto"): .video
    default: nil
    }
  }
}

extension MarkupElement {
  /// Whether a text or an attribute in it is `word`.
  fileprivate func mentions(_ word: String) -> Bool {
    text == word || attributes.contains { $0.value == word }
      || children.contains { $0.mentions(word) }
  }
}
