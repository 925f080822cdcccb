import Notation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Properties of the memory prediction; `Benchmarks/suites/memory` measures its accuracy.
@Suite struct MemoryPredictionTests {
  private static func needs(
    _ filters: String = "", _ output: String = #""format": "jpeg""#, _ photo: [UInt8]
  ) throws -> MemoryNeeds {
    let text = """
      {"identifier": "org.example.memory", "version": "1.0.0", "variant": "v",
       "filters": [\(filters)], "outputs": [{"name": "o", \(output)}]}
      """
    let source = SourceText(name: "recipe.json", bytes: Array(text.utf8))
    let recipe = try RecipeDocument(source) { file throws(Problem) in
      throw .missingFile(file.path)
    }.recipe().recipe
    let file = PhotoFile.bytes(photo)
    return try Renderer(recipe).plan(file).memory
  }

  /// A photo of 6 megapixels.
  private static let photo = Result {
    try SyntheticPhoto.jpeg(width: 3000, height: 2000)
  }

  private static let pixels = 6_000_000

  @Test func aPhotoReadRowByRowNeedsMemoryForItsRowsOnly() throws {
    let photo = try Self.photo.get()
    let plain = try Self.needs("", #""format": "tiff""#, photo)
    #expect(plain.usual == plain.spilled)
    #expect(plain.usual < MemoryNeeds.working(pixels: Self.pixels) + 2 * Self.pixels)
    #expect(plain.perThread > 0 && plain.usual(threads: 3) == plain.usual + 2 * plain.perThread)
  }

  @Test(arguments: [
    #"{"filter": "rotate", "angle": 90}"#, #"{"filter": "flip", "direction": "vertical"}"#,
  ])
  func thePredictionIncludesPicturesThatAreKeptWhole(_ filter: String) throws {
    let photo = try Self.photo.get()
    let plain = try Self.needs("", #""format": "tiff""#, photo)
    let held = try Self.needs(filter, #""format": "tiff""#, photo)
    #expect(held.usual >= plain.usual + 2 * Self.pixels)
    let large = try SyntheticPhoto.jpeg(width: 5000, height: 4000)
    let spilled = try Self.needs(filter, #""format": "tiff""#, large)
    #expect(spilled.spilled + 30_000_000 < spilled.usual)
  }

  /// A `.cube` table needs memory for its file and its points; a table of 129³ points needed 150
  /// MB.
  @Test func thePredictionIncludesLookupTables() throws {
    let row = "0.123456 0.123456 0.123456\n"
    let cube = Array(("LUT_3D_SIZE 65\n" + String(repeating: row, count: 65 * 65 * 65)).utf8)
    let recipe = try Studio.recipe(#"[{"filter": "lut", "file": "a.cube"}]"#)
    let file = PhotoFile.bytes(try Self.photo.get())
    let header = try Renderer.header(of: file)
    let needs = try Renderer(recipe, files: ["a.cube": cube]).plan(file, header).memory
    let plain = try Renderer(Studio.recipe("[]")).plan(file, header).memory
    #expect(needs.usual - plain.usual >= 2 * cube.count + 4 * 3 * 65 * 65 * 65)
  }

  /// Bytes after the picture of a watermark file are read together with the file, so they need
  /// memory too.
  @Test func thePredictionIncludesAllBytesOfAWatermarkFile() throws {
    let plain = try SyntheticPhoto.png(width: 8, height: 8)
    let file = PhotoFile.bytes(try Self.photo.get())
    let header = try Renderer.header(of: file)
    func needs(_ mark: [UInt8]) throws -> Int {
      let recipe = try Studio.recipe(#"[{"filter": "watermark", "image": "m"}]"#)
      return try Renderer(recipe, files: ["m": mark]).plan(file, header).memory.usual
    }
    let more = [UInt8](repeating: 0, count: 5_000_000)
    #expect(try needs(plain + more) - needs(plain) >= 2 * more.count)
  }

  /// A mask needs memory for a map of floats of the maximum size; a mask or a watermark also needs
  /// memory for the whole image if its decoder does not decode row by row.
  @Test func thePredictionIncludesMasksAndWatermarks() throws {
    let image = try Image.calling("black", ["width": .integer(6000), "height": .integer(3000)])
      .image("out")
    let file = PhotoFile.bytes(try Self.photo.get())
    let header = try Renderer.header(of: file)
    func needs(_ filter: String, _ saver: String) throws -> Int {
      let recipe = try Studio.recipe("[\(filter)]")
      let bytes = try SyntheticPhoto.bytes(image, saver)
      return try Renderer(recipe, files: ["m": bytes]).plan(file, header).memory.usual
    }
    let mask = #"{"filter": "invert", "mask": {"image": {"file": "m"}}}"#
    let plain = try Renderer(Studio.recipe(#"[{"filter": "invert"}]"#))
      .plan(file, header).memory.usual
    #expect(try needs(mask, "pngsave_target") - plain >= 4 * 4096 * 2048)
    #expect(try needs(mask, "webpsave_target") - plain >= 4 * 4096 * 2048 + 18_000_000 * 8)
    let mark = #"{"filter": "watermark", "image": "m"}"#
    #expect(
      try needs(mark, "webpsave_target") - needs(mark, "pngsave_target") >= 17_000_000 * 8)
  }

  @Test(arguments: [
    (#""format": "jpeg", "progressive": true"#, 3), (#""format": "webp""#, 4),
    (#""format": "png", "interlace": true"#, 3),
  ])
  func thePredictionIncludesEncodersThatKeepTheWholePicture(_ output: String, _ bytes: Int) throws {
    let photo = try Self.photo.get()
    let plain = try Self.needs("", #""format": "tiff""#, photo)
    #expect(try Self.needs("", output, photo).usual >= plain.usual + bytes * Self.pixels)
  }

  @Test func thePredictionIncludesDecodersThatKeepTheWholePicture() throws {
    let image = try SyntheticPhoto.image(width: 3000, height: 2000)
    func needs(_ saver: String, _ arguments: [String: Argument] = [:]) throws -> Int {
      try Self.needs(
        "", #""format": "tiff""#, SyntheticPhoto.bytes(image, saver, arguments)
      ).usual
    }
    let plain = try needs("jpegsave_target")
    #expect(
      try needs("jpegsave_target", ["interlace": .flag(true)]) >= plain + 3 * Self.pixels)
    #expect(
      try needs(
        "jpegsave_target", ["interlace": .flag(true), "subsample-mode": .choice("off")])
        >= plain + 6 * Self.pixels)
    #expect(try needs("pngsave_target", ["interlace": .flag(true)]) >= plain + 3 * Self.pixels)
    #expect(try needs("webpsave_target") >= plain + 4 * Self.pixels)
    // A TIFF file in strips of a few rows needs less memory than one in large tiles, because each
    // compressed tile is decoded as a whole.
    let strips = try needs("tiffsave_target", ["compression": .choice("deflate")])
    #expect(strips < plain + 3 * Self.pixels)
    let tiles: [String: Argument] = [
      "compression": .choice("deflate"), "tile": .flag(true), "tile-width": .integer(2048),
      "tile-height": .integer(2048),
    ]
    #expect(try needs("tiffsave_target", tiles) >= plain + 3 * Self.pixels)
  }

  /// To sharpen a picture with alpha, each pixel needs five floats for means and five for each of
  /// two extremes.
  @Test func thePredictionIncludesTheWeightsOfAlphaInSharpening() {
    let frame = Pipeline.Frame(size: Size(1_000, 1_000), bands: 4, sampleBytes: 4)
    let bytes = Kernel.area(.unsharp).bytes(
      ["sigma": .number(1)], reading: frame, making: frame, isHeld: true)
    #expect(bytes >= 3 * 16 * 1_000 * 5 * 4 + 16 * frame.rowBytes)
  }

  /// Healing a spot needs memory for the spot's pixels and for the rows around it in which its
  /// source is searched.
  ///
  /// A radius of 100 pixels ends at 125 pixels, and the search reaches six times as far up and
  /// down.
  @Test func thePredictionIncludesTheRowsAroundHealedSpots() throws {
    let photo = try Self.photo.get()
    func needs(_ spots: String) throws -> Int {
      try Self.needs(
        #"{"filter": "heal", "spots": [\#(spots)]}"#, #""format": "tiff""#, photo
      ).usual
    }
    let plain = try needs("")
    let one = try needs(#"{"at": [0.5, 0.5], "radius": 100}"#)
    #expect(one - plain >= 2 * 6 * 125 * 3000 * 3 + 12 * 250 * 250)
    let two = try needs(
      #"{"at": [0.5, 0.5], "radius": 100}, {"at": [0.5, 0.6], "radius": 100}"#)
    #expect(two - one >= 12 * 250 * 250)
    #expect(two < plain + 40_000_000)
  }

  /// Each iteration of a deconvolution reads further rows, so its reach may exceed four times its
  /// largest argument.
  @Test func thePredictionIncludesTheReachOfAllIterations() {
    let frame = Pipeline.Frame(size: Size(1_000, 1_000), bands: 3, sampleBytes: 1)
    let few = Kernel.area(.deconvolve).bytes(
      ["sigma": .number(0.7), "iterations": .number(1)], reading: frame, making: frame,
      isHeld: false)
    let many = Kernel.area(.deconvolve).bytes(
      ["sigma": .number(0.7), "iterations": .number(20)], reading: frame, making: frame,
      isHeld: false)
    // Each of 19 iterations reaches 2 × 3 rows further, above and below.
    #expect(many - few >= 2 * 19 * 6 * frame.rowBytes)
  }

  /// A lens blur needs memory for four blurs, even if these blurs are narrow.
  @Test func thePredictionIncludesTheFourBlursOfALensBlur() throws {
    let photo = try Self.photo.get()
    let narrow = try Self.needs(#"{"filter": "lensBlur", "aperture": 22}"#, photo).usual
    let wide = try Self.needs(#"{"filter": "lensBlur", "aperture": 0.8}"#, photo).usual
    let plain = try Self.needs(photo).usual
    #expect(narrow > plain + (50 << 20) && wide > narrow)
  }

  @Test func thePredictionIncludesMeasuringFilters() throws {
    let photo = try Self.photo.get()
    let plain = try Self.needs(photo)
    let clear = try Self.needs(#"{"filter": "clarity", "amount": 0.5}"#, photo)
    #expect(clear.usual > plain.usual)
  }

  private static func needs(_ photo: [UInt8]) throws -> MemoryNeeds { try needs("", photo) }

  private static func needs(_ filters: String, _ photo: [UInt8]) throws -> MemoryNeeds {
    try needs(filters, #""format": "jpeg""#, photo)
  }

  @Test func aBlurOfAWiderFrameNeedsMoreMemory() throws {
    let wide = try SyntheticPhoto.jpeg(width: 6000, height: 1000)
    let tiff = #""format": "tiff""#
    let blur = #"{"filter": "blur", "radius": 20}"#
    #expect(
      try Self.needs(blur, tiff, wide).usual > Self.needs(blur, tiff, Self.photo.get()).usual)
  }
}
