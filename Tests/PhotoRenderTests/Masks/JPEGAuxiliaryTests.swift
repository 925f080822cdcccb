import FileStructure
import Foundation
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Mattes and depth maps that JPEG files contain, as masks.
@Suite struct JPEGAuxiliaryTests {
  private static let best: [String: Argument] = [
    "Q": .integer(98), "subsample-mode": .choice("off"),
  ]
  private static let photo = Samples(96, 64) { x, y in [40 + x / 2, 60 + y, 90 - y / 2] }
  private static let levels = Samples(48, 32) { x, y in [min(255, 4 * x + 2 * y)] }

  private static func xmp(_ attributes: String) -> [UInt8] {
    UltraHDRFile.segment(
      0xE1,
      Array(
        """
        http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
        \(attributes)</rdf:Description></rdf:RDF></x:xmpmeta>
        """.utf8))
  }

  /// A picture in the file's index of pictures, as iPhones write it.
  private static func indexed(_ type: String, _ subtype: String?) throws -> [UInt8] {
    let more = subtype.map { "<apdi:AuxiliaryImageSubType>\($0)</apdi:AuxiliaryImageSubType>" }
    return UltraHDRFile.bytes(
      base: try photo.file("jpegsave_target", best),
      map: try levels.file("jpegsave_target", best),
      describedBy: xmp(
        """
        xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/">\
        <apdi:AuxiliaryImageType>\(type)</apdi:AuxiliaryImageType>\(more ?? "")
        """))
  }

  /// A depth map in the photo's XMP.
  private static func inXMP(_ picture: [UInt8]) throws -> [UInt8] {
    let data = Data(picture).base64EncodedString()
    return UltraHDRFile.inserting(
      xmp(
        """
        xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" \
        GDepth:Format="RangeInverse" GDepth:Mime="image/png" GDepth:Data="\(data)">
        """), into: try photo.file("jpegsave_target", best))
  }

  /// A depth map after the photo.
  private static func appended() throws -> [UInt8] {
    let picture = try levels.file("jpegsave_target", best)
    func item(_ semantic: String, _ length: Int) -> String {
      """
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" \
      Item:Semantic="\(semantic)" Item:Length="\(length)"/></rdf:li>
      """
    }
    let base = UltraHDRFile.inserting(
      xmp(
        """
        xmlns:Container="http://ns.google.com/photos/1.0/container/" \
        xmlns:Item="http://ns.google.com/photos/1.0/container/item/"><Container:Directory>\
        <rdf:Seq>\(item("Primary", 0))\(item("Depth", picture.count))\(item("Extra", 5))</rdf:Seq>\
        </Container:Directory>
        """), into: try photo.file("jpegsave_target", best))
    return base + picture + Array("extra".utf8)
  }

  /// Checks that the filter `invert` under a matte or depth mask changes the photo by the map's
  /// level, 0…1.
  private static func check(
    _ file: [UInt8], _ mask: String, _ level: (Double) -> Double
  ) throws {
    let found = try Samples(
      file: Studio.develop(
        file, #"[{"filter": "invert", "mask": \#(mask)}]"#,
        output: #""format": "png", "bitDepth": "8""#))
    for y in stride(from: 3, to: 61, by: 5) {
      for x in stride(from: 3, to: 93, by: 5) {
        let (u, v) = (Double(x) + 0.5, Double(y) + 0.5)
        let cover = level(min(255, 4 * (u / 2 - 0.5) + 2 * (v / 2 - 0.5)) / 255)
        for (before, after) in zip(photo[x, y], found[x, y]) {
          let wanted = Double(before) + cover * Double(255 - 2 * before)
          #expect(abs(wanted - Double(after)) <= 6, "\(x), \(y)")
        }
      }
    }
  }

  @Test(
    arguments: [
      ("portrait", "depth", "portraiteffectsmatte"),
      ("skin", "urn:com:apple:photo:2019:aux:semanticskinmatte", nil),
      ("sky", "semanticskymatte", nil),
    ] as [(String, String, String?)])
  func mattesInJPEGFilesAreRead(_ kind: String, _ type: String, _ subtype: String?) throws {
    let file = try Self.indexed(type, subtype)
    try Self.check(file, #"{"matte": {"of": "\#(kind)"}}"#) { $0 }
    #expect(JPEGAuxiliary(.hair, in: .bytes(file)) == nil)
    #expect(JPEGAuxiliary(.depth, in: .bytes(file)) == nil)
  }

  /// In the mask, near objects are white: disparities are used unchanged, and distances are
  /// inverted.
  @Test func depthMapsInJPEGFilesAreRead() throws {
    let png = try Self.levels.file("pngsave_target")
    let distances = try [Self.indexed("depth", nil), Self.inXMP(png), Self.appended()]
    let near = try Self.indexed("disparity", nil)
    for (file, isDistance) in [(near, false)] + distances.map({ ($0, true) }) {
      let found = try #require(JPEGAuxiliary(.depth, in: .bytes(file)))
      #expect(found.isDistance == isDistance)
      try Self.check(file, #"{"depth": {"min": 0.7, "feather": 0.4}}"#) { value in
        let nearness = isDistance ? 1 - value : value
        let part = min(max(1 - (0.7 - nearness) / 0.4, 0), 1)
        return part * part * (3 - 2 * part)
      }
    }
  }

  @Test func missingAndDamagedPicturesAreReported() throws {
    let mask = #"[{"filter": "invert", "mask": {"matte": {"of": "portrait"}}}]"#
    let plain = try Self.photo.file("jpegsave_target", Self.best)
    #expect(throws: RenderError.missingPicture(.portrait)) { try Studio.develop(plain, mask) }
    let whole = try Self.indexed("depth", "portraiteffectsmatte")
    for cut in [1, 40, 400] {
      #expect(throws: RenderError.self) {
        try Studio.develop(Array(whole.dropLast(cut)), mask)
      }
    }
    let texts = ["A", "A=B$", "QUJD!", ""]
    for text in texts {
      let file = UltraHDRFile.inserting(
        Self.xmp(
          """
          xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" GDepth:Data="\(text)">
          """), into: plain)
      #expect(JPEGAuxiliary(.depth, in: .bytes(file))?.file.isEmpty ?? true, "\(text)")
    }
    let appended = try Self.appended()
    for place in stride(from: 0, to: 1200, by: 1) {
      var damaged = appended
      damaged[place] ^= 0x15
      _ = JPEGAuxiliary(.depth, in: .bytes(damaged))
    }
  }

  @Test(
    .enabled(if: Corpus.isHere),
    arguments: [
      ("aux/ios-depth-sampler/image-with-matte.jpg", AuxiliaryPicture.portrait),
      ("aux/ios-depth-sampler/image-with-matte.jpg", .depth),
      ("aux/exifr/xmp depth map.jpg", .depth),
    ])
  func auxiliaryPicturesInRealPhotosAreFound(_ name: String, _ kind: AuxiliaryPicture) throws {
    let path = "\(Corpus.folder ?? "")/\(name)"
    let photo = Array(try Data(contentsOf: URL(filePath: path)))
    let stored = try #require(JPEGAuxiliary(kind, in: .bytes(photo)))
    let picture = try Image.load(from: Source(bytes: stored.file))
    let size = try Renderer.header(of: .bytes(photo)).stored
    let ratio = Double(picture.width) / Double(picture.height)
    #expect(abs(ratio / (Double(size.width) / Double(size.height)) - 1) < 0.01)
    let mask =
      kind == .depth
      ? #"{"depth": {"min": 0.5}}"# : #"{"matte": {"of": "portrait"}}"#
    let output = #""format": "png""#
    let resize = #"{"filter": "resize", "longEdge": 400}"#
    let plain = try Samples(file: Studio.develop(photo, "[\(resize)]", output: output))
    let masked = try Samples(
      file: Studio.develop(
        photo, #"[\#(resize), {"filter": "invert", "mask": \#(mask)}]"#, output: output))
    let changed = zip(plain.values, masked.values).filter { abs($0 - $1) > 20 }.count
    #expect(changed > plain.values.count / 50 && changed < plain.values.count * 9 / 10)
  }
}
