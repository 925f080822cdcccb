import TestReference
import Testing
import Vips

/// The arguments and edges of `phbatch_warp`; the filters that use `phbatch_warp` test its formula.
@Suite struct WarpTests {
  /// A rotation with some perspective.
  ///
  /// It also samples positions beyond the edge of an image of about 700 × 300 pixels.
  static let tilt: [String: Argument] = [
    "matrix": .numbers([0.98, -0.17, 20, 0.17, 0.98, -40, 1e-4, -5e-5, 1]),
    "width": .integer(640), "height": .integer(360),
  ]

  /// The map `tilt`, followed by the map of a lens with lateral chromatic aberration.
  static let bentTilt = tilt.merging(["lens": .numbers(lens)]) { $1 }

  /// A lens with its centre near that of an image of 700 × 300 pixels, and a frame.
  private static let lens: [Double] = [
    340, 155, 0.003, 0.003, 1.02, -0.01, -0.03, 0.01, 0.002, 1.002, 0, -0.001, 0.998, 0.001, 0, 5,
    4, 690, 290,
  ]

  private static func warped(
    _ image: Image, _ matrix: [Double], _ width: Int, _ height: Int,
    _ more: [String: Argument] = [:]
  ) throws -> [UInt8] {
    var arguments: [String: Argument] = [
      "matrix": .numbers(matrix), "width": .integer(width), "height": .integer(height),
      "format": .choice("uchar"),
    ]
    arguments.merge(more) { $1 }
    return try image.applying("phbatch_warp", arguments).pixels()
  }

  @Test(arguments: SampleFormat.allCases, 1...4)
  func theIdentityMapCopiesTheImage(_ format: SampleFormat, _ bands: Int) throws {
    let raster = Raster.noise(301, 40, bands: bands).stored(as: .uchar)
    let found = try Self.warped(
      raster.image(as: format), [2, 0, 0, 0, 2, 0, 0, 0, 2], 301, 40)
    #expect(found.firstDifference(from: raster.bytes(as: .uchar)) == nil)
  }

  @Test func pixelsOutsideTheImageRepeatTheEdgeOrShowTheBackground() throws {
    let image = try Raster(4, 2, bands: 3) { x, _, _ in Double(x) / 3 }.image(as: .uchar)
    let shift: [Double] = [1, 0, -2.5, 0, 1, 0, 0, 0, 1]
    let repeated = try Self.warped(image, shift, 3, 1)
    #expect(repeated[0] == 0)
    let shown = try Self.warped(
      image, shift, 3, 1, ["background": .numbers([1, 0.2, 0])])
    #expect(Array(shown[0..<6]) == [255, 51, 0, 255, 51, 0])
    // The third pixel is half background and half photo. Its position is halfway between two pixels
    // of 0, whose other neighbours are 0 and 1/3. Cubic convolution gives (−0 + 9 · 0 + 9 · 0 −
    // 1/3) / 16 = −1/48. The results are thus 255 · (1 − 1/48) / 2 = 124.8 and 255 · (1/5 − 1/48) /
    // 2 = 22.8.
    #expect(Array(shown[6..<9]) == [125, 23, 0])
  }

  /// No pixel outside the image is read for positions beyond the horizon or positions that are not
  /// finite.
  @Test(arguments: [
    [1.0, 0, 0, 0, 1, 0, 0, -0.1, 1], [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [1e300, 0, 0, 0, 1e300, 0, 0, 0, 1e-300], [1, 0, -1e12, 0, 1, 1e12, 0, 0, 1],
  ])
  func extremeMapsReadNoPixelsOutsideTheImage(_ matrix: [Double]) throws {
    let image = try Raster.noise(50, 40, bands: 3).image(as: .uchar)
    #expect(try Self.warped(image, matrix, 60, 60).count == 60 * 60 * 3)
    #expect(try Self.warped(image.applying("copy"), matrix, 60, 60).count == 60 * 60 * 3)
  }

  /// For any numbers of a lens, no pixel outside the image is read.
  ///
  /// This includes lenses that turn the photo inside out, where the part that a tile needs cannot
  /// be found from the tile's edge.
  @Test(arguments: [
    [0.0, 0, 1, 1, 1e9, 0, 0, 0, -1e9, 1, 0, 0, 1, 0, 0],
    [25, 20, 0.04, 0.04, 1, 0, -40, 90, 0, 1.5, 0, 0, 0.5, 0, 3],
    [1e12, -1e12, 1e9, 1e-9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    [25, 20, 1e300, 1e300, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1],
  ])
  func extremeLensesReadNoPixelsOutsideTheImage(_ lens: [Double]) throws {
    let image = try Raster.noise(50, 40, bands: 3).image(as: .uchar)
    let identity: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    for source in [image, try image.applying("copy"), try image.applying("sequential")] {
      for more in [[:], ["background": .numbers([1, 0, 0])]] as [[String: Argument]] {
        let arguments = more.merging(["lens": .numbers(lens)]) { $1 }
        #expect(try Self.warped(source, identity, 60, 60, arguments).count == 60 * 60 * 3)
      }
    }
  }

  /// Alpha is moved like green; a lens without effect copies the image.
  @Test(arguments: 1...4) func aLensWithoutEffectCopiesTheImage(_ bands: Int) throws {
    let raster = Raster.noise(301, 40, bands: bands).stored(as: .uchar)
    let lens: [Double] = [150, 20, 0.01, 0.01, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0]
    let found = try Self.warped(
      raster.image(as: .uchar), [1, 0, 0, 0, 1, 0, 0, 0, 1], 301, 40, ["lens": .numbers(lens)])
    #expect(found.firstDifference(from: raster.bytes(as: .uchar)) == nil)
    // Only red and blue are moved.
    let split = Array(lens[0..<9]) + [1.05, 0, 0, 0.95, 0, 0]
    let moved = try Self.warped(
      raster.image(as: .uchar), [1, 0, 0, 0, 1, 0, 0, 0, 1], 301, 40, ["lens": .numbers(split)])
    let stay = bands == 4 ? [1, 3] : bands == 3 ? [1] : Array(0..<bands)
    for band in 0..<bands {
      let pairs = stride(from: band, to: found.count, by: bands).map { (found[$0], moved[$0]) }
      #expect(pairs.allSatisfy { $0 == $1 } == stay.contains(band))
    }
  }

  @Test(
    arguments: [
      ["matrix": .numbers([1, 0, 0])],
      ["matrix": .numbers([1, 0, 0, 0, .infinity, 0, 0, 0, 1])],
      ["background": .numbers([1, 1])], ["lens": .numbers([1, 2, 3])],
      ["lens": .numbers(Array(repeating: .nan, count: 15))],
    ] as [[String: Argument]])
  func invalidArgumentsAreRefused(_ arguments: [String: Argument]) throws {
    let image = try Raster.noise(5, 4, bands: 3).image(as: .uchar)
    #expect(throws: VipsError.self) {
      try Self.warped(image, [1, 0, 0, 0, 1, 0, 0, 0, 1], 5, 4, arguments)
    }
  }

  @Test func moreThanFourBandsAreRefused() throws {
    let image = try Raster.noise(5, 4, bands: 5).image(as: .uchar)
    #expect(throws: VipsError.self) {
      try Self.warped(image, [1, 0, 0, 0, 1, 0, 0, 0, 1], 5, 4)
    }
  }

  /// A photo that is decoded from top to bottom, and has more rows than libvips keeps, gives the
  /// same pixels as a photo in memory.
  @Test func aPhotoReadFromTopToBottomGivesTheSamePixels() throws {
    let photo = try Raster.noise(200, 3000, bands: 3).image(as: .uchar)
    let matrix = [0.9848, -0.1736, 20, 0.1736, 0.9848, 0, 0, 0, 1]
    let plain = try Self.warped(photo, matrix, 180, 2800)
    let streamed = try Self.warped(photo.applying("sequential"), matrix, 180, 2800)
    #expect(streamed.firstDifference(from: plain) == nil)
    let lens: [String: Argument] = [
      "lens": .numbers([
        100, 1500, 0.0006, 0.0006, 1.03, 0.02, -0.08, 0.01, 0, 1.001, 0, 0, 0.999, 0, 0,
      ])
    ]
    let bent = try Self.warped(photo, matrix, 180, 2800, lens)
    let bentStream = try Self.warped(photo.applying("sequential"), matrix, 180, 2800, lens)
    #expect(bentStream.firstDifference(from: bent) == nil)
  }
}
