import Foundation
import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

/// The formats that are read by default, the formats that are read only on request, and the choice
/// of a frame.
@Suite struct InputFormatTests {
  private static func recipe(_ inputs: String) throws -> Recipe {
    try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "inputs": \(inputs),
         "outputs": [{"name": "out", "format": "png"}]}
        """)
  }

  private static let drawing = Array(
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="36" height="18">
    <rect width="36" height="18" fill="#c86432"/></svg>
    """.utf8)

  private static func onRequest(_ format: String) throws -> [UInt8] {
    let image = try Samples.flat([200, 100, 50], 36, 18).image()
    switch format {
    case "svg": return drawing
    case "ppm": return try SyntheticPhoto.bytes(image, "ppmsave_target")
    case "hdr":
      let light = try image.applying("colourspace", ["space": .choice("scrgb")])
      return try SyntheticPhoto.bytes(light, "radsave_target")
    default: return Array("%PDF-1.4\n".utf8)
    }
  }

  @Test(arguments: ["svg", "ppm", "hdr", "pdf"])
  func someFormatsAreReadOnlyIfTheRecipeNamesThem(_ format: String) throws {
    let file = try Self.onRequest(format)
    let error = #expect(throws: RenderError.self) { try Studio.render(file, Self.recipe("{}")) }
    #expect(error?.hint.contains(#""formats": ["\#(format)"]"#) == true)
    if format == "pdf" { return }
    let (files, report) = try Studio.render(file, Self.recipe(#"{"formats": ["\#(format)"]}"#))
    #expect(report.header.size == Size(36, 18))
    let pixel = try Samples(file: #require(files["out"]))[5, 5]
    let full = pixel.count > 3 || format == "hdr" ? 3 : pixel.count
    let scale = format == "hdr" ? 257 : 1
    for (value, wanted) in zip(pixel.prefix(full), [200, 100, 50]) {
      #expect(abs(value - wanted * scale) <= 2 * scale, "\(pixel)")
    }
  }

  @Test func vectorDrawingsAreRenderedAtTheRequestedDensity() throws {
    let recipe = try Self.recipe(#"{"formats": ["svg"], "dpi": 144}"#)
    #expect(try Renderer.header(of: .bytes(Self.drawing), recipe.inputs).size == Size(72, 36))
  }

  @Test func filesThatADrawingLinksToAreNamedInAWarning() throws {
    func warnings(_ content: String) throws -> [String] {
      let drawing = """
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
        xmlns:svg="http://www.w3.org/2000/svg" width="36" height="18"><rect id="a" width="36" height="18"/>\(content)</svg>
        """
      let recipe = try Self.recipe(#"{"formats": ["svg"]}"#)
      return try Studio.render(Array(drawing.utf8), recipe).report.warnings
    }
    let embedded = ##"<use href="#a"/><image href="data:image/png;base64,AAAA"/>"##
    #expect(try warnings("\(embedded)<!-- <image href='a.png'/> --><a href='a'/>").isEmpty)
    let one = try warnings("<image width='5' xlink:href = '../a>.png' height='5'/>")
    #expect(one.count == 1)
    #expect(one[0].hasPrefix(#"not in the renditions: "../a>.png" of the drawing, because"#))
    let two = try warnings("<svg:image href='/a.png'/><use\nhref='b.svg#c'/>\(embedded)")
    #expect(two.count == 1)
    #expect(two[0].contains(#""/a.png" and 1 other link of the drawing"#))
  }

  /// Videos and documents are rejected with the name of their format, and their embedded previews
  /// are not used.
  @Test(arguments: [
    ("\0\0\0\u{18}ftypqt  \0\0\0\0qt  ", InputFormat.mov),
    ("RIFF\u{8}\0\0\0AVI LIST", .avi),
    ("8BPS\0\u{1}", .psd), ("%!PS-Adobe-3.0", .postScript),
  ])
  func videosAndDocumentsAreRefusedWithTheNameOfTheirFormat(
    _ head: String, _ format: InputFormat
  ) throws {
    let error = #expect(throws: RenderError.self) {
      try Renderer.header(of: .bytes(Array(head.utf8)))
    }
    #expect(error == .unsupported(format))
  }

  @Test func theFormatIsRecognisedByContentNotByExtension() throws {
    #expect(try Renderer.header(of: .bytes(SyntheticPhoto.png())).loader == "pngload_source")
    let unknown = #expect(throws: RenderError.self) {
      try Renderer.header(of: .bytes(Array("hello, this is a text".utf8)))
    }
    #expect(unknown?.message.contains("unknown file format") == true)
  }

  // MARK: Frames

  /// An animation of three frames; each frame has one colour.
  private static func animation(_ saver: String) throws -> [UInt8] {
    let frames = try [[250, 10, 10], [10, 250, 10], [10, 10, 250]].map {
      try Samples.flat($0, 20, 10).image()
    }
    let tall = try Image.calling("arrayjoin", ["in": .images(frames), "across": .integer(1)])
      .image("out").setting([
        "page-height": .integer(10), "n-pages": .integer(3), "delay": .integers([100, 100, 100]),
      ])
    let lossless: [String: Argument] = saver.hasPrefix("webp") ? ["lossless": .flag(true)] : [:]
    return try SyntheticPhoto.bytes(tall, saver, lossless)
  }

  @Test(arguments: ["gifsave_target", "webpsave_target", "tiffsave_target"], [1, 2, 3])
  func aFrameIsChosenByNumber(_ saver: String, _ number: Int) throws {
    let file = try Self.animation(saver)
    let (files, report) = try Studio.render(file, Self.recipe("{\"frames\": \(number)}"))
    #expect(report.header.size == Size(20, 10))
    let pixel = try Samples(file: #require(files["out"]))[3, 3]
    #expect(pixel.prefix(3).firstIndex { $0 > 200 } == number - 1, "\(pixel)")
  }

  @Test func aMissingFrameNumberIsAnError() throws {
    let file = try Self.animation("gifsave_target")
    let error = #expect(throws: RenderError.self) {
      try Studio.render(file, Self.recipe(#"{"frames": 4}"#))
    }
    #expect(error == .missingFrame(4, count: 3))
    #expect(try Studio.render(file, Self.recipe("{}")).report.header.pages == 3)
  }

  // MARK: Depth

  /// White in 10 and 12 bits becomes white in 16 bits.
  @Test(arguments: [10, 12])
  func whiteInTenOrTwelveBitsIsWhiteInSixteenBits(_ bits: Int) throws {
    let image = try Samples.flat([65_535, 65_535, 65_535], 64, 64, maximum: 65_535).image()
    let file = try SyntheticPhoto.bytes(
      image, "heifsave_target", ["bitdepth": .integer(bits), "Q": .integer(100)])
    let pixel = try Samples(file: Studio.develop(file, "[]"))[9, 9]
    #expect(pixel == [65_535, 65_535, 65_535])
  }
}
