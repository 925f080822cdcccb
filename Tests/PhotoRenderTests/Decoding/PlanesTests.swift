import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// JPEG photos that are read as a plane of luma and two planes of chroma; each plane is resampled
/// from its own size.
@Suite struct PlanesTests {
  /// The number of pixels that share a chroma sample, horizontally and vertically: 4:4:4, 4:2:2,
  /// 4:2:0 and 4:4:0.
  struct Sharing: Sendable {
    let columns: Int
    let rows: Int

    static let all = [(1, 1), (2, 1), (2, 2), (1, 2)].map { Sharing(columns: $0, rows: $1) }
  }

  private static func photo(
    _ size: Size, _ sharing: Sharing = .all[2], _ arguments: [String: Argument] = [:]
  ) throws -> [UInt8] {
    let image = try SyntheticPhoto.image(width: size.width, height: size.height)
    let all: [String: Argument] = [
      "Q": .integer(92), "columns": .integer(sharing.columns), "rows": .integer(sharing.rows),
    ]
    return try SyntheticPhoto.bytes(image, "phbatch_jpegsave", all.merging(arguments) { $1 })
  }

  private static func planes(_ photo: [UInt8], shrink: Int = 1) throws -> Image {
    try Image.calling(
      "phbatch_jpegload",
      ["source": .source(Source(bytes: photo)), "shrink": .integer(shrink)]
    ).image("out")
  }

  private static let sizes = [
    Size(64, 48), Size(33, 21), Size(50, 37), Size(17, 16), Size(1, 1), Size(129, 3), Size(5, 90),
  ]

  @Test(arguments: TestVolume.pairs(sizes, Sharing.all))
  func resampledPlanesEqualWeightedSumsOfTheirSamples(_ size: Size, _ sharing: Sharing) throws {
    let photo = try Self.photo(size, sharing)
    let image = try Self.planes(photo).applying("sequential", ["tile-height": .integer(16)])
      .materialized()
    let stored = StoredPlanes(try image.pixels(), row: image.width, size, sharing)
    for target in [Size(24, 18), Size(13, 29), Size(40, 7), size] {
      let made = try image.applying(
        "phbatch_resize_planes",
        [
          "width": .integer(target.width), "height": .integer(target.height),
          "format": .choice("uchar"),
        ]
      ).pixels()
      let wanted = stored.resized(to: target)
      let worst = zip(made, wanted).map { abs(Double($0) - $1) }.max() ?? 9
      #expect(made.count == wanted.count && worst <= 0.51, "\(size) to \(target): \(worst)")
    }
  }

  /// If chroma has the resolution of luma, the planes at their original size give the RGB values
  /// that libvips decodes.
  @Test(arguments: sizes) func planesWithoutSubsamplingEqualThePixelsThatLibvipsDecodes(
    _ size: Size
  ) throws {
    let photo = try Self.photo(size, .all[0])
    let made = try Self.planes(photo).applying("sequential", ["tile-height": .integer(16)])
      .applying(
        "phbatch_resize_planes",
        [
          "width": .integer(size.width), "height": .integer(size.height),
          "format": .choice("uchar"),
        ]
      ).pixels()
    let wanted = try Image.calling("jpegload_source", ["source": .source(Source(bytes: photo))])
      .image("out").pixels()
    #expect(made.count == wanted.count)
    #expect(zip(made, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  /// Planes of luma and chroma that are stored in a temporary file keep their layout.
  @Test func planesKeepTheirLayoutInATemporaryFile() throws {
    let photo = try Self.photo(Size(50, 37))
    func reduced(_ planes: Image) throws -> [UInt8] {
      try planes.applying(
        "phbatch_resize_planes",
        ["width": .integer(20), "height": .integer(15), "format": .choice("uchar")]
      ).pixels()
    }
    let planes = try Self.planes(photo).applying("sequential", ["tile-height": .integer(16)])
    let held = try Self.planes(photo).applying("sequential", ["tile-height": .integer(16)])
      .materialized(inFile: true)
    #expect(try reduced(planes) == reduced(held))
  }

  /// The header reader predicts the layout that the decoder of planes produces.
  @Test(arguments: sizes, [1, 2, 4, 8])
  func theLayoutOfPlanesIsPredictedFromTheHeader(_ size: Size, _ shrink: Int) throws {
    for sharing in Sharing.all {
      try Self.expectForesight(Self.photo(size, sharing), size, shrink, "\(size) \(sharing)")
    }
  }

  @Test(.enabled(if: Corpus.isHere), arguments: [1, 2, 4, 8])
  func theLayoutOfPlanesInCameraJPEGsIsPredicted(_ shrink: Int) throws {
    let folder = try #require(Corpus.folder)
    var count = 0
    for name in try Corpus.index().compactMap(\.first) where name.lowercased().hasSuffix(".jpg") {
      let bytes = Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
      guard let header = try? Renderer.header(of: .bytes(bytes)), header.planes != nil else {
        continue
      }
      try Self.expectForesight(bytes, header.stored, shrink, name)
      count += 1
    }
    #expect(count > 100)
  }

  private static func expectForesight(
    _ bytes: [UInt8], _ size: Size, _ shrink: Int, _ name: String
  ) throws {
    let layout = try #require(JPEGPlanes(.bytes(bytes)), "\(name)")
    let image = try planes(bytes, shrink: shrink)
    let frame = layout.frame(of: size, shrink: shrink)
    #expect(frame.size == Size(image.width, image.height), "\(name) by \(shrink)")
    #expect(frame.bands == image.bands)
  }

  /// Outputs rendered from planes are close to outputs rendered from the whole RGB photo.
  ///
  /// The outputs have several sizes, some derived from others, and filters that read neighbouring
  /// or earlier rows.
  @Test func outputsRenderedFromPlanesAreCloseToThoseRenderedFromRGB() throws {
    let photo = try Self.photo(Size(820, 1450))
    func rendered(_ rendering: String) throws -> [String: Samples] {
      let recipe = try Studio.recipe(
        text: """
          {"identifier": "org.example.many", "version": "1.0.0", "rendering": "\(rendering)",
           "outputs": [
            {"name": "a", "format": "png", "filters": [{"filter": "resize", "longEdge": 1000}]},
            {"name": "b", "format": "png", "filters": [
              {"filter": "resize", "longEdge": 750}, {"filter": "sharpen", "opacity": 0.5}]},
            {"name": "c", "format": "png", "filters": [
              {"filter": "resize", "width": 250}, {"filter": "blur", "radius": 40, "opacity": 0.5},
              {"filter": "resize", "id": "again", "width": 150}]},
            {"name": "d", "format": "png", "filters": [
              {"filter": "resize", "longEdge": 600}, {"filter": "rotate", "angle": 90}]}]}
          """)
      return try Studio.render(photo, recipe).files.mapValues { try Samples(file: $0) }
    }
    let (wanted, made) = try (rendered("exact"), rendered("balanced"))
    #expect(made.count == 4)
    for (name, samples) in wanted {
      let other = try #require(made[name])
      let mean = samples.meanDifference(from: other)
      #expect(mean < 0.6, "\(name): \(mean)")
    }
  }

  /// A photo is read as RGB if its file has no planes of luma and chroma, or if more than a
  /// reduction is needed.
  @Test func photosWithoutPlanesOrWithOtherStepsAreReadAsRGB() throws {
    let small = #"[{"filter": "resize", "longEdge": 40}]"#
    let size = Size(96, 64)
    #expect(try Self.isReadAsPlanes(Self.photo(size), small))
    #expect(try !Self.isReadAsPlanes(Self.photo(size), small, rendering: "exact"))
    #expect(try !Self.isReadAsPlanes(Self.photo(size, .all[2], ["interlace": .flag(true)]), small))
    #expect(try !Self.isReadAsPlanes(SyntheticPhoto.png(), small))
    for filters in [
      "[]", #"[{"filter": "exposure", "stops": 1}]"#,
      #"[{"filter": "resize", "longEdge": 40, "linear": true}]"#,
      #"[{"filter": "resize", "longEdge": 40, "kernel": "nearest"}]"#,
      #"[{"filter": "crop", "width": 60, "height": 60}, {"filter": "resize", "longEdge": 40}]"#,
    ] {
      #expect(try !Self.isReadAsPlanes(Self.photo(size), filters), "\(filters)")
    }
    let grey = try SyntheticPhoto.bytes(
      SyntheticPhoto.image(width: 96, height: 64).applying(
        "colourspace", ["space": .choice("b-w")]), "jpegsave_target")
    #expect(try !Self.isReadAsPlanes(grey, small))
    let inks = try SyntheticPhoto.bytes(
      SyntheticPhoto.image(width: 96, height: 64).applying(
        "colourspace", ["space": .choice("cmyk")]), "jpegsave_target")
    #expect(try !Self.isReadAsPlanes(inks, small))
  }

  private static func isReadAsPlanes(
    _ photo: [UInt8], _ filters: String, rendering: String = "balanced"
  ) throws -> Bool {
    let renderer = Renderer(try Studio.recipe(filters, rendering: rendering))
    let pipeline = try renderer.plan(.bytes(photo)).pipeline
    let reads = pipeline.calls.contains { $0.step.arguments["planes"] != nil }
    let resizes = pipeline.calls.contains { $0.step.operation == .kernel(.resizePlanes) }
    #expect(reads == resizes)
    return reads
  }

  /// A JPEG file whose components are R, G and B, as Adobe's marker states, is not read as planes
  /// of luma and chroma.
  @Test func aJPEGFileWithRGBComponentsIsNotReadAsPlanes() throws {
    var bytes = try Self.photo(Size(40, 40))
    #expect(JPEGPlanes(.bytes(bytes)) != nil)
    let adobe: [UInt8] = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
    bytes.insert(contentsOf: adobe, at: 2)
    #expect(JPEGPlanes(.bytes(bytes)) == nil)
  }
}

/// The planes of a JPEG photo as values 0…255.
private struct StoredPlanes {
  private struct Plane {
    let width: Int
    let height: Int
    /// The number of samples in a row that the picture covers; a fraction if the picture covers the
    /// last sample only in part.
    let across: Double
    let down: Double
    let values: [Double]
  }

  private let planes: [Plane]

  init(_ bytes: [UInt8], row: Int, _ size: Size, _ sharing: PlanesTests.Sharing) {
    func blocks(_ edge: Int) -> Int { (size.width + edge - 1) / edge * 8 }
    let (fine, coarse) = (blocks(8), blocks(8 * sharing.columns))
    planes = (0..<3).map { number in
      let (columns, rows) = number == 0 ? (1, 1) : (sharing.columns, sharing.rows)
      let width = (size.width + columns - 1) / columns
      let height = (size.height + rows - 1) / rows
      let left = number == 0 ? 0 : sharing.rows * fine + (number - 1) * coarse
      let beside = number == 0 ? sharing.rows : 1
      let values = (0..<width * height).map { index in
        let (x, y) = (index % width, index / width)
        return Double(bytes[y / beside * row + left + y % beside * fine + x])
      }
      return Plane(
        width: width, height: height, across: Double(size.width) / Double(columns),
        down: Double(size.height) / Double(rows), values: values)
    }
  }

  /// Interleaved R, G and B, 0…255, not rounded.
  ///
  /// - Source: ITU-T T.871, section 7.
  func resized(to size: Size) -> [Double] {
    let resized = planes.map { Self.resized($0, size) }
    return (0..<size.width * size.height).flatMap { index -> [Double] in
      let (y, blue, red) = (
        resized[0][index], resized[1][index] - 128, resized[2][index] - 128
      )
      return [y + 1.402 * red, y - 0.344136 * blue - 0.714136 * red, y + 1.772 * blue]
        .map { min(max($0, 0), 255) }
    }
  }

  private static func resized(_ plane: Plane, _ size: Size) -> [Double] {
    let columns = weights(plane.width, plane.across, size.width)
    let rows = weights(plane.height, plane.down, size.height)
    return rows.flatMap { row in
      columns.map { column in
        row.reduce(0) { sum, vertical in
          sum + vertical.weight
            * column.reduce(0) {
              $0 + $1.weight * plane.values[vertical.sample * plane.width + $1.sample]
            }
        }
      }
    }
  }

  /// The input samples of each output sample, and their weights by Lanczos with three lobes.
  private static func weights(
    _ count: Int, _ extent: Double, _ outputs: Int
  ) -> [[(sample: Int, weight: Double)]] {
    (0..<outputs).map { output in
      let stretch = max(1, extent / Double(outputs))
      let centre = (Double(output) + 0.5) * extent / Double(outputs) - 0.5
      let first = Int((centre - 3 * stretch).rounded(.up))
      let last = Int((centre + 3 * stretch).rounded(.down))
      let weights = (first...last).map { lanczos((Double($0) - centre) / stretch) }
      let total = weights.reduce(0, +)
      return zip(first...last, weights).map { (min(max($0, 0), count - 1), $1 / total) }
    }
  }

  private static func lanczos(_ x: Double) -> Double {
    func sinc(_ x: Double) -> Double { abs(x) < 1e-9 ? 1 : sin(.pi * x) / (.pi * x) }
    return abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0
  }
}
