import Foundation
import TestSupport
import Vips

/// JPEG files with a matte or a depth map, assembled byte by byte.
struct AuxiliaryJPEGFile {
  static let best: [String: Argument] = ["Q": .integer(98), "subsample-mode": .choice("off")]

  let photo: Samples
  let levels: Samples
  /// The EXIF orientation of the photo.
  var orientation = 1

  private var base: [UInt8] {
    get throws {
      try photo.file(
        "jpegsave_target", Self.best, fields: ["orientation": .integer(orientation)])
    }
  }

  static func xmp(_ attributes: String) -> [UInt8] {
    UltraHDRFile.segment(
      0xE1,
      Array(
        """
        http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
        \(attributes)</rdf:Description></rdf:RDF></x:xmpmeta>
        """.utf8))
  }

  /// A picture in the file's index of pictures, as iPhones write it; `more` are further properties
  /// of its XMP.
  func indexed(_ type: String, _ subtype: String?, _ more: String = "") throws -> [UInt8] {
    let name = subtype.map { "<apdi:AuxiliaryImageSubType>\($0)</apdi:AuxiliaryImageSubType>" }
    return UltraHDRFile.bytes(
      base: try base, map: try levels.file("jpegsave_target", Self.best),
      describedBy: Self.xmp(
        """
        xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" \
        xmlns:depthData="http://ns.apple.com/depthData/1.0/">\
        <apdi:AuxiliaryImageType>\(type)</apdi:AuxiliaryImageType>\(name ?? "")\(more)
        """))
  }

  /// A depth map in the photo's XMP; `format` are the attributes that describe it.
  func inXMP(_ format: String = #"GDepth:Format="RangeInverse""#) throws -> [UInt8] {
    let data = Data(try levels.file("pngsave_target")).base64EncodedString()
    return UltraHDRFile.inserting(
      Self.xmp(
        """
        xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" \
        \(format) GDepth:Mime="image/png" GDepth:Data="\(data)">
        """), into: try base)
  }

  /// A depth map after the photo, which the photo's XMP lists by its meaning.
  func appended() throws -> [UInt8] {
    let picture = try levels.file("jpegsave_target", Self.best)
    func item(_ semantic: String, _ length: Int) -> String {
      """
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" \
      Item:Semantic="\(semantic)" Item:Length="\(length)"/></rdf:li>
      """
    }
    let described = UltraHDRFile.inserting(
      Self.xmp(
        """
        xmlns:Container="http://ns.google.com/photos/1.0/container/" \
        xmlns:Item="http://ns.google.com/photos/1.0/container/item/"><Container:Directory>\
        <rdf:Seq>\(item("Primary", 0))\(item("Depth", picture.count))\(item("Extra", 5))</rdf:Seq>\
        </Container:Directory>
        """), into: try base)
    return described + picture + Array("extra".utf8)
  }

  /// A depth map after the photo as Dynamic Depth 1.0 specifies it: the description of the map
  /// states the address of an item.
  func dynamic(_ format: String) throws -> [UInt8] {
    let picture = try levels.file("jpegsave_target", Self.best)
    let google = "http://ns.google.com/photos/dd/1.0"
    func item(_ address: String, _ length: Int) -> String {
      """
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" \
      Item:DataURI="\(address)" Item:Length="\(length)" Item:Padding="0"/></rdf:li>
      """
    }
    let described = UltraHDRFile.inserting(
      Self.xmp(
        """
        xmlns:Device="\(google)/device/" xmlns:Camera="\(google)/camera/" \
        xmlns:DepthMap="\(google)/depthmap/" xmlns:Container="\(google)/container/" \
        xmlns:Item="\(google)/item/"><Device:Container rdf:parseType="Resource">\
        <Container:Directory><rdf:Seq>\(item("primary_image", 0))\
        \(item("android/depthmap", picture.count))\(item("android/confidencemap", 7))\
        </rdf:Seq></Container:Directory></Device:Container><Device:Cameras><rdf:Seq>\
        <rdf:li rdf:parseType="Resource"><Device:Camera rdf:parseType="Resource">\
        <Camera:DepthMap \(format) DepthMap:DepthURI="android/depthmap"/></Device:Camera>\
        </rdf:li></rdf:Seq></Device:Cameras>
        """), into: try base)
    return described + picture + Array("another".utf8)
  }
}
