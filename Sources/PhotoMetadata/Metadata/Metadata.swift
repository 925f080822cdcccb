import FileStructure
import Notation
import PhotoRecipes

/// The metadata of a photo's file.
public struct Metadata: Sendable, Hashable {
  /// A further picture or record in the file; a rendition may contain only a gain map, mattes, a
  /// depth map and a film.
  public enum Attachment: String, Sendable, Hashable, CaseIterable {
    case gainMap = "gain map"
    case depth = "depth map"
    case matte
    case pictures = "more pictures"
    case video
    /// C2PA's signed record of the file's author and sources.
    case credentials = "content credentials"
  }

  public var exif: EXIF?
  public var xmp: XMP?
  public var iptc: IPTC?
  /// The container's comments, as in JPEG and GIF.
  public var comments: [String] = []
  /// The texts of a PNG file for which XMP has no property.
  var texts: [PNGFile.Text] = []
  public var attachments: Set<Attachment> = []
  /// The gain map that a rendition gets, with a picture in the rendition's coding; nil for none.
  ///
  /// Always nil in metadata that were read from a file.
  public var gainMap: GainMap?
  /// The mattes and the depth map that a rendition gets, with pictures in the rendition's coding.
  ///
  /// Always empty in metadata that were read from a file.
  public var auxiliaries: [AuxiliaryData] = []
  /// The film that will be appended to a rendition; nil for none.
  ///
  /// Always nil in metadata that were read from a file.
  public var film: MotionPhotoFilm?
  /// Warnings about blocks that could not be read.
  public var warnings: [String] = []

  /// The orientation, 1…8, from EXIF, otherwise from XMP; nil if neither states one.
  public var orientation: Int?

  public init() {}
}

/// The blocks of metadata in a file's container.
struct Blocks {
  /// The maximum number of bytes to read of a block.
  static let limit = 16 << 20

  var exif: EXIF?
  /// The XMP packet, and a second packet with the properties that did not fit into the first.
  var xmp: [[UInt8]] = []
  var iptc: [UInt8]?
  var comments: [String] = []
  /// The texts of a PNG file, each with its keyword.
  var texts: [(keyword: String, text: String)] = []
  var attachments: Set<Metadata.Attachment> = []
  /// True if a compressed block could not be expanded.
  var hasDamagedBoxes = false
}

extension Metadata {
  init(_ blocks: Blocks) {
    self.init()
    exif = blocks.exif.flatMap { $0.holdsOnlyStructure ? nil : $0 }
    orientation = blocks.exif?.integer(.orientation)
    comments = blocks.comments
    attachments = blocks.attachments
    if blocks.hasDamagedBoxes {
      warnings.append("compressed metadata was left out because it is damaged or too large")
    }
    var xmp = XMP()
    for packet in blocks.xmp {
      do throws(XMPError) { xmp.merge(try XMP(packet)) } catch {
        if error != .noProperties {
          warnings.append("the photo's XMP metadata was left out: \(error.message)")
        }
      }
    }
    for (keyword, text) in blocks.texts { xmp.add(text, keyword: keyword) }
    texts = blocks.texts.compactMap { PNGFile.Text(keyword: $0.keyword, text: $0.text) }
    orientation = orientation ?? xmp.text(.tiff("Orientation")).flatMap { Int($0) }
    self.xmp = xmp.isEmpty ? nil : xmp
    let iptc = blocks.iptc.map { IPTC($0) }
    self.iptc = iptc?.isEmpty == false ? iptc : nil
    addAnnouncedAttachments()
  }

  /// Adds the pictures and videos that the XMP properties mention.
  private mutating func addAnnouncedAttachments() {
    guard let xmp else { return }
    for property in xmp.properties {
      if let attachment = XMP.announced(property) { attachments.insert(attachment) }
    }
  }
}

extension XMP {
  /// The kind of picture or video that the file also contains according to a property; nil if the
  /// property mentions none.
  static func announced(_ property: MarkupElement) -> Metadata.Attachment? {
    switch XMPPrefix.byNamespace[property.name.namespace] {
    case "hdrgm", "HDRGainMap": .gainMap
    case "Container":
      property.mentions("GainMap") ? .gainMap : property.mentions("MotionPhoto") ? .video : nil
    case "GDepth": .depth
    case "Device" where property.holds("DepthMap"): .depth
    case "GImage": .pictures
    case "GCamera" where property.name.local.hasPrefix("MicroVideo"): .video
    case "GCamera" where property.name.local.hasPrefix("MotionPhoto"): .video
    default: nil
    }
  }
}

extension AuxiliaryData {
  /// The kind of the picture as an attachment of a file.
  public var attachment: Metadata.Attachment { kind == .depth ? .depth : .matte }
}

extension MarkupElement {
  /// True if an element inside this one has the local name.
  fileprivate func holds(_ local: String) -> Bool {
    children.contains { $0.name.local == local || $0.holds(local) }
  }

  /// True if the element contains a text or an attribute that equals `word`.
  fileprivate func mentions(_ word: String) -> Bool {
    text == word || attributes.contains { $0.value == word }
      || children.contains { $0.mentions(word) }
  }
}

extension Metadata {
  /// Sets the identifier that links the photo to the film of its Live Photo, or removes it if
  /// `identifier` is nil.
  public mutating func setPairIdentifier(_ identifier: String?) {
    if exif == nil && identifier != nil { exif = EXIF() }
    exif?.setPairIdentifier(identifier)
  }
}
