import Foundation
import Notation
import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

/// The difference between `balanced` and `exact` rendering: shrink-on-load, tone curves after the
/// reduction, and small sizes derived from larger ones.
@Suite(.enabled(if: Corpus.isHere)) struct BalancedTests {
  private static let photos = [
    "photos/nolmoonen/012mp-bus.jpg", "photos/metadata-extractor/Canon EOS 450D.jpg",
    "photos/metadata-extractor/Leica T (Typ 701).jpg",
  ]

  private static func renditions(
    _ photo: [UInt8], filters: String, _ rendering: String
  ) throws -> [String: Samples] {
    let outputs = [1600, 700, 300].map {
      #"{"name": "s\#($0)", "format": "png", "filters": [{"filter": "resize", "longEdge": \#($0)}]}"#
    }
    let text =
      #"{"identifier": "a.b", "version": "1.0.0", "rendering": "\#(rendering)", "filters": \#(filters), "outputs": [\#(outputs.joined(separator: ", "))]}"#
    let document = try RecipeDocument(SourceText(name: "test", text: text)) {
      _ throws(Problem) in throw .missingKey("file", in: "the test")
    }
    return try Studio.render(photo, document.recipe().recipe).files
      .mapValues { try Samples(file: $0) }
  }

  @Test(arguments: photos)
  func balancedRenderingIsCloseToExactRendering(_ name: String) throws {
    let folder = try #require(Corpus.folder)
    let photo = Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    let filters =
      #"[{"filter": "exposure", "stops": 0.4}, {"filter": "contrast", "amount": 0.2}, {"filter": "vibrance", "amount": 0.3}]"#
    let exact = try Self.renditions(photo, filters: filters, "exact")
    let balanced = try Self.renditions(photo, filters: filters, "balanced")
    for (output, truth) in exact.sorted(by: { $0.key < $1.key }) {
      let other = try #require(balanced[output])
      let similarity = Similarity(truth, other)
      #expect(similarity.structure >= 0.985, "\(name) \(output): \(similarity)")
      #expect(similarity.meanDifference <= 2, "\(name) \(output): \(similarity)")
    }
  }
}

/// The similarity of two pictures of the same size.
private struct Similarity {
  /// The mean structural similarity of the green channel over blocks of 8 × 8.
  ///
  /// - Source: Z. Wang et al., "Image Quality Assessment", IEEE Trans. Image Process. 13 (2004).
  let structure: Double
  /// The mean difference in levels of 255.
  let meanDifference: Double

  init(_ a: Samples, _ b: Samples) {
    precondition(a.width == b.width && a.height == b.height && a.bands == b.bands)
    let differences = zip(a.values, b.values).map { abs($0 - $1) }
    meanDifference = Double(differences.reduce(0, +)) / Double(differences.count)
    var total = 0.0
    var count = 0.0
    for top in stride(from: 0, to: a.height - 7, by: 8) {
      for left in stride(from: 0, to: a.width - 7, by: 8) {
        total += Self.structure(a, b, left, top)
        count += 1
      }
    }
    structure = total / count
  }

  private static func structure(_ a: Samples, _ b: Samples, _ left: Int, _ top: Int) -> Double {
    var (sumA, sumB, squareA, squareB, product) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for y in top..<top + 8 {
      for x in left..<left + 8 {
        let index = (y * a.width + x) * a.bands + 1
        let (p, q) = (Double(a.values[index]), Double(b.values[index]))
        sumA += p
        sumB += q
        squareA += p * p
        squareB += q * q
        product += p * q
      }
    }
    let (meanA, meanB) = (sumA / 64, sumB / 64)
    let (varianceA, varianceB) = (squareA / 64 - meanA * meanA, squareB / 64 - meanB * meanB)
    let covariance = product / 64 - meanA * meanB
    let (c1, c2) = (6.5025, 58.5225)
    return (2 * meanA * meanB + c1) * (2 * covariance + c2)
      / ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2))
  }
}
