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

/// The structural similarity of the luma of two pictures, averaged over all Gaussian windows (σ
/// 1.5, 11 pixels wide) that are completely inside the pictures.
///
/// - Source: Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli, "Image quality assessment: from
///   error visibility to structural similarity", IEEE Transactions on Image Processing 13, 2004.
private enum Likeness {
  private static let weights: [Double] = {
    let all = stride(from: -5.0, through: 5, by: 1).map { exp(-$0 * $0 / 4.5) }
    let sum = all.reduce(0, +)
    return all.map { $0 / sum }
  }()

  static func mean(_ a: Samples, _ b: Samples) -> Double {
    guard a.width == b.width, a.height == b.height else { return 0 }
    let (x, y) = (luma(a), luma(b))
    let window = { filtered($0, a.width, a.height) }
    let (mx, my) = (window(x), window(y))
    let (xx, yy) = (window(zip(x, x).map(*)), window(zip(y, y).map(*)))
    let xy = window(zip(x, y).map(*))
    let (c1, c2) = (6.5025, 58.5225)
    var sum = 0.0
    for i in mx.indices {
      let (vx, vy) = (xx[i] - mx[i] * mx[i], yy[i] - my[i] * my[i])
      let covariance = xy[i] - mx[i] * my[i]
      let light = (2 * mx[i] * my[i] + c1) / (mx[i] * mx[i] + my[i] * my[i] + c1)
      sum += light * (2 * covariance + c2) / (vx + vy + c2)
    }
    return sum / Double(mx.count)
  }

  private static func luma(_ picture: Samples) -> [Double] {
    stride(from: 0, to: picture.values.count, by: picture.bands).map { i in
      guard picture.bands >= 3 else { return Double(picture.values[i]) }
      return 0.299 * Double(picture.values[i]) + 0.587 * Double(picture.values[i + 1])
        + 0.114 * Double(picture.values[i + 2])
    }
  }

  private static func filtered(_ plane: [Double], _ width: Int, _ height: Int) -> [Double] {
    let inner = width - 10
    var rows = [Double](repeating: 0, count: inner * height)
    for y in 0..<height {
      for x in 0..<inner {
        var sum = 0.0
        for k in 0...10 { sum += weights[k] * plane[y * width + x + k] }
        rows[y * inner + x] = sum
      }
    }
    var result = [Double](repeating: 0, count: inner * (height - 10))
    for y in 0..<height - 10 {
      for x in 0..<inner {
        var sum = 0.0
        for k in 0...10 { sum += weights[k] * rows[(y + k) * inner + x] }
        result[y * inner + x] = sum
      }
    }
    return result
  }
}
