import Testing
import Vips

@Suite struct ArgumentTests {
  private let image: Image

  init() throws { image = try Image.ramp() }

  @Test func misspeltArgumentNamesThrow() {
    #expect(throws: VipsError.unknownOperation("flipp")) { try image.applying("flipp") }
    #expect(throws: VipsError.unknownArgument("directoin", operation: "flip")) {
      try image.applying("flip", ["directoin": .choice("horizontal")])
    }
    #expect(throws: VipsError.unknownArgument("out", operation: "flip")) {
      try image.applying("flip", ["direction": .choice("horizontal"), "out": .image(image)])
    }
  }

  @Test func missingArgumentsThrow() {
    #expect(throws: VipsError.missingArgument("direction", operation: "flip")) {
      try image.applying("flip")
    }
    #expect(throws: VipsError.missingArgument("in", operation: "flip")) {
      try Image.calling("flip", ["direction": .choice("vertical")])
    }
  }

  /// Passes each argument a value of a type that the operation does not accept.
  @Test(arguments: [
    ("flip", "direction", Argument.number(1)), ("flip", "direction", .integer(1)),
    ("flip", "direction", .text("horizontal")), ("gaussblur", "sigma", .integer(2)),
    ("gaussblur", "sigma", .numbers([2])), ("gaussblur", "sigma", .text("2")),
    ("linear", "a", .number(2)), ("linear", "a", .integers([2])), ("linear", "a", .numbers([])),
    ("linear", "uchar", .integer(1)), ("copy", "width", .number(3)), ("copy", "width", .flag(true)),
    ("copy", "format", .choices(["uchar"])), ("recomb", "m", .images([])),
    ("affine", "interpolate", .choice("bicubic")), ("profile_load", "name", .blob([1])),
    ("text", "text", .text("a\0b")),
  ])
  func argumentsOfAWrongTypeThrow(_ operation: String, _ name: String, _ value: Argument) throws {
    let error = #expect(throws: VipsError.self) {
      try Image.calling(operation, [name: value])
    }
    guard case .wrongType(name, operation, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [-1.0, 0, 1e9, .infinity, -.infinity, .nan])
  func numbersOutsideTheArgumentsRangeThrow(_ sigma: Double) throws {
    let error = #expect(throws: VipsError.self) {
      try image.applying("gaussblur", ["sigma": .number(sigma), "min_ampl": .number(0)])
    }
    guard case .outOfRange(let name, "gaussblur", _, _) = error else {
      // `min_ampl` is checked before `sigma`, and its value 0 is always out of range.
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(name == "min_ampl")
  }

  @Test(arguments: [Int.min, -1, 2_000_000_000, Int.max])
  func integersOutsideTheArgumentsRangeThrow(_ width: Int) throws {
    let error = #expect(throws: VipsError.self) {
      try image.applying("copy", ["width": .integer(width)])
    }
    guard case .outOfRange("width", "copy", Double(width), let allowed) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(allowed.lowerBound == 0 && allowed.upperBound >= 10_000_000)
  }

  @Test func theErrorListsTheValidChoices() throws {
    let error = #expect(throws: VipsError.self) {
      try image.applying("flip", ["direction": .choice("upwards")])
    }
    #expect(
      error
        == .unknownChoice(
          "upwards", argument: "direction", operation: "flip", known: ["horizontal", "vertical"]))
    // The end marker and the error value of an enumeration are not accepted as choices.
    for nick in ["last", "error", "notset", ""] {
      #expect(throws: VipsError.self) { try image.applying("cast", ["format": .choice(nick)]) }
    }
  }

  @Test func flagsAreSetByName() throws {
    let plain = try image.encoded(as: "pngsave_target", ["filter": .choices(["none"])])
    let both = try image.encoded(as: "pngsave_target", ["filter": .choices(["sub", "up"])])
    #expect(plain != both)
    #expect(throws: VipsError.self) {
      try image.encoded(as: "pngsave_target", ["filter": .choices(["sub", "sideways"])])
    }
  }

  @Test func listsAndImagesArePassedCompletely() throws {
    let joined = try Image.calling("arrayjoin", ["in": .images([image, image, image])]).image()
    #expect(joined.width == image.width * 3)
    let reduced = try Image.calling(
      "composite",
      ["in": .images([image, image]), "mode": .integers([2]), "x": .integers([3])]
    ).image()
    #expect(reduced.bands == 4)
    let corner = try Image.calling(
      "getpoint", ["in": .image(image), "x": .integer(1), "y": .integer(0)])
    #expect(try corner.numbers("out_array") == [3, 43, 83])
  }

  @Test func integersThatDoNotFitInto32BitsThrow() {
    #expect(throws: VipsError.self) {
      try Image.calling(
        "composite",
        ["in": .images([image, image]), "mode": .integers([2]), "x": .integers([Int.max])])
    }
  }

  @Test func interpolatorsAreFoundByName() throws {
    let matrix = Argument.numbers([1, 0, 0, 1])
    let moved = try image.applying(
      "affine", ["matrix": matrix, "interpolate": .interpolate("bicubic")])
    #expect(moved.width == image.width)
    #expect(throws: VipsError.self) {
      try image.applying("affine", ["matrix": matrix, "interpolate": .interpolate("triangular")])
    }
  }

  @Test func unsupportedOptionalArgumentsAreOmitted() throws {
    let flipped = try Image.calling(
      "flip", ["in": .image(image), "direction": .choice("horizontal")],
      ifSupported: ["keep": .choices(["all"])])
    #expect(try flipped.image().width == image.width)
  }

  @Test func outputsOfAnOperationAreReadByType() throws {
    let most = try Image.calling("max", ["in": .image(image)])
    #expect(try most.number() == 255)
    #expect(try most.integer("x") >= 0)
    #expect(throws: VipsError.missingOutput("z", operation: "max")) { try most.integer("z") }
    #expect(throws: VipsError.missingOutput("out", operation: "max")) { try most.image() }
    let saved = try Image.calling("jpegsave_buffer", ["in": .image(image)])
    #expect(try saved.blob().prefix(2) == [0xFF, 0xD8])
  }

  @Test func drawingDoesNotChangeTheOriginalImage() throws {
    let original = try image.materialized()
    let before = try original.pixels()
    let outputs = try Image.calling(
      "draw_rect",
      [
        "image": .image(original), "ink": .numbers([255, 0, 0]), "left": .integer(0),
        "top": .integer(0), "width": .integer(4), "height": .integer(4), "fill": .flag(true),
      ])
    #expect(try outputs.image("image").pixels().prefix(3) == [255, 0, 0])
    #expect(try original.pixels() == before)
  }

  @Test func errorsContainTheTextOfLibvips() throws {
    let error = #expect(throws: VipsError.self) {
      try image.applying(
        "extract_area",
        ["left": .integer(60), "top": .integer(0), "width": .integer(9), "height": .integer(9)])
    }
    // The error text may begin with lines from other tests, because libvips has one error text for
    // the whole process.
    #expect("\(try #require(error))".hasSuffix("extract_area: bad extract area"))
  }
}
