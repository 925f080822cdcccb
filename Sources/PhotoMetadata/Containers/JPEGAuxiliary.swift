import FileStructure
import Notation
import PhotoRecipes

/// The mattes and the depth map of a JPEG file.
///
/// iPhones add pictures to the index of pictures (Multi-Picture Format); the XMP of each states its
/// kind. Other phones put a depth map into the photo's XMP (`GDepth`), or append it to the file and
/// list it in the XMP (Dynamic Depth).
/// - Source: Google, "Depth Map Metadata"; "Dynamic Depth" 1.0, "Container Element", "Depth Map".
extension JPEGFile {
  /// The first picture of each of these kinds.
  func auxiliaries(_ kinds: Set<AuxiliaryPicture>) -> [AuxiliaryData] {
    var found: [AuxiliaryData] = []
    for picture in otherPictures where [.matte, .depth].contains(picture.kind) {
      guard let bytes = whole(at: picture.offset, picture.length),
        let packet = JPEGFile(.bytes(bytes)).blocks.xmp.first, let xmp = try? XMP(packet),
        let kind = AppleName.kind(in: xmp), kinds.contains(kind),
        !found.contains(where: { $0.kind == kind })
      else { continue }
      found.append(AuxiliaryData(kind, picture: bytes, xmp))
    }
    if kinds.contains(.depth), !found.contains(where: { $0.kind == .depth }) {
      found += googleDepth.map { [$0] } ?? []
    }
    return found
  }

  /// A part of the file; nil if it is too large, or exceeds the file.
  private func whole(at offset: Int, _ length: Int) -> [UInt8]? {
    guard offset > 0, length > 0 else { return nil }
    return source.whole(at: offset, length, limit: AuxiliaryData.mostBytes)
  }

  /// The depth map that the photo's XMP contains, or the appended depth map that the XMP lists.
  ///
  /// In both, 0 is the nearest position.
  var googleDepth: AuxiliaryData? {
    var xmp = XMP()
    for packet in blocks.xmp { if let more = try? XMP(packet) { xmp.merge(more) } }
    if let text = xmp.text(GDepthName.data), let bytes = [UInt8](base64: text) {
      return AuxiliaryData(
        picture: bytes, xmp.properties.filter { GDepthName.isDescription($0.name) })
    }
    let maps = xmp.properties.flatMap { $0.all(named: "DepthMap") }
    let address = maps.lazy.compactMap { $0.value("DepthURI") }.first
    let directories = xmp.properties.flatMap { $0.all(named: "Directory") }
    for directory in directories {
      let items = directory.children.flatMap(\.children)
      // The items follow the photo in their order, so the last item ends with the file.
      var end = source.count
      for item in items.reversed() {
        guard let length = item.value("Length").flatMap({ Int($0) }), length >= 0,
          let padding = Int(item.value("Padding") ?? "0"), padding >= 0, length <= end,
          padding <= end - length
        else { break }
        let start = end - length - padding
        let isDepth =
          item.value("Semantic") == "Depth" || address != nil && item.value("DataURI") == address
        if isDepth, let bytes = whole(at: start, length) {
          return AuxiliaryData(picture: bytes, GDepthName.properties(of: maps.first))
        }
        end = start
      }
    }
    return nil
  }
}

/// The names of the properties with which Google describes a depth map in the photo's XMP.
enum GDepthName {
  static let data = name("Data")
  private static let mime = name("Mime")
  /// The local names of the properties that hold for a map after each edit.
  private static let descriptions = ["Format", "Near", "Far", "Units", "MeasureType"]

  private static func name(_ local: String) -> MarkupName {
    MarkupName(XMPPrefix.byPrefix["GDepth"] ?? "", local)
  }

  /// True for the properties that hold for a map after each edit.
  static func isDescription(_ name: MarkupName) -> Bool {
    name.namespace == data.namespace && descriptions.contains(name.local)
  }

  /// The description of an appended map in the names of `GDepth`.
  static func properties(of map: MarkupElement?) -> [MarkupElement] {
    let units = ["Meters": "m", "Millimeters": "mm", "m": "m", "mm": "mm"]
    return descriptions.compactMap { local in
      guard let text = map?.value(local) else { return nil }
      if local != "Units" { return MarkupElement(name(local), text: text) }
      return units[text].map { MarkupElement(name(local), text: $0) }
    }
  }

  /// The properties with a map, whose picture is a PNG file.
  static func properties(_ description: [MarkupElement], picture: [UInt8]) -> [MarkupElement] {
    description + [
      MarkupElement(mime, text: "image/png"), MarkupElement(data, text: Base64.encode(picture)),
    ]
  }
}

extension MarkupElement {
  /// This element and all elements inside it, if they have the local name.
  fileprivate func all(named local: String) -> [MarkupElement] {
    (name.local == local ? [self] : []) + children.flatMap { $0.all(named: local) }
  }
}

/// A matte or a depth map as a part of a JPEG file.
extension AuxiliaryData {
  /// The file of a picture in the index of pictures, with its description; the picture must be a
  /// JPEG file.
  ///
  /// A description that does not fit into one segment loses its longest properties, with a warning.
  func jpegFile(_ warnings: inout [String]) -> [UInt8] {
    let start = JPEGFile(.bytes(picture)).endOfHeader
    let (description, lost) = shortDescription
    if let first = lost.first {
      let others = lost.count > 1 ? " and \(lost.count - 1) more" : ""
      warnings.append(
        "the description of the \(kind.title) is without '\(first.prefixed)'\(others): it has more"
          + " than \(Self.mostDescription) bytes, the most in a JPEG file")
    }
    let packet = JPEGFile.segment(JPEGFile.Marker.app1, JPEGFile.Signature.xmp + description)
    return Array(picture[..<start]) + packet + Array(picture[start...])
  }

  /// The maximum number of bytes of a description in a JPEG file.
  static let mostDescription = 65_000

  /// The packet of a description that fits into one segment, and the names of the properties that it
  /// lacks, the longest first.
  private var shortDescription: (packet: [UInt8], lost: [MarkupName]) {
    var xmp = typedXMP
    var packet = xmp.packet
    if packet.count <= Self.mostDescription { return (packet, []) }
    var lost: [MarkupName] = []
    var candidates = xmp.properties.filter { !AppleName.essential.contains($0.name) }
      .map { (name: $0.name, size: MarkupElement.size($0)) }.sorted { $0.size < $1.size }
    // Sizes are estimates, so that more may have to be left out.
    while packet.count > Self.mostDescription, !candidates.isEmpty {
      var excess = packet.count - Self.mostDescription
      while excess > 0, let longest = candidates.popLast() {
        lost.append(longest.name)
        excess -= longest.size
      }
      let names = Set(lost)
      xmp.removeAll { names.contains($0.name) }
      packet = xmp.packet
    }
    if packet.count > Self.mostDescription {
      lost += xmp.properties.map(\.name)
      packet = AuxiliaryData(kind, picture: [], XMP()).typedXMP.packet
    }
    return (packet, lost)
  }

  /// The description with the kind of the picture, which the XMP of a HEIC file need not state.
  private var typedXMP: XMP {
    var xmp = xmp
    if AppleName.kind(in: xmp) == kind { return xmp }
    let (type, subtype) = ("AuxiliaryImageType", "AuxiliaryImageSubType")
    switch kind {
    case .depth:
      xmp.remove(AppleName.picture(subtype))
      xmp.set(AppleName.picture(type), text: "disparity")
    case .portrait:
      xmp.set(AppleName.picture(type), text: "depth")
      xmp.set(AppleName.picture(subtype), text: "portraiteffectsmatte")
    case .skin, .hair, .teeth, .glasses, .sky:
      xmp.remove(AppleName.picture(subtype))
      xmp.set(AppleName.picture(type), text: kind.names[0])
    }
    return xmp
  }

  /// The properties of the photo's XMP that contain the map; empty for pictures that are described
  /// in Apple's form.
  ///
  /// The picture must be a PNG file.
  var xmpProperties: [MarkupElement] {
    properties.map { GDepthName.properties($0, picture: picture) } ?? []
  }
}
