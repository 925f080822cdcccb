import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Sharpened photos in spaces larger than sRGB.
@Suite struct SharpenedWideTests {
  private static let spaces = ["display-p3", "adobe-rgb", "prophoto", "rec2020"]

  /// All hues, up to colours of Display P3 that sRGB has not, with edges.
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
    try Renderer(recipe).plan(for: Renderer.header(of: .bytes(photo))).1
  }

  /// What is exact and written with 16 bits tells what the 8 bits must be.
  @Test(arguments: spaces, filters)
  func eightBitsAreThoseOfTheExactPhoto(_ space: String, _ filters: String) throws {
    for profile in [StandardProfile.srgb, .displayP3] {
      let photo = try Self.photo(profile)
      let recipe = try Studio.recipe(
        filters, output: #""format": "png", "bitDepth": "8", "profile": "\#(space)""#)
      let steps = try Self.pipeline(recipe, photo).calls.map(\.step)
      #expect(steps.last?.operation == "phbatch_unsharp" && steps.last?.arguments["program"] != nil)
      let found = try Samples(file: try #require(Studio.render(photo, recipe).files["out"]))
      let exact = try Samples(
        file: Studio.develop(
          photo, filters, output: #""format": "tiff", "bitDepth": "16", "profile": "\#(space)""#,
          rendering: "exact"))
      let most = zip(found.values, exact.values).map { abs(Double($0) - Double($1) / 257) }.max()
      // Half a level is rounding; near black, levels of Adobe RGB are parts of those of sRGB.
      #expect(try #require(most) <= 1.25, "\(space): \(most ?? 0)")
    }
  }

  @Test func coloursBeyondSRGBReachTheFile() throws {
    let photo = try Self.photo(.displayP3)
    func rendered(_ space: String) throws -> Samples {
      try Samples(
        file: Studio.develop(
          photo, #"[{"filter": "sharpen", "amount": 0.8}]"#,
          output: #""format": "png", "profile": "\#(space)""#))
    }
    let wide = try rendered("display-p3")
    let plain = try Samples(file: photo)
    // Within what sharpening may change, the vivid colours are still there.
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

  /// The kernel serves one output only: others see what is sharp before the conversion.
  @Test func outputsThatShareTheSharpeningAreAsEachByItself() throws {
    let photo = try Self.photo(.displayP3)
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
           "filters": [{"filter": "exposure", "id": "e", "stops": -0.3},
                       {"filter": "sharpen", "amount": 0.8}],
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
