import Foundation
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Renditions state the photo's resolution, whatever the operations between them do.
@Suite struct ResolutionTests {
  /// A photo of 80 × 60 pixels whose file states 300 dpi.
  private static func photo(_ format: String) throws -> [UInt8] {
    try Studio.develop(
      SyntheticPhoto.png(width: 80, height: 60), "[]",
      output: #""format": "\#(format)", "dpi": 300"#)
  }

  /// The horizontal and the vertical resolution of a file in pixels per inch.
  private static func dpi(_ file: [UInt8]) throws -> [Double] {
    let image = try Image.load(from: Source(bytes: file))
    return [image.horizontalResolution, image.verticalResolution].map { ($0 * 25.4).rounded() }
  }

  /// A JPEG that is reduced is read as planes, which have no resolution, and neither has a shadow.
  @Test(arguments: [
    #"{"filter": "resize", "longEdge": 40}"#,
    #"{"filter": "resize", "width": 30, "height": 30, "fit": "cover"}"#,
    #"{"filter": "shadow"}"#, #"{"filter": "border", "width": 4}"#,
    #"{"filter": "text", "content": "a"}"#, #"{"filter": "roundCorners", "radius": 9}"#,
  ])
  func everyRenditionHasThePhotosResolution(_ step: String) throws {
    for source in ["jpeg", "png", "tiff"] {
      let photo = try Self.photo(source)
      for format in ["jpeg", "png", "tiff"] {
        let file = try Studio.develop(photo, "[\(step)]", output: #""format": "\#(format)""#)
        #expect(try Self.dpi(file) == [300, 300], "\(source) to \(format)")
      }
    }
  }

  @Test func theOutputsOwnResolutionTakesPrecedence() throws {
    let file = try Studio.develop(
      Self.photo("jpeg"), #"[{"filter": "resize", "longEdge": 40}]"#,
      output: #""format": "jpeg", "dpi": 150"#)
    #expect(try Self.dpi(file) == [150, 150])
  }

  @Test func theUnitOfTheResolutionIsThatOfThePhoto() throws {
    let file = try Studio.develop(
      Self.photo("jpeg"), #"[{"filter": "resize", "longEdge": 40}]"#,
      output: #""format": "tiff""#)
    #expect(try Image.load(from: Source(bytes: file)).text("resolution-unit") == "in")
  }

  /// A resolution without a unit states only the shape of a pixel.
  @Test(.enabled(if: ExifTool.isHere), arguments: [("jpeg", "jpg"), ("tiff", "tif")])
  func aResolutionWithoutAUnitIsNotThePhotos(_ source: String, _ suffix: String) throws {
    let photo = try ExifTool.writing(
      ["-IFD0:XResolution=300", "-IFD0:YResolution=300", "-IFD0:ResolutionUnit=None"],
      into: Self.photo(source), suffix)
    for format in ["jpeg", "tiff"] {
      let file = try Studio.develop(
        photo, #"[{"filter": "resize", "longEdge": 40}]"#, output: #""format": "\#(format)""#)
      #expect(try Self.dpi(file) == [72, 72], "\(source) to \(format)")
    }
  }

  /// The unit 0 of a PNG file's chunk `pHYs` is unknown; 1 is the metre.
  @Test(arguments: [(0, 72.0), (1, 300)] as [(UInt8, Double)])
  func aResolutionOfAPNGFileNeedsAUnit(_ unit: UInt8, _ dpi: Double) throws {
    var photo = try Self.photo("png")
    let name = try #require(photo.firstRange(of: Array("pHYs".utf8)))
    photo.removeSubrange(name.lowerBound - 4..<name.upperBound + 13)
    let density = PNGChunks.bytes(11_811) + PNGChunks.bytes(11_811) + [unit]
    let file = try Studio.develop(
      PNGChunks.adding("pHYs", density, to: photo), #"[{"filter": "resize", "longEdge": 40}]"#,
      output: #""format": "jpeg""#)
    #expect(try Self.dpi(file) == [dpi, dpi])
  }

  /// Decoders of some formats ignore the resolution in EXIF.
  @Test(
    .enabled(if: Corpus.isHere),
    arguments: [("live/test_live.HEIC", 72.0), ("metadata/exiv2/Reagan.jxl", 300)])
  func theResolutionInEXIFIsThePhotos(_ name: String, _ dpi: Double) throws {
    let path = "\(try #require(Corpus.folder))/\(name)"
    let file = try Studio.develop(
      [UInt8](Data(contentsOf: URL(filePath: path))),
      #"[{"filter": "resize", "longEdge": 40}]"#, output: #""format": "jpeg""#)
    #expect(try Self.dpi(file) == [dpi, dpi])
  }
}
