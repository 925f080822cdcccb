import Foundation
import PhotoRecipes
import PhotoRender
import Synchronization
import TestRandom
import TestSupport
import Testing
import Vips

/// Returns its input unchanged.
struct EchoingProgram: ExternalRunner {
  func run(_ step: External, input: Int32, output: Int32) throws(ExternalFailure) {
    Open.write(Open.content(input), to: output)
  }
}

/// Records its inputs, and returns the answer that the test chooses.
private final class FakeProgram: ExternalRunner {
  private let answer: @Sendable ([UInt8]) throws -> [UInt8]
  private let seen = Mutex<[[UInt8]]>([])

  init(_ answer: @escaping @Sendable ([UInt8]) throws -> [UInt8]) { self.answer = answer }

  var inputs: [[UInt8]] { seen.withLock { $0 } }

  func run(_ step: External, input: Int32, output: Int32) throws(ExternalFailure) {
    let bytes = Open.content(input)
    seen.withLock { $0.append(bytes) }
    do { Open.write(try answer(bytes), to: output) } catch {
      throw ExternalFailure("\(error)", hint: "")
    }
  }
}

private enum Open {
  static func content(_ file: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    return count == bytes.count ? bytes : []
  }

  static func write(_ bytes: [UInt8], to file: Int32) {
    #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
  }
}

/// Tests the external filter with fake programs.
@Suite struct ExternalFilterTests {
  private static let step = #"{"filter": "external", "command": ["fake"]}"#
  private static let resizing = #"{"filter": "external", "command": ["fake"], "resizes": true}"#

  private static func photo(alpha: Bool = false) -> Samples {
    let bands = alpha ? 4 : 3
    let values = (0..<40 * 30 * bands).map { $0 * 7 % 256 }
    return Samples(width: 40, height: 30, bands: bands, maximum: 255, values: values)
  }

  /// Replaces every sample x by 65,535 − x; alpha stays unchanged.
  private static func inverted(_ file: [UInt8]) throws -> [UInt8] {
    var samples = try Samples(file: file)
    for index in samples.values.indices where samples.bands == 3 || index % 4 < 3 {
      samples.values[index] = samples.maximum - samples.values[index]
    }
    return try samples.file("tiffsave_target")
  }

  private static func developed(
    _ photo: [UInt8], _ filters: String, _ program: any ExternalRunner
  ) throws -> Samples {
    let recipe = try Studio.recipe("[\(filters)]")
    let files = try Studio.render(photo, recipe, runner: program).files
    return try Samples(file: #require(files["out"]))
  }

  @Test(arguments: [false, true])
  func theProgramReceivesSixteenBitsAndItsPictureReplacesThePhoto(_ alpha: Bool) throws {
    let photo = Self.photo(alpha: alpha)
    let program = FakeProgram(Self.inverted)
    let result = try Self.developed(photo.file(), Self.step, program)
    let given = try Samples(file: #require(program.inputs.first))
    #expect(program.inputs.count == 1)
    #expect(program.inputs[0].prefix(4) == [0x49, 0x49, 0x2A, 0])
    #expect(given.maximum == 65_535)
    #expect(given.bands == photo.bands)
    #expect(given.values == photo.values.map { $0 * 257 })
    let expected = photo.values.enumerated().map { index, value in
      alpha && index % 4 == 3 ? value : 255 - value
    }
    #expect(result.values == expected)
  }

  @Test func theProfileOfThePhotoIsAppliedBeforeTheProgram() throws {
    let photo = try Self.photo().file(fields: [
      "icc-profile-data": .blob(StandardProfile.displayP3.bytes)
    ])
    let program = FakeProgram { $0 }
    let result = try Self.developed(photo, Self.step, program)
    #expect(try result.difference(from: Self.developed(photo, "", program)) <= 1)
  }

  @Test func aReturnedPictureIsConvertedByItsOwnProfile() throws {
    let photo = Self.photo()
    let wide = try photo.file(fields: ["icc-profile-data": .blob(StandardProfile.displayP3.bytes)])
    let result = try Self.developed(photo.file(), Self.step, FakeProgram { _ in wide })
    #expect(try result == Self.developed(wide, "", EchoingProgram()))
    #expect(result.values != photo.values)
  }

  @Test func stepsBeforeAndAfterTheProgramAreAppliedOnce() throws {
    let photo = try Self.photo().file()
    let steps = [
      #"{"filter": "flip"}"#, Self.step, #"{"filter": "rotate", "angle": 90}"#,
      #"{"filter": "crop", "left": 3, "top": 4, "width": 11, "height": 12}"#,
      #"{"filter": "vignette", "intensity": -0.5}"#,
    ]
    let without = steps.enumerated().filter { $0.offset != 1 }.map(\.element)
    let result = try Self.developed(photo, steps.joined(separator: ","), EchoingProgram())
    let expected = try Self.developed(photo, without.joined(separator: ","), EchoingProgram())
    #expect(result.difference(from: expected) <= 1)
  }

  @Test func opacityMixesTheReturnedPictureWithThePhoto() throws {
    let photo = Self.photo()
    let half = #"{"filter": "external", "command": ["fake"], "opacity": 0.5}"#
    let result = try Self.developed(photo.file(), half, FakeProgram(Self.inverted))
    #expect(result.values.allSatisfy { (127...128).contains($0) })
    #expect(result.values.count == photo.values.count)
  }

  @Test func outputsShareOneProgramRunUnlessTheirStepsDiffer() throws {
    let program = FakeProgram(Self.inverted)
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "filters": [\(Self.step)],
         "outputs": [
           {"name": "a", "format": "png"},
           {"name": "b", "format": "png", "filters": [{"filter": "resize", "width": 20}]},
           {"name": "c", "format": "png", "filters": [
             {"filter": "external", "id": "again", "command": ["other"]}]}]}
        """)
    let photo = Self.photo()
    let files = try Studio.render(photo.file(), recipe, runner: program).files
    #expect(program.inputs.count == 2)
    #expect(try Samples(file: #require(files["a"])).values == photo.values.map { 255 - $0 })
    #expect(try Samples(file: #require(files["b"])).width == 20)
    #expect(try Samples(file: #require(files["c"])).values == photo.values)
  }

  @Test func laterStepsUseTheSizeAndAlphaOfTheReturnedPicture() throws {
    let small = try Samples.flat([10, 200, 90, 128], 16, 8).file()
    let steps = Self.resizing + #", {"filter": "rotate", "angle": 90}"#
    let result = try Self.developed(Self.photo().file(), steps, FakeProgram { _ in small })
    #expect((result.width, result.height, result.bands) == (8, 16, 4))
    #expect(result[0, 0] == [10, 200, 90, 128])
  }

  @Test func filtersMeasureTheReturnedPicture() throws {
    let steps = Self.step + #", {"filter": "trim"}"#
    let marked = Samples(
      width: 40, height: 30, bands: 3, maximum: 255,
      values: (0..<40 * 30).flatMap { index in
        let isInside = (10..<20).contains(index % 40) && (5..<25).contains(index / 40)
        return Array(repeating: isInside ? 9 : 250, count: 3)
      })
    let file = try marked.file()
    let result = try Self.developed(Self.photo().file(), steps, FakeProgram { _ in file })
    #expect((result.width, result.height) == (10, 20))
  }

  @Test func thePhotosOwnMetadataIsKept() throws {
    let xmp = #"<x:xmpmeta xmlns:x="adobe:ns:meta/"></x:xmpmeta>"#
    let photo = try Self.photo().file(
      "jpegsave_target",
      fields: [
        "exif-ifd0-Copyright": .text("Ada"), "exif-ifd2-DateTimeOriginal": .text("2020:01:02"),
        "exif-ifd3-GPSLatitude": .text("48/1 51/1 30/1"), "xmp-data": .blob(Array(xmp.utf8)),
      ])
    func fields(_ filters: String) throws -> [String: String] {
      let output = #""format": "jpeg", "metadata": "all", "dpi": 300"#
      let file = try Studio.develop(photo, filters, output: output)
      let image = try Image.load(from: Source(bytes: file))
      let fields = image.metadataNames.map { ($0, "\(String(describing: image.field($0)))") }
      return Dictionary(fields) { first, _ in first }
    }
    let kept = try fields("[\(Self.step)]")
    #expect(try kept == fields("[]"))
    #expect(kept["exif-ifd0-Copyright"]?.contains("Ada") == true)
    #expect(kept["xmp-data"] != nil)
  }

  @Test func thePhotosResolutionIsKept() throws {
    let photo = try Studio.develop(
      Self.photo().file(), "[]", output: #""format": "tiff", "dpi": 300"#)
    // The file that the program returns states no resolution.
    let bare = try Self.photo().file()
    let (files, _) = try Studio.render(
      photo, Studio.recipe("[\(Self.step)]"), runner: FakeProgram { _ in bare })
    let image = try Image.load(from: Source(bytes: #require(files["out"])))
    #expect(abs(image.horizontalResolution * 25.4 - 300) < 0.1)
  }

  @Test(
    arguments: [
      ("wrote nothing", []), ("is not an image", Array("no picture".utf8)),
    ] as [(String, [UInt8])])
  func aProgramThatReturnsNoPictureIsAnError(_ message: String, _ bytes: [UInt8]) throws {
    try Self.expectFailure(message, Self.step) { _ in bytes }
  }

  @Test func aReturnedPictureOfAnotherSizeIsRefusedByDefault() throws {
    let small = try Samples.flat([1, 2, 3], 20, 30).file()
    try Self.expectFailure("20×30 pixels instead of 40×30", Self.step) { _ in small }
    let result = try Self.developed(
      Self.photo().file(), Self.resizing, FakeProgram { _ in small })
    #expect((result.width, result.height) == (20, 30))
  }

  @Test func aTruncatedReturnedPictureIsAnError() throws {
    // In a TIFF file the directory comes last, so half a file has no directory.
    try Self.expectFailure("is not an image", Self.step) { Array($0.prefix($0.count / 2)) }
    let jpeg = try SyntheticNoise.jpeg()
    try Self.expectFailure("is damaged", Self.resizing) { _ in Array(jpeg.prefix(jpeg.count / 2)) }
  }

  @Test func anExternalStepIsRefusedIfProgramsAreNotAllowed() throws {
    let recipe = try Studio.recipe("[\(Self.step)]")
    let renderer = Renderer(recipe)
    #expect {
      try Studio.render(Self.photo().file(), renderer)
    } throws: { "\($0)".contains("is not allowed to run") }
  }

  private static func expectFailure(
    _ message: String, _ filters: String, _ answer: @escaping @Sendable ([UInt8]) throws -> [UInt8]
  ) throws {
    #expect {
      try developed(photo().file(), filters, FakeProgram(answer))
    } throws: { error in
      guard case .externalFailed(let failure) = error as? RenderError else { return false }
      return failure.message.contains(message)
    }
  }
}

private enum SyntheticNoise {
  static func jpeg() throws -> [UInt8] {
    var random = SeededGenerator(seed: 5)
    let values = (0..<200 * 200 * 3).map { _ in Int.random(in: 0...255, using: &random) }
    return try Samples(width: 200, height: 200, bands: 3, maximum: 255, values: values)
      .file("jpegsave_target")
  }
}
