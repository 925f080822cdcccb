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
  private static let photo = Samples(96, 64) { x, y in [40 + x / 2, 60 + y, 90 - y / 2] }
  private static let levels = Samples(48, 32) { x, y in [min(255, 4 * x + 2 * y)] }

  private static let made = AuxiliaryJPEGFile(photo: photo, levels: levels)

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
    let file = try Self.made.indexed(type, subtype)
    try Self.check(file, #"{"matte": {"of": "\#(kind)"}}"#) { $0 }
    #expect(AuxiliaryData(.hair, in: .bytes(file)) == nil)
    #expect(AuxiliaryData(.depth, in: .bytes(file)) == nil)
  }

  /// In the mask, near objects are white: disparities are used unchanged, and distances are
  /// inverted.
  @Test func depthMapsInJPEGFilesAreRead() throws {
    let distances = try [
      Self.made.indexed("depth", nil), Self.made.inXMP(), Self.made.appended(),
      Self.made.dynamic(#"DepthMap:Format="RangeInverse""#),
    ]
    let near = try Self.made.indexed("disparity", nil)
    for (file, isDistance) in [(near, false)] + distances.map({ ($0, true) }) {
      let found = try #require(AuxiliaryData(.depth, in: .bytes(file)))
      #expect((found.range != nil) == isDistance)
      try Self.check(file, #"{"depth": {"min": 0.7, "feather": 0.4}}"#) { value in
        let nearness = isDistance ? 1 - value : value
        let part = min(max(1 - (0.7 - nearness) / 0.4, 0), 1)
        return part * part * (3 - 2 * part)
      }
    }
  }

  @Test func missingAndDamagedPicturesAreReported() throws {
    let mask = #"[{"filter": "invert", "mask": {"matte": {"of": "portrait"}}}]"#
    let plain = try Self.photo.file("jpegsave_target", AuxiliaryJPEGFile.best)
    #expect(throws: RenderError.missingPicture(.portrait)) { try Studio.develop(plain, mask) }
    let whole = try Self.made.indexed("depth", "portraiteffectsmatte")
    for cut in [1, 40, 400] {
      #expect(throws: RenderError.self) {
        try Studio.develop(Array(whole.dropLast(cut)), mask)
      }
    }
    let texts = ["A", "A=B$", "QUJD!", ""]
    for text in texts {
      let file = UltraHDRFile.inserting(
        AuxiliaryJPEGFile.xmp(
          """
          xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" GDepth:Data="\(text)">
          """), into: plain)
      #expect(AuxiliaryData(.depth, in: .bytes(file))?.picture.isEmpty ?? true, "\(text)")
    }
    let appended = try [Self.made.appended(), Self.made.dynamic("")]
    for place in stride(from: 0, to: 1800, by: 1) {
      for var damaged in appended {
        damaged[place] ^= 0x15
        _ = AuxiliaryData(.depth, in: .bytes(damaged))
      }
    }
  }

  /// Equal steps of a mask are equal steps of the reciprocal of the distance, also if equal steps of
  /// the map are equal steps of the distance.
  @Test func linearDistancesBecomeReciprocalDistances() throws {
    let (near, far) = (0.5, 8.0)
    let distances = """
      <apdi:FloatMinValue>0.5</apdi:FloatMinValue><apdi:FloatMaxValue>8</apdi:FloatMaxValue>
      """
    let files = try [
      Self.made.inXMP(#"GDepth:Format="RangeLinear" GDepth:Near="0.5" GDepth:Far="8""#),
      Self.made.dynamic(#"DepthMap:Format="RangeLinear" DepthMap:Near="0.5" DepthMap:Far="8.0""#),
      Self.made.indexed("depth", nil, distances),
    ]
    for file in files {
      try Self.check(file, #"{"depth": {"min": 0.2, "feather": 0.2}}"#) { value in
        let distance = near + value * (far - near)
        let nearness = (1 / distance - 1 / far) / (1 / near - 1 / far)
        let part = min(max(1 - (0.2 - nearness) / 0.2, 0), 1)
        return part * part * (3 - 2 * part)
      }
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
    let stored = try #require(AuxiliaryData(kind, in: .bytes(photo)))
    let picture = try Image.load(from: Source(bytes: stored.picture))
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
