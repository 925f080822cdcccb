import Foundation
import TestSupport
import Testing
import Vips

@testable import PhotoRecipes
@testable import PhotoRender

/// `"quality": "source"`: outputs with the quality at which a JPEG photo was saved.
@Suite struct SourceQualityTests {
  private static func coding(_ file: [UInt8]) -> JPEGCoding? { JPEGCoding(.bytes(file)) }

  @Test func theQualityOfAJPEGFileByLibjpegIsFound() throws {
    let photo = Samples.flat([90, 120, 60], 32, 32)
    for quality in 1...100 {
      let file = try photo.file("jpegsave_target", ["Q": .integer(quality)])
      let found = try #require(Self.coding(file)).quality
      // At the lowest qualities, all quantization steps are 255, so neighbouring qualities are the
      // same.
      #expect(found == quality || quality < 3 && abs(found - quality) <= 1, "\(quality): \(found)")
    }
  }

  @Test(arguments: [("off", JPEGFormat.Subsampling.full), ("on", .half)])
  func theChromaSubsamplingOfAJPEGFileIsFound(
    _ mode: String, _ subsampling: JPEGFormat.Subsampling
  ) throws {
    let file = try Samples.flat([90, 120, 60], 32, 32)
      .file("jpegsave_target", ["subsample-mode": .choice(mode)])
    #expect(Self.coding(file)?.subsampling == subsampling)
  }

  @Test(arguments: [35, 77, 96], [JPEGFormat.Subsampling.full, .wide, .half])
  func renditionsHaveTheQualityAndSubsamplingOfThePhoto(
    _ quality: Int, _ subsampling: JPEGFormat.Subsampling
  ) throws {
    let photo = try SyntheticPhoto.bytes(
      SyntheticPhoto.image(width: 120, height: 80), "phbatch_jpegsave",
      [
        "Q": .integer(quality), "columns": .integer(subsampling == .full ? 1 : 2),
        "rows": .integer(subsampling == .half ? 2 : 1),
      ])
    let recipe = try Studio.recipe("[]", output: #""format": "jpeg", "quality": "source""#)
    let (files, report) = try Studio.render(photo, recipe)
    let made = try #require(files["out"].flatMap(Self.coding))
    #expect(made == JPEGCoding(quality: quality, subsampling: subsampling))
    #expect(report.renditions.first?.quality == quality)
  }

  @Test func photosInOtherFormatsAreSavedWithTheDefaultQuality() throws {
    let photo = try Samples.flat([90, 120, 60], 32, 32).file()
    let file = try Studio.develop(photo, "[]", output: #""format": "jpeg", "quality": "source""#)
    #expect(Self.coding(file)?.quality == 82)
  }

  @Test func aByteBudgetMayLowerTheQualityOfTheSource() throws {
    let photo = try SyntheticPhoto.jpeg(width: 400, height: 300, quality: 95)
    let recipe = try Studio.recipe(
      "[]", output: #""format": "jpeg", "quality": "source", "maxBytes": 20000, "minQuality": 5"#)
    let (files, report) = try Studio.render(photo, recipe)
    #expect((files["out"]?.count ?? .max) <= 20_000)
    #expect((report.renditions.first?.quality ?? 95) < 95)
  }

  @Test func invalidQuantizationTablesAreRefused() {
    #expect(JPEGCoding.quality(of: [Int](repeating: 0, count: 64)) == nil)
    #expect(JPEGCoding.quality(of: [1, 2]) == nil)
    #expect(JPEGCoding.quality(of: [Int](repeating: 1, count: 64)) == 100)
    #expect(JPEGCoding.quality(of: [Int](repeating: 4000, count: 64)) == 1)
    for bytes: [UInt8] in [
      [], [0xFF], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xDB, 0, 0],
      [0xFF, 0xD8, 0xFF, 0xDB, 0, 9, 0, 1],
      [0xFF, 0xD8, 0xFF, 0xC0, 0, 3, 8],
    ] {
      #expect(Self.coding(bytes) == nil)
    }
  }

  /// The quality that phbatch finds in photos from cameras and editors is near ExifTool's estimate.
  ///
  /// These photos have quantization tables of the camera or editor, and ExifTool uses another
  /// method.
  @Test(.enabled(if: Corpus.isHere && ExifTool.isHere))
  func theQualityOfCameraPhotosIsNearExifToolsEstimate()
    throws
  {
    let paths = Corpus.files(below: "photos").filter { $0.lowercased().hasSuffix(".jpg") }.prefix(
      60)
    let files = try paths.map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
    let others = try ExifTool.qualities(of: Array(paths))
    var off: [Int] = []
    for (path, file) in zip(paths, files) {
      guard let other = others[path], let own = Self.coding(file)?.quality else { continue }
      off.append(abs(own - other))
      #expect(abs(own - other) <= 20, "\(path): \(own), not \(other)")
    }
    #expect(off.count >= 10, "\(off.count)")
    #expect(off.sorted()[off.count / 2] <= 2, "\(off)")
  }

  /// If a recipe changes neither pixels nor metadata, the rendition is a byte-for-byte copy of the
  /// photo.
  @Test func unchangedPhotosAreCopied() throws {
    let photo = try SyntheticPhoto.bytes(
      SyntheticPhoto.image(width: 120, height: 80), "jpegsave_target",
      ["Q": .integer(77), "strip": .flag(true)])
    let asIs = #""format": "jpeg", "quality": "source", "profile": "preserve", "metadata": "all""#
    let (files, report) = try Studio.render(photo, Studio.recipe("[]", output: asIs))
    #expect(files["out"] == photo && report.renditions.first?.isOriginal == true)
    let brighter = #"[{"filter": "exposure", "stops": 0.5}]"#
    let (others, other) = try Studio.render(photo, Studio.recipe(brighter, output: asIs))
    #expect(others["out"] != photo && other.renditions.first?.isOriginal == false)
    let usual = try Studio.develop(photo, "[]", output: #""format": "jpeg", "quality": 77"#)
    #expect(usual != photo)
  }
}
