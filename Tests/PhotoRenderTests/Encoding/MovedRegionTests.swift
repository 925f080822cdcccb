import Foundation
import TestSupport
import Testing
import Vips

@testable import PhotoMetadata
@testable import PhotoRender

/// Regions in the metadata, such as those of faces, move with the pixels that they mark; ExifTool
/// reads the renditions.
@Suite(.enabled(if: ExifTool.isHere)) struct MovedRegionTests {
  /// The marked square of a photo of 240 × 160 pixels, as stored.
  private static let (left, top, edge) = (150, 40, 24)

  /// A grey photo with a red square and with a region at the lower left corner.
  ///
  /// Regions in three metadata vocabularies mark the red square.
  private static func photo(orientation: Int = 1) throws -> [UInt8] {
    let pixels = (0..<160).flatMap { y in
      (0..<240).flatMap { x in
        let isMarked = (left..<left + edge).contains(x) && (top..<top + edge).contains(y)
        return isMarked ? [220, 20, 20] : [110, 110, 110]
      }
    }
    let plain = try Samples(width: 240, height: 160, bands: 3, maximum: 255, values: pixels)
      .file("jpegsave_target", ["Q": .integer(95)])
    let (x, y) = (Double(left) / 240, Double(top) / 160)
    let (w, h) = (Double(edge) / 240, Double(edge) / 160)
    return try ExifTool.writing(
      [
        "-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=240,H=160,Unit=pixel},RegionList=["
          + "{Name=Ada Marked,Type=Face,Area={X=\(x + w / 2),Y=\(y + h / 2),W=\(w),H=\(h),"
          + "Unit=normalized}},"
          + "{Name=Bob Corner,Type=Face,Area={X=0.05,Y=0.95,W=0.05,H=0.05,Unit=normalized}}]}",
        "-XMP-iptcExt:ImageRegion=[{Name=Ada Marked,RegionBoundary={RbShape=rectangle,"
          + "RbUnit=relative,RbX=\(x),RbY=\(y),RbW=\(w),RbH=\(h)}},"
          + "{Name=Cy Circle,RegionBoundary={RbShape=circle,RbUnit=relative,RbX=0.7,RbY=0.3,"
          + "RbRx=0.1}}]",
        "-XMP-MP:RegionInfoMP={Regions=[{PersonDisplayName=Ada Marked,"
          + "Rectangle=\(x)|, \(y)|, \(w)|, \(h)}]}",
        "-EXIF:Orientation#=\(orientation)",
      ], into: plain, "jpg")
  }

  private static func numbers(_ text: String?) -> [Double] {
    (text ?? "").split { " ,[]".contains($0) }.compactMap { Double($0) }
  }

  /// Checks that the regions of a rendition are at the red square.
  private static func expectMarked(_ file: [UInt8], _ comment: Comment) throws {
    let (tags, picture) = (try ExifTool.tags(of: file), try Samples(file: file))
    func value(_ name: String) -> Double { numbers(tags[name]).first ?? -1 }
    let area = "XMP-mwg-rs:RegionArea"
    let boundary = "XMP-iptcExt:ImageRegionBoundary"
    let rectangle = numbers(tags["XMP-MP:RegionRectangle"])
    try #require(rectangle.count == 4, comment)
    let boxes = [
      [
        value(area + "X") - value(area + "W") / 2, value(area + "Y") - value(area + "H") / 2,
        value(area + "W"), value(area + "H"),
      ],
      ["X", "Y", "W", "H"].map { value(boundary + $0) }, rectangle,
    ]
    // The bounding box of the red pixels.
    var (xs, ys): ([Int], [Int]) = ([], [])
    for y in 0..<picture.height {
      for x in 0..<picture.width where picture[x, y, 0] > 160 && picture[x, y, 1] < 90 {
        xs.append(x)
        ys.append(y)
      }
    }
    let (width, height) = (Double(picture.width), Double(picture.height))
    let first = [Double(try #require(xs.min())) / width, Double(try #require(ys.min())) / height]
    let last = [
      Double(try #require(xs.max()) + 1) / width, Double(try #require(ys.max()) + 1) / height,
    ]
    let wanted = first + [last[0] - first[0], last[1] - first[1]]
    for box in boxes {
      #expect(
        zip(box, wanted).allSatisfy { abs($0 - $1) < 0.03 }, "\(comment): \(box), not \(wanted)")
    }
    #expect(value("XMP-mwg-rs:RegionAppliedToDimensionsW") == width, comment)
    #expect(value("XMP-mwg-rs:RegionAppliedToDimensionsH") == height, comment)
    #expect(tags["XMP-iptcExt:ImageRegionName"]?.contains("Cy Circle") == false, comment)
  }

  private static let filters = [
    #"[{"filter": "crop", "left": 0.4, "top": 0.1, "width": 0.5, "height": 0.6}]"#,
    #"[{"filter": "rotate", "angle": 90}, {"filter": "crop", "bottom": 0.2}]"#,
    #"[{"filter": "flip", "direction": "horizontal"}, {"filter": "resize", "width": 120}]"#,
    #"[{"filter": "straighten", "angle": 8}]"#,
    #"[{"filter": "resize", "width": 100, "height": 100, "fit": "cover"}]"#,
    #"[{"filter": "border", "width": 0.1}]"#,
  ]

  private static func rendition(_ filters: String, orientation: Int = 1) throws -> [UInt8] {
    try Studio.develop(
      photo(orientation: orientation), filters,
      output: #""format": "jpeg", "quality": 95, "metadata": "all""#)
  }

  @Test(arguments: filters) func regionsMoveWithTheMarkedPixels(_ filters: String) throws {
    try Self.expectMarked(Self.rendition(filters), "\(filters)")
  }

  @Test(arguments: [2, 3, 5, 6, 7, 8]) func regionsOfARotatedPhotoMoveWithTheMarkedPixels(
    _ orientation: Int
  ) throws {
    try Self.expectMarked(Self.rendition("[]", orientation: orientation), "\(orientation)")
    let crop = #"[{"filter": "crop", "left": 10, "top": 5, "right": 8, "bottom": 3}]"#
    try Self.expectMarked(Self.rendition(crop, orientation: orientation), "\(orientation), crop")
  }

  @Test func regionsOutsideTheFrameAreDropped() throws {
    let right = try Self.rendition(#"[{"filter": "crop", "left": 0.5}]"#)
    let text = String(decoding: right, as: UTF8.self)
    #expect(text.contains("Ada Marked") && !text.contains("Bob Corner"))
    let corner = try Self.rendition(#"[{"filter": "crop", "right": 0.7, "top": 0.5}]"#)
    let rest = String(decoding: corner, as: UTF8.self)
    #expect(rest.contains("Bob Corner") && !rest.contains("Ada Marked"))
    #expect(!rest.contains("ImageRegion") && !rest.contains("MPRI"))
  }

  @Test func namesOfPeopleAreDroppedOnRequest() throws {
    let file = try Studio.develop(
      Self.photo(), Self.filters[0],
      output: #""format": "jpeg", "metadata": {"drop": ["people"]}"#)
    let text = String(decoding: file, as: UTF8.self)
    for word in ["Ada", "Bob", "Cy", "Region", "stArea"] {
      #expect(!text.contains(word), "\(word)")
    }
  }
}
