import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Sharpened photos in colour spaces larger than sRGB.
@Suite struct SharpenedWideTests {
  private static let spaces = ["display-p3", "adobe-rgb", "prophoto", "rec2020"]

  /// A photo with edges and all hues, including Display P3 colours outside sRGB.
  private static func photo(_ profile: StandardProfile) throws -> [UInt8] {
    var values: [Int] = []
    for y in 0..<96 {
      for x in 0..<128 {
        let cell = (x / 5 + y / 3) % 7
        values += [x * 2, 255 - y * 2 - cell * 9, (x + y * 3 + cell * 31) % 256]
      }
    }
    return try Samples(width: 128, height: 96, bands: 3, maximum: 255, values: values)
      .file(fields: ["icc-profile-data": .blob(profile.bytes)])
  }

  private static let filters = [
    #"[{"filter": "exposure", "stops": 0.4}, {"filter": "sharpen", "amount": 0.5, "radius": 0.8}]"#,
    #"""
    [{"filter": "exposure", "stops": -0.2}, {"filter": "sharpen", "amount": 0.5, "radius": 0.8},
     {"filter": "vignette", "intensity": -0.4}]
    """#,
  ]

  private static func pipeline(_ recipe: Recipe, _ photo: [UInt8]) throws -> Pipeline {
    try Renderer(recipe).plan(.bytes(photo)).pipeline
  }

  /// The 8-bit result differs from the exact 16-bit result by at most 1.25 levels of 255, mainly
  /// through rounding.
  @Test(arguments: spaces, filters)
  func eightBitResultsAreCloseToTheExactSixteenBitResult(_ space: String, _ filters: String) throws
  {
    for profile in [StandardProfile.srgb, .displayP3] {
      let photo = try Self.photo(profile)
      let recipe = try Studio.recipe(
        filters, output: #""format": "png", "bitDepth": "8", "profile": "\#(space)""#)
      let steps = try Self.pipeline(recipe, photo).calls.map(\.step)
      let last = try #require(steps.last)
      #expect(last.operation == .kernel(.area(.unsharp)) && last.arguments["program"] != nil)
      let found = try Samples(file: try #require(Studio.render(photo, recipe).files["out"]))
      let exact = try Samples(
        file: Studio.develop(
          photo, filters, output: #""format": "tiff", "bitDepth": "16", "profile": "\#(space)""#,
          rendering: "exact"))
      let most = zip(found.values, exact.values).map { abs(Double($0) - Double($1) / 257) }.max()
      // The tolerance allows half a level for rounding, and more near black, where a level of Adobe
      // RGB is only a fraction of a level of sRGB.
      #expect(try #require(most) <= 1.25, "\(space): \(most ?? 0)")
    }
  }

  /// Blurs each line of values along the line, with a standard deviation of 0.8; the values at the
  /// ends are repeated.
  private static func blurred(_ lines: [[Double]]) -> [[Double]] {
    let reach = 3
    let weights: [Double] = (-reach...reach).map { exp(-0.78125 * Double($0 * $0)) }
    let total: Double = weights.reduce(0, +)
    return lines.map { line in
      line.indices.map { place in
        var sum = 0.0
        for step in -reach...reach {
          sum += weights[reach + step] * line[min(max(place + step, 0), line.count - 1)]
        }
        return sum / total
      }
    }
  }

  private static func transposed(_ lines: [[Double]]) -> [[Double]] {
    lines[0].indices.map { column in lines.map { $0[column] } }
  }

  /// The expected samples 0…1 of another space: the photo in sRGB, sharpened by 0.8 with a radius
  /// of 0.8, in double precision and without clipping.
  private static func sharpened(in space: StandardProfile) throws -> [Double] {
    let photo = try Samples(file: Self.photo(.srgb))
    let codes: [ColourMatrix.Vector] = (0..<photo.width * photo.height).map { pixel in
      let samples: [Double] = photo.values[3 * pixel..<3 * pixel + 3].map { Double($0) / 255 }
      return ColourMatrix.Vector(samples[0], samples[1], samples[2])
    }
    let weights = ColourMatrix.Vector(0.2126, 0.7152, 0.0722)
    let lumas: [[Double]] = (0..<photo.height).map { row in
      codes[row * photo.width..<(row + 1) * photo.width].map { ($0 * weights).sum() }
    }
    let means = transposed(blurred(transposed(blurred(lumas))))
    let conversion = PointProgram(try #require(ICCProfile(space.bytes)?.fromSRGB))
    var values: [Double] = []
    for (place, code) in codes.enumerated() {
      let (row, column) = (place / photo.width, place % photo.width)
      let change: Double = 0.8 * (lumas[row][column] - means[row][column])
      let colour = try #require(conversion(code + ColourMatrix.Vector(repeating: change)))
      values += [colour.x, colour.y, colour.z].map { min(max($0, 0), 1) }
    }
    return values
  }

  /// Samples that are brighter than white or darker than black in sRGB are ordinary colours of the
  /// larger space.
  @Test(arguments: [
    (StandardProfile.displayP3, "display-p3"), (.adobeRGB, "adobe-rgb"), (.proPhoto, "prophoto"),
    (.rec2020, "rec2020"),
  ])
  func aPhotoThatIsOnlySharpenedIsNotClipped(_ profile: StandardProfile, _ space: String) throws {
    let filters = #"[{"filter": "sharpen", "amount": 0.8, "radius": 0.8}]"#
    let exact = try Self.sharpened(in: profile)
    func most(_ output: String, _ rendering: String, full: Double) throws -> Double {
      let found = try Samples(
        file: Studio.develop(
          Self.photo(.srgb), filters, output: output + #", "profile": "\#(space)""#,
          rendering: rendering))
      #expect(found.values.count == exact.count)
      let differences: [Double] = zip(found.values, exact).map { abs(Double($0) - $1 * full) }
      return differences.max() ?? .infinity
    }
    let fine = try most(#""format": "tiff", "bitDepth": "16""#, "exact", full: 65_535)
    #expect(fine <= 4)
    for rendering in ["exact", "balanced"] {
      let plain = try most(#""format": "png", "bitDepth": "8""#, rendering, full: 255)
      #expect(plain <= 1, "\(rendering)")
    }
  }

  @Test func sharpenedColoursOutsideSRGBAreKeptInTheFile() throws {
    let photo = try Self.photo(.displayP3)
    func rendered(_ space: String) throws -> Samples {
      try Samples(
        file: Studio.develop(
          photo, #"[{"filter": "sharpen", "amount": 0.8}]"#,
          output: #""format": "png", "profile": "\#(space)""#))
    }
    let wide = try rendered("display-p3")
    let plain = try Samples(file: photo)
    // Some samples at the limits 0 and 255 keep their values; sharpening may change the others.
    let vivid = zip(wide.values, plain.values).count {
      $0 == 255 && $1 == 255 || $0 == 0 && $1 == 0
    }
    let narrow = try rendered("srgb")
    let clipped = zip(narrow.values, plain.values).count {
      ($0 == 255 || $0 == 0) && (1...254).contains($1)
    }
    #expect(vivid > 0 && clipped > 500)
    let kept = zip(wide.values, plain.values).count {
      ($0 == 255 || $0 == 0) && (1...254).contains($1)
    }
    #expect(kept < clipped)
  }

  /// The kernel that sharpens and converts serves only one output; the other outputs use the
  /// sharpened photo before the conversion.
  @Test(arguments: [
    (StandardProfile.displayP3, #"{"filter": "exposure", "id": "e", "stops": -0.3},"#), (.srgb, ""),
  ])
  func outputsWithSharedSharpeningEqualEachOutputAlone(
    _ profile: StandardProfile, _ before: String
  ) throws {
    let photo = try Self.photo(profile)
    let outputs = [
      ("a", #""format": "png""#), ("b", #""format": "png", "profile": "display-p3""#),
      (
        "c",
        #""format": "png", "profile": "rec2020", "filters": [{"filter": "exposure", "stops": 0.3}]"#
      ),
    ]
    func rendered(_ some: [(String, String)]) throws -> [String: Samples] {
      let list = some.map { #"{"name": "\#($0.0)", \#($0.1)}"# }
      let recipe = try Studio.recipe(
        text: """
          {"identifier": "org.example.test", "version": "1.0.0",
           "filters": [\(before) {"filter": "sharpen", "amount": 0.8}],
           "outputs": [\(list.joined(separator: ", "))]}
          """)
      return try Studio.render(photo, recipe).files.mapValues { try Samples(file: $0) }
    }
    let together = try rendered(outputs)
    for output in outputs {
      #expect(try rendered([output])[output.0] == together[output.0], "\(output.0)")
    }
  }
}
