import TestRandom
import TestReference
import Testing
import Vips

/// The bits of a kernel's output depend only on its input and settings.
@Suite(.serialized) struct InvarianceTests {
  /// One call of a kernel.
  struct Call: CustomTestStringConvertible {
    var testDescription: String { operation }
    var operation: String
    var arguments: [String: Argument]
  }

  /// A photo wider than a block of columns and higher than a block of rows.
  private static let photo = Raster.noise(701, 170, bands: 4, in: -0.2...1.2)
  /// The output of each call for the whole photo, on one thread.
  private static let whole = Result {
    let image = try photo.image(as: .float)
    return try Threads.with(1) {
      try calls().map { call in
        try image.applying(
          call.operation, call.arguments.merging(["format": .choice("float")]) { $1 }
        ).pixels()
      }
    }
  }

  /// Calls of all kernels.
  ///
  /// The point program has all instructions except TABLE and those that `LayerTests` tests.
  static func calls() -> [Call] {
    let cases = PointTests.cases + PointTests.blends + PointTests.near
    let instructions = cases.flatMap(\.instructions)
    return [
      Call(
        operation: "phbatch_point",
        arguments: ["program": .blob(PointProgram(instructions: instructions).bytes)]),
      Call(
        operation: "phbatch_unsharp",
        arguments: ["sigma": .number(2.3), "amount": .number(1.5), "threshold": .number(0.02)]),
      Call(
        operation: "phbatch_unsharp",
        arguments: [
          "sigma": .number(0.8), "amount": .number(0.5), "threshold": .number(0),
          "program": .blob(UnsharpTests.program.bytes),
        ]),
      Call(operation: "phbatch_blur", arguments: ["sigma": .number(7)]),
      Call(
        operation: "phbatch_resize", arguments: ["width": .integer(287), "height": .integer(131)]),
      Call(
        operation: "phbatch_resize",
        arguments: [
          "width": .integer(811), "height": .integer(370), "kernel": .choice("cubic"),
          "linear": .flag(true),
        ]),
      Call(operation: "phbatch_warp", arguments: WarpTests.tilt),
      Call(operation: "phbatch_warp", arguments: WarpTests.bentTilt),
    ] + areas
  }

  /// Kernels that read neighbouring pixels, with settings that run each of their loops.
  private static let areas = [
    Call(
      operation: "phbatch_unsharp",
      arguments: [
        "sigma": .number(1.3), "amount": .number(2), "threshold": .number(0),
        "edges": .number(0.7), "halo": .number(0.6),
      ]),
    Call(operation: "phbatch_blur", arguments: ["sigma": .number(40)]),
    Call(operation: "phbatch_blur", arguments: ["sigma": .number(11.4), "box": .flag(true)]),
    Call(operation: "phbatch_motion", arguments: ["length": .number(40), "angle": .number(30)]),
    Call(
      operation: "phbatch_zoom",
      arguments: ["length": .number(40), "x": .number(0.3), "y": .number(0.6)]),
    Call(operation: "phbatch_median", arguments: ["radius": .integer(3)]),
    Call(
      operation: "phbatch_denoise",
      arguments: ["luma": .number(0.4), "chroma": .number(0.7), "detail": .number(0.4)]),
    Call(
      operation: "phbatch_surface", arguments: ["radius": .integer(9), "threshold": .number(0.2)]),
    Call(operation: "phbatch_soften", arguments: ["sigma": .number(12), "amount": .number(0.7)]),
    Call(
      operation: "phbatch_bloom",
      arguments: ["sigma": .number(30), "amount": .number(0.7), "threshold": .number(0.5)]),
    Call(
      operation: "phbatch_tilt",
      arguments: [
        "sigma": .number(30), "x": .number(0.4), "y": .number(0.5), "angle": .number(20),
        "width": .number(0.2), "falloff": .number(0.3),
      ]),
    Call(
      operation: "phbatch_lens",
      arguments: ["sigma": .number(40), "focus": .number(0.3), "maps": .images(nearness)]),
    Call(
      operation: "phbatch_deconvolve",
      arguments: [
        "sigma": .number(0.7), "iterations": .number(3), "threshold": .number(0.02),
        "halo": .number(0.5),
      ]),
    Call(
      operation: "phbatch_defringe",
      arguments: [
        "radius": .integer(3), "contrast": .number(0.2), "purple": .number(0.9),
        "green": .number(0.7),
      ]),
    Call(operation: "phbatch_moire", arguments: ["radius": .integer(5), "amount": .number(0.8)]),
    Call(operation: "phbatch_heal", arguments: ["spots": .numbers(spots)]),
    Call(operation: "phbatch_pixelate", arguments: ["size": .number(37.4)]),
    Call(operation: "phbatch_censor", arguments: rectangle.merging(["size": .number(11)]) { $1 }),
    Call(operation: "phbatch_censor", arguments: rectangle.merging(["sigma": .number(9)]) { $1 }),
  ]

  /// A map for `phbatch_lens`; if it cannot be created, the test fails.
  private static let nearness: [Image] = {
    let samples = (0..<35).map { Float($0 * 12 % 35) / 34 }
    let image = try? Image(samples: samples, width: 7, height: 5, bands: 1)
    return image.map { [$0] } ?? []
  }()

  /// Spots of `phbatch_heal` from the top to the bottom; two of them overlap, and one has a source.
  private static let spots = [
    0.2, 0, 0.01, 0.25, -1, -1,
    0.5, 0.31, 0.02, 0.5, -1, -1,
    0.53, 0.33, 0.015, 0, -1, -1,
    0.8, 0.34, 0.03, 0.25, 0.5, 0.4,
    0.3, 0.99, 0.02, 0.25, -1, -1,
  ]

  private static let rectangle: [String: Argument] = [
    "left": .number(0.1), "top": .number(0.2), "width": .number(0.5), "height": .number(0.6),
  ]

  /// Pictures for single instructions, with three and with four bands.
  private static let pictures = Result {
    try [3, 4].map {
      try Raster.noise(1000, TestVolume.isWhole ? 200 : 50, bands: $0, in: -1...3).image(as: .float)
    }
  }

  private static let table = (0..<768).map { Float($0 % 256) / 200 }

  @Test(arguments: TestVolume.pairs(SampleFormat.allCases, SampleFormat.allCases))
  func kernelsGiveTheSameBitsWithEveryInstructionSet(
    _ from: SampleFormat, _ to: SampleFormat
  ) throws {
    for bands in [3, 4] {
      let image = try Raster.noise(701, 33, bands: bands, in: -0.2...1.2).image(as: from)
      var calls = Self.calls()
      if from == .uchar {
        let program = PointProgram(instructions: [.init(.table, Self.table), .init(.encode)])
        calls.append(
          Call(operation: "phbatch_point", arguments: ["program": .blob(program.bytes)]))
      }
      for call in calls {
        var arguments = call.arguments
        arguments["format"] = .choice(to.rawValue)
        let native = try image.applying(call.operation, arguments).pixels()
        arguments["portable"] = .flag(true)
        let portable = try image.applying(call.operation, arguments).pixels()
        #expect(native.firstDifference(from: portable) == nil, "\(call.operation), \(bands) bands")
      }
    }
  }

  /// Each instruction is tested separately, so that another instruction cannot hide an error.
  @Test(
    arguments: PointTests.cases + PointTests.blends + PointTests.compositions + PointTests.near,
    [3, 4])
  func eachPointInstructionGivesTheSameBits(_ sample: PointTests.Case, _ bands: Int) throws {
    let image = try Self.pictures.get()[bands - 3]
    let program = Argument.blob(PointProgram(instructions: sample.instructions).bytes)
    let native = try image.applying(
      "phbatch_point", ["program": program, "format": .choice("float")])
    let portable = try image.applying(
      "phbatch_point",
      ["program": program, "format": .choice("float"), "portable": .flag(true)])
    #expect(try native.pixels().firstDifference(from: portable.pixels()) == nil)
  }

  /// On one thread, `make soak` tries the tiles that four threads compute in any order.
  @Test(
    arguments: TestVolume.isWhole ? [1, 4] : [4],
    TestVolume.one(of: 2, [(37, 29), (700, 1), (1, 50), (512, 512)]))
  func kernelsGiveTheSameBitsWithAnyTilesAndThreads(_ threads: Int, _ tile: (Int, Int)) throws {
    let image = try Self.photo.image(as: .float)
    // The pixels of a copy are computed on demand, so the kernels cache the rows that they read
    // from this copy.
    let source = try image.applying("copy")
    for (call, whole) in zip(Self.calls(), try Self.whole.get()) {
      var arguments = call.arguments
      arguments["format"] = .choice("float")
      let tiled = try Threads.with(threads) {
        try source.applying(call.operation, arguments).applying(
          "tilecache",
          [
            "tile_width": .integer(tile.0), "tile_height": .integer(tile.1),
            "max_tiles": .integer(3), "threaded": .flag(true),
          ]
        ).pixels()
      }
      #expect(tiled.firstDifference(from: whole) == nil, "\(call.operation)")
    }
  }

  /// A photo that is decoded row by row, and has more rows than any cache, gives the same pixels as
  /// a photo in memory.
  @Test(arguments: TestVolume.pairs(areas, [1, 4])) func aPhotoDecodedRowByRowGivesTheSamePixels(
    _ call: Call, _ threads: Int
  ) throws {
    let photo = try Raster.noise(40, 2500, bands: 3).image(as: .uchar)
    let arguments = call.arguments.merging(["format": .choice("uchar")]) { $1 }
    let streamed = try Threads.with(threads) {
      try photo.applying("sequential").applying(call.operation, arguments).pixels()
    }
    let whole = try photo.applying(call.operation, arguments).pixels()
    #expect(streamed.firstDifference(from: whole) == nil)
  }

  /// The output is mixed with the input on several threads, as in a step with an opacity.
  ///
  /// A thread may release the input pixels that it computed for the mix. The kernel's cache of rows
  /// must therefore not keep references to such pixels, or libvips ends the process.
  @Test(arguments: areas) func mixingWithTheInputOnSeveralThreadsIsSafe(_ call: Call) throws {
    func mixed(_ photo: Image) throws -> [UInt8] {
      let arguments = call.arguments.merging(["format": .choice("float")]) { $1 }
      // The image is computed on demand, and no cache holds it.
      let base = try photo.applying("linear", ["a": .numbers([1.0 / 255]), "b": .numbers([0])])
      let top = try base.applying(call.operation, arguments)
      return try base.applying("add", ["right": .image(top)]).pixels()
    }
    let photo = try Raster.noise(300, 900, bands: 3).image(as: .uchar)
    let alone = try Threads.with(1) { try mixed(photo) }
    let together = try Threads.with(4) { try mixed(photo) }
    #expect(together.firstDifference(from: alone) == nil)
  }

  /// Two kernels in sequence read a photo that is decoded row by row, and give the same pixels as
  /// for a photo in memory.
  @Test(arguments: [1, 4]) func twoKernelsInSequenceCanReadAPhotoRowByRow(_ threads: Int) throws {
    func chain(_ source: Image) throws -> [UInt8] {
      try source.applying("phbatch_blur", ["sigma": .number(2), "format": .choice("ushort")])
        .applying(
          "phbatch_unsharp",
          [
            "sigma": .number(9), "amount": .number(1), "threshold": .number(0),
            "format": .choice("uchar"),
          ]
        ).pixels()
    }
    let photo = try Raster.noise(64, 2500, bands: 3).image(as: .uchar)
    let streamed = try Threads.with(threads) { try chain(photo.applying("sequential")) }
    #expect(try streamed.firstDifference(from: chain(photo)) == nil)
  }
}
