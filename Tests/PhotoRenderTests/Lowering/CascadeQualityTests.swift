import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

/// Small outputs that are derived from larger outputs look like outputs derived from the photo.
@Suite struct CascadeQualityTests {
  private static let edges = [2048, 1280, 640, 320]

  private static func recipe(_ edges: [Int], _ rendering: String) throws -> Recipe {
    let outputs = edges.map {
      #"{"name": "s\#($0)", "format": "png", "compression": 1,"#
        + #" "filters": [{"filter": "resize", "longEdge": \#($0)}]}"#
    }
    return try Studio.recipe(
      text: """
        {"identifier": "org.example.sizes", "version": "1.0.0", "rendering": "\(rendering)",
         "outputs": [\(outputs.joined(separator: ", "))]}
        """)
  }

  /// The least similarity between the two smallest sizes derived from larger sizes and the same
  /// sizes derived directly from the photo.
  ///
  /// The photo is a TIFF file, so its loader does not reduce it.
  private static func likeness(_ photo: Image) throws -> Double {
    let file = try SyntheticPhoto.bytes(photo, "tiffsave_target")
    let together = try Studio.render(file, recipe(edges, "balanced")).files
    return try [640, 320].map { edge in
      let name = "s\(edge)"
      let alone = try Studio.render(file, recipe([edge], "exact")).files
      return try Likeness.mean(
        Samples(file: #require(together[name])), Samples(file: #require(alone[name])))
    }.min() ?? 0
  }

  @Test(
    .enabled(if: Corpus.isHere),
    arguments: [
      "photos/metadata-extractor/Canon EOS 450D.jpg",
      "photos/metadata-extractor/Apple iPhone 5.jpg",
      "photos/metadata-extractor/Nikon D40.jpg",
    ])
  func smallSizesOfPhotosLookTheSameFromLargerSizes(_ name: String) throws {
    let path = "\(Corpus.folder ?? "")/\(name)"
    let photo = try Image.load(
      from: Source(bytes: Array(Data(contentsOf: URL(filePath: path)))))
    #expect(try Self.likeness(photo) >= 0.999)
  }

  /// Synthetic fine patterns show the largest differences between reductions.
  ///
  /// If steps of 160 levels from one pixel to the next, which no lens produces, are reduced twice,
  /// there is a little more ringing.
  @Test func smallSizesOfFinePatternsLookTheSameFromLargerSizes() throws {
    let ramps = try SyntheticPhoto.image(width: 2600, height: 1800)
    let found = try Self.likeness(ramps)
    #expect(found >= 0.998)
    var random = SeededGenerator(seed: 11)
    let noise = try Image(
      samples: (0..<2600 * 1800 * 3).map { _ in UInt8(truncatingIfNeeded: random.next()) },
      width: 2600, height: 1800, bands: 3
    ).applying("gaussblur", ["sigma": .number(1)])
      .applying("copy", ["interpretation": .choice("srgb")])
    let ofNoise = try Self.likeness(noise)
    #expect(ofNoise >= 0.999)
  }

  /// Tests the measure of similarity: it is 1 for identical pictures, and much less for different
  /// ones.
  @Test func theSimilarityIsLowForDifferentPictures() throws {
    let picture = try Samples(SyntheticPhoto.image(width: 120, height: 90))
    #expect(abs(Likeness.mean(picture, picture) - 1) < 1e-12)
    var other = picture
    for index in other.values.indices where index % 5 == 0 { other.values[index] /= 2 }
    #expect(Likeness.mean(picture, other) < 0.9)
  }
}
