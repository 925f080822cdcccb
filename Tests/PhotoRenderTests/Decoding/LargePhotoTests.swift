import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Photos whose headers state a size that is too large.
@Suite struct LargePhotoTests {
  /// A PNG file whose header states a size, without any pixels.
  private static func claim(
    _ width: Int, _ height: Int, interlaced: Bool = false
  ) throws
    -> [UInt8]
  {
    var file = try SyntheticPhoto.bytes(
      SyntheticPhoto.image(width: 2, height: 2), "pngsave_target",
      ["interlace": .flag(interlaced)])
    for (place, number) in [(16, width), (20, height)] {
      for i in 0..<4 { file[place + i] = UInt8(truncatingIfNeeded: number >> (24 - 8 * i)) }
    }
    let sum = checksum(Array(file[12..<29]))
    for i in 0..<4 { file[29 + i] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * i)) }
    return file
  }

  private static func checksum(_ bytes: [UInt8]) -> Int {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return Int(~sum)
  }

  @Test(arguments: [(64_250, 64_250, false, 2200), (20_000, 20_000, true, 268)])
  func aFileThatStatesATooLargeSizeIsRefusedBeforeDecoding(
    _ width: Int, _ height: Int, _ interlaced: Bool, _ limit: Int
  ) throws {
    let header = try Renderer.header(of: .bytes(Self.claim(width, height, interlaced: interlaced)))
    #expect(header.stored == Size(width, height))
    #expect {
      try RenderLimits.standard.check(header)
    } throws: { error in
      guard let error = error as? RenderError else { return false }
      return error.message.contains("the limit of \(limit) megapixels")
        && error.hint.contains("--max-pixels")
    }
  }

  @Test func aGigapixelPhotoThatIsReadRowByRowIsAllowed() throws {
    try RenderLimits.standard.check(Renderer.header(of: .bytes(Self.claim(32_768, 32_768))))
  }

  private static func needs(_ photo: [UInt8], _ outputs: String) throws -> MemoryNeeds {
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.large", "version": "1.0.0",
         "filters": [{"filter": "exposure", "stops": 0.3}], "outputs": [\(outputs)]}
        """)
    let file = PhotoFile.bytes(photo)
    return try Renderer(recipe).plan(file).memory
  }

  /// The README promises that a gigapixel photo with an edit and outputs as JPEG and pyramid needs
  /// little memory.
  @Test func aGigapixelPhotoNeedsLittleMemory() throws {
    let photo = try Self.claim(32_768, 32_768)
    let jpeg = #"{"name": "a", "format": "jpeg"}"#
    for pyramid in [
      #"{"name": "b", "format": "dzi"}"#,
      #"{"name": "b", "format": "tiff", "pyramid": true, "compression": "jpeg"}"#,
    ] {
      let needs = try Self.needs(photo, "\(jpeg), \(pyramid)")
      #expect(needs.usual < 500 << 20, "\(needs.usual >> 20)")
    }
  }

  @Test func thePredictedMemoryIncludesCoefficientsOfAProgressiveJPEG() throws {
    let image = try SyntheticPhoto.image(width: 2000, height: 1500)
    let jpeg = #"{"name": "a", "format": "jpeg"}"#
    let plain = try Self.needs(SyntheticPhoto.bytes(image, "jpegsave_target"), jpeg)
    let progressive = try Self.needs(
      SyntheticPhoto.bytes(
        image, "jpegsave_target",
        ["interlace": .flag(true), "subsample-mode": .choice("off")]), jpeg)
    #expect(progressive.usual - plain.usual >= 6 * 2000 * 1500)
    // The DCT coefficients of a progressive JPEG file must stay in memory, so temporary files do
    // not reduce the memory that is needed.
    #expect(progressive.spilled == progressive.usual)
  }

  @Test func bigTIFFIsWrittenIfTheFileMayNeed64BitOffsets() throws {
    func isWide(_ size: Size, _ settings: (inout TIFFFormat) -> Void = { _ in }) -> Bool {
      var format = TIFFFormat()
      settings(&format)
      return format.arguments(bitDepth: 8, size: size)["bigtiff"] == .flag(true)
    }
    #expect(!isWide(Size(20_000, 20_000)))
    #expect(isWide(Size(32_768, 32_768)))
    #expect(!isWide(Size(29_000, 29_000)))
    #expect(isWide(Size(29_000, 29_000)) { $0.pyramid = true })
    #expect(!isWide(Size(32_768, 32_768)) { $0.bigtiff = false })
    #expect(isWide(Size(10, 10)) { $0.bigtiff = true })
  }

  @Test func tiffTilesHaveTheRequestedSize() throws {
    let file = try Studio.develop(
      SyntheticPhoto.jpeg(width: 700, height: 500), "[]",
      output:
        #""format": "tiff", "tile": true, "tileWidth": 128, "tileHeight": 512, "bigtiff": true"#)
    #expect(Array(file[0..<4]) == [0x49, 0x49, 43, 0])
    let photo = PhotoFile.bytes(file)
    let layout = photo.layout(try Renderer.header(of: photo))
    #expect(layout?.isTiled == true && layout?.rows == 512)
    #expect(throws: (any Error).self) {
      try Studio.recipe("[]", output: #""format": "tiff", "tileWidth": 100"#)
    }
  }
}
