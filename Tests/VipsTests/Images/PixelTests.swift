import Testing
import Vips

@Suite struct PixelTests {
  @Test(arguments: Format.allCases)
  func pixelsAreReadBackUnchanged(_ format: Format) throws {
    let bytes = (0..<(5 * 3 * 2 * format.size)).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let image = try Image(pixels: bytes, width: 5, height: 3, bands: 2, format: format)
    #expect(image.width == 5 && image.height == 3 && image.bands == 2 && image.format == format)
    #expect(try image.pixels() == bytes)
    #expect(try image.materialized().pixels() == bytes)
  }

  @Test func pixelsAreWrittenInPlace() throws {
    let bytes = (0..<(5 * 3 * 2 * 2)).map { UInt8($0) }
    var image: Image? = try Image(width: 5, height: 3, bands: 2, format: .ushort) { pixels in
      for (index, byte) in bytes.enumerated() {
        pixels.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
    }
    #expect(try image?.pixels() == bytes)
    let copy = try image?.applying("copy")
    image = nil
    #expect(try copy?.pixels() == bytes)
    #expect(throws: VipsError.self) {
      try Image(width: 0, height: 3, bands: 2, format: .ushort) { _ in }
    }
  }

  @Test func samplesAreReadBackUnchanged() throws {
    let samples: [Float] = [-1, 0.5, .infinity, 3]
    let image = try Image(samples: samples, width: 2, height: 2, bands: 1)
    #expect(image.format == .float)
    #expect(try image.samples(as: Float.self) == samples)
    #expect(throws: VipsError.self) { try image.samples(as: UInt8.self) }
  }

  @Test(arguments: [(5, 4), (0, 4), (-4, 4), (Int.max, 1), (4, 0)])
  func imageSizesThatDoNotMatchTheBytesThrow(_ width: Int, _ height: Int) {
    #expect(throws: VipsError.self) {
      try Image(
        pixels: [UInt8](repeating: 0, count: 16), width: width, height: height, bands: 1,
        format: .uchar)
    }
  }

  @Test func aMatrixImageContainsItsRows() throws {
    let matrix = try Image(matrix: [[1, 2, 3], [4, 5, 6]])
    #expect(matrix.width == 3 && matrix.height == 2 && matrix.format == .double)
    #expect(try matrix.samples(as: Double.self) == [1, 2, 3, 4, 5, 6])
    #expect(throws: VipsError.self) { try Image(matrix: [[1, 2], [3]]) }
    #expect(throws: VipsError.self) { try Image(matrix: []) }
  }

  @Test func theInterpretationOfBandsIsReported() throws {
    let image = try Image.ramp(bands: 4)
    #expect(image.interpretation == "srgb" && image.hasAlpha)
    #expect(try !Image.ramp().hasAlpha)
    #expect(try Image.ramp(bands: 1).interpretation == "b-w")
    let fine = try image.applying("copy", ["xres": .number(10), "yres": .number(20)])
    #expect(fine.horizontalResolution == 10 && fine.verticalResolution == 20)
  }

  /// A render throws if the header of the file is complete, but pixels are missing.
  @Test func missingPixelsThrowDuringTheRender() throws {
    let file = try Image.ramp(width: 256, height: 256).encoded(as: "pngsave_target")
    let image = try Image.load(
      from: Source(bytes: Array(file.prefix(file.count / 2))), ["fail_on": .choice("error")])
    #expect(image.width == 256)
    #expect(throws: VipsError.self) { try image.pixels() }
    let again = try Image.load(
      from: Source(bytes: Array(file.prefix(file.count / 2))), ["fail_on": .choice("error")])
    #expect(throws: VipsError.self) { try again.materialized() }
  }
}
