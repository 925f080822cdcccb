import TestSupport
import Vips

/// Photos whose XMP marks faces with the regions of the Metadata Working Group.
enum MarkedPhoto {
  /// An XMP packet that marks rectangles `[left, top, width, height]`, in fractions of the stored
  /// photo, as regions of one type.
  static func packet(_ areas: [[Double]], type: String = "Face") -> [UInt8] {
    let regions = areas.map { area in
      """
      <rdf:li rdf:parseType="Resource"><mwg-rs:Type>\(type)</mwg-rs:Type>
      <mwg-rs:Area stArea:x="\(area[0] + area[2] / 2)" stArea:y="\(area[1] + area[3] / 2)"
       stArea:w="\(area[2])" stArea:h="\(area[3])" stArea:unit="normalized"/></rdf:li>
      """
    }
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
       xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
       xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#">
      <rdf:Description rdf:about=""><mwg-rs:Regions rdf:parseType="Resource">
      <mwg-rs:RegionList><rdf:Bag>\(regions.joined())</rdf:Bag></mwg-rs:RegionList>
      </mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    return Array(text.utf8)
  }

  static func png(
    _ photo: Samples, _ areas: [[Double]], type: String = "Face"
  ) throws -> [UInt8] {
    // The keyword, and an uncompressed text without a language and without a translated keyword.
    let head = Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0]
    return PNGChunks.adding("iTXt", head + packet(areas, type: type), to: try photo.file())
  }

  static func jpeg(_ photo: Samples, _ areas: [[Double]], orientation: Int) throws -> [UInt8] {
    let plain = try photo.file(
      "jpegsave_target", ["Q": .integer(95)], fields: ["orientation": .integer(orientation)])
    let content = Array("http://ns.adobe.com/xap/1.0/".utf8) + [0] + packet(areas)
    let length = PNGChunks.bytes(UInt32(content.count + 2))
    return Array(plain[..<2]) + [0xFF, 0xE1, length[2], length[3]] + content + plain[2...]
  }
}
