import Foundation
import PhotoRecipes
import PhotoRender
import TestRandom
import TestSupport
import Testing
import Vips

/// A live picture has the same bytes, whichever pictures were rendered before.
@Suite struct LivePictureTests {
  /// The filters of an edit; `%` is the value of the setting that the user moves.
  static let edits = [
    #"[{"filter": "exposure", "stops": %}, {"filter": "contrast", "amount": 0.2}]"#,
    #"[{"filter": "denoise"}, {"filter": "exposure", "stops": %}, {"filter": "sharpen"}]"#,
    #"[{"filter": "crop", "aspect": "6:5"}, {"filter": "blur", "radius": 4}, {"filter": "vignette", "intensity": %}]"#,
    #"[{"filter": "exposure", "stops": %}, {"filter": "highlights", "amount": -0.5}, {"filter": "saturation", "amount": 0.3}]"#,
    #"[{"filter": "autoLevels"}, {"filter": "shadows", "amount": 0.4}, {"filter": "exposure", "stops": %}]"#,
    #"[{"filter": "straighten", "angle": 3}, {"filter": "hue", "angle": 40, "mask": {"radial": {"radius": 0.4}}}, {"filter": "exposure", "stops": %}]"#,
    #"[{"filter": "highlights", "amount": %}, {"filter": "shadows", "amount": 0.4}, {"filter": "clarity", "amount": 0.3}]"#,
    #"[{"filter": "clarity", "amount": %}, {"filter": "texture", "amount": 0.3}, {"filter": "highlights", "amount": -0.4}]"#,
    #"[{"filter": "grain", "amount": 0.4}, {"filter": "exposure", "stops": %}]"#,
  ]

  private static func recipe(_ edit: String, _ value: Double) throws -> Recipe {
    try Studio.recipe(edit.replacing("%", with: "\(value)"))
  }

  private static func held(_ photo: URL) throws -> HeldPhoto {
    let file = try FileHandle(forReadingFrom: photo)
    defer { try? file.close() }
    return try HeldPhoto(file.fileDescriptor, InputSettings(), files: [:], .standard)
  }

  private static func show(
    _ recipe: Recipe, _ held: HeldPhoto, _ picture: LivePicture
  ) throws -> (ShownPicture, [UInt8]) {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let renderer = Renderer(recipe)
    let plan = try renderer.livePlan(picture, of: held)
    let shown = try renderer.show(plan, of: held, into: fileno(file))
    return (shown, try content(file))
  }

  private static func preview(_ photo: [UInt8], _ recipe: Recipe, _ name: String) throws -> [UInt8]
  {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let source = PhotoFile.bytes(photo)
    let renderer = Renderer(recipe)
    let plan = try renderer.previewPlan(
      source, Renderer.header(of: source), PreviewSize(longEdge: 300, quality: 99))
    _ = try renderer.preview(plan, into: [name: fileno(file)])
    return try content(file)
  }

  private static func content(_ file: UnsafeMutablePointer<FILE>) throws -> [UInt8] {
    let size = Int(lseek(fileno(file), 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: size)
    let read = bytes.withUnsafeMutableBytes { pread(fileno(file), $0.baseAddress, size, 0) }
    try #require(read == size && size > 0)
    return bytes
  }

  private func photo(width: Int = 460, height: Int = 330) throws -> URL {
    let bytes = try SyntheticPhoto.jpeg(width: width, height: height)
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(bytes).write(to: place)
    return place
  }

  @Test(arguments: edits) func aPictureAtRestDoesNotDependOnEarlierPictures(
    _ edit: String
  ) throws {
    let place = try photo()
    defer { try? FileManager.default.removeItem(at: place) }
    let held = try Self.held(place)
    var picture = LivePicture(longEdge: 300)
    picture.isMoving = true
    for value in [0.1, 0.2, 0.3] {
      _ = try Self.show(Self.recipe(edit, value), held, picture)
    }
    picture.isMoving = false
    for value in [0.4, 0.1] {
      let recipe = try Self.recipe(edit, value)
      let (shown, live) = try Self.show(recipe, held, picture)
      #expect(try live == Self.show(recipe, Self.held(place), picture).1, "\(value)")
      #expect(shown.size.longEdge <= 300)
    }
    picture.isUnedited = true
    let recipe = try Self.recipe(edit, 0.1)
    let (_, before) = try Self.show(recipe, held, picture)
    #expect(try before == Self.show(recipe, Self.held(place), picture).1)
  }

  @Test(arguments: TestVolume.one(of: 2, edits))
  func aPictureOfAMovingSettingDoesNotDependOnEarlierPictures(_ edit: String) throws {
    let place = try photo()
    defer { try? FileManager.default.removeItem(at: place) }
    let held = try Self.held(place)
    var picture = LivePicture(longEdge: 300)
    picture.isMoving = true
    for value in [0.1, 0.2, 0.5, 0.2] {
      let recipe = try Self.recipe(edit, value)
      let (_, live) = try Self.show(recipe, held, picture)
      #expect(try live == Self.show(recipe, Self.held(place), picture).1, "\(value)")
    }
  }

  /// A draft measures the photo as its own size is decoded, which the picture at rest does not.
  @Test func picturesOfSeveralSizesDoNotDependOnEachOther() throws {
    let place = try photo(width: 1380, height: 990)
    defer { try? FileManager.default.removeItem(at: place) }
    let held = try Self.held(place)
    let recipe = try Self.recipe(Self.edits[4], 0.3)
    for (edge, isMoving) in [(150, true), (600, false), (300, true), (150, true), (600, true)] {
      var picture = LivePicture(longEdge: edge)
      picture.isMoving = isMoving
      let (_, live) = try Self.show(recipe, held, picture)
      #expect(try live == Self.show(recipe, Self.held(place), picture).1, "\(edge), \(isMoving)")
    }
  }

  @Test func aDraftAndWhatItMeasuresAreDecodedOnce() throws {
    let place = try photo(width: 2760, height: 1980)
    defer { try? FileManager.default.removeItem(at: place) }
    let held = try Self.held(place)
    var picture = LivePicture(longEdge: 1000)
    picture.isMoving = true
    _ = try Self.show(Self.recipe(Self.edits[4], 0.3), held, picture)
    #expect(held.decodedImages == 1)
  }

  /// A white photo with a grey part, 300 × 120 pixels large.
  private func bordered() throws -> URL {
    let pixels = (0..<500).flatMap { y in
      (0..<700).flatMap { x -> [UInt8] in
        let isPart = (200..<500).contains(x) && (180..<300).contains(y)
        return Array(repeating: isPart ? 90 : 255, count: 3)
      }
    }
    let image = try Image(pixels: pixels, width: 700, height: 500, bands: 3, format: .uchar)
      .applying("copy", ["interpretation": .choice("srgb")])
    let photo = try SyntheticPhoto.bytes(image, "pngsave_target")
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(photo).write(to: place)
    return place
  }

  @Test(arguments: [
    (#"[{"filter": "smartCrop", "aspect": "1:2"}]"#, Size(250, 500), Size(200, 400)),
    (#"[{"filter": "trim"}]"#, Size(300, 120), Size(300, 120)),
    (#"[{"filter": "trim"}, {"filter": "resize", "width": 150}]"#, Size(150, 60), Size(150, 60)),
    (#"[{"filter": "autoLevels"}]"#, Size(700, 500), Size(400, 286)),
  ])
  func aMeasuredCropFillsTheBoxAndHasItsFullSize(
    _ edit: String, _ full: Size, _ shown: Size
  ) throws {
    let place = try bordered()
    defer { try? FileManager.default.removeItem(at: place) }
    let held = try Self.held(place)
    var picture = LivePicture(longEdge: 4096)
    picture.box = Size(400, 400)
    for isUnedited in [false, true] {
      picture.isUnedited = isUnedited
      let (found, _) = try Self.show(Self.recipe(edit, 0), held, picture)
      #expect(found.fullSize == full)
      #expect(found.size == shown)
    }
  }

  /// A raw photo is developed anew for each light that a recipe names, also if the pictures that were
  /// rendered before were developed for another light.
  ///
  /// The unedited picture keeps the camera's white balance.
  @Test func aRawPhotoIsBalancedForTheLightOfTheRecipe() throws {
    let bytes = SyntheticDNG(width: 700, height: 500) { x, y, colour in
      0.1 + 0.3 * Double(x) / 700 + 0.1 * Double(y * colour) / 500
    }.bytes
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(bytes).write(to: place)
    defer { try? FileManager.default.removeItem(at: place) }
    let held = try Self.held(place)
    let edit = #"[{"filter": "whiteBalance", "kelvin": %}, {"filter": "autoLevels"}]"#
    var files: Set<[UInt8]> = []
    var unedited = LivePicture(longEdge: 300)
    unedited.isUnedited = true
    let asShot = try Samples(file: Self.show(Self.recipe("[]", 0), Self.held(place), unedited).1)
    for kelvin in [4000.0, 4200, 8000, 4000] {
      let recipe = try Self.recipe(edit, kelvin)
      let (_, live) = try Self.show(recipe, held, LivePicture(longEdge: 300))
      let preview = try Samples(file: Self.preview(bytes, recipe, Graph.Preview.after))
      #expect(try Samples(file: live).difference(from: preview) <= 4, "\(kelvin) K")
      files.insert(live)
      let before = try Samples(file: Self.show(recipe, held, unedited).1)
      #expect(before.difference(from: asShot) <= 1, "\(kelvin) K")
    }
    #expect(files.count == 3)
  }

  /// The picture at rest has the colours of the rendition after it is reduced, also where steps
  /// depend on the noise.
  @Test(arguments: [
    "[]", #"[{"filter": "exposure", "stops": 1.5}]"#, #"[{"filter": "posterize"}]"#,
    #"[{"filter": "negative"}, {"filter": "vignette", "intensity": -0.4}]"#,
  ])
  func aNoisyRawPhotoIsShownAsARunRendersIt(_ edit: String) throws {
    let bytes = SyntheticDNG.greySteps(slope: 8e-4, floor: 4e-6).bytes
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(bytes).write(to: place)
    defer { try? FileManager.default.removeItem(at: place) }
    let recipe = try Studio.recipe(edit)
    let (shown, live) = try Self.show(recipe, Self.held(place), LivePicture(longEdge: 250))
    let rendition = try Samples(file: #require(try Studio.render(bytes, recipe).files["out"]))
    let reduced = try rendition.image().applying(
      "thumbnail_image",
      [
        "width": .integer(shown.size.width), "height": .integer(shown.size.height),
        "size": .choice("force"),
      ])
    let difference = try Samples(file: live).meanColourDifference(from: Samples(reduced))
    #expect(difference < 1, "mean ΔE2000 \(difference)")
  }

  /// A small output is shown as a run renders it, where fine light details become brighter than white.
  @Test func aSmallOutputIsReducedAfterItsStepsAsInARun() throws {
    let photo = Samples(900, 600) { x, y in
      Array(repeating: (x / 2 + y / 2).isMultiple(of: 2) ? 200 : 20 + x / 10, count: 3)
    }
    let bytes = try SyntheticPhoto.bytes(photo.image(), "pngsave_target")
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(bytes).write(to: place)
    defer { try? FileManager.default.removeItem(at: place) }
    let recipe = try Studio.recipe(
      #"[{"filter": "exposure", "stops": 1.5}, {"filter": "resize", "longEdge": 150}]"#)
    let (shown, live) = try Self.show(recipe, Self.held(place), LivePicture(longEdge: 150))
    #expect(shown.size == Size(150, 100))
    let rendition = try Samples(file: #require(try Studio.render(bytes, recipe).files["out"]))
    let difference = try Samples(file: live).meanColourDifference(from: rendition)
    #expect(difference < 1, "mean ΔE2000 \(difference)")
  }

  @Test func aPictureHasTheWarningsOfARun() throws {
    var file = SyntheticDNG(width: 400, height: 300) { x, _, _ in Double(x) / 400 }
    file.neutral = nil
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(file.bytes).write(to: place)
    defer { try? FileManager.default.removeItem(at: place) }
    let (shown, _) = try Self.show(
      Studio.recipe("[]"), Self.held(place), LivePicture(longEdge: 300))
    #expect(
      shown.warnings == ["the camera's white balance is unknown, so daylight is assumed"])
  }

  /// A photo states what masks cannot find in it.
  @Test func aPhotoStatesTheDataThatItDoesNotHave() throws {
    let photo = Samples(96, 64) { x, y in [40 + x / 2, 60 + y, 90 - y / 2] }
    let levels = Samples(48, 32) { x, y in [min(255, 4 * x + 2 * y)] }
    let made = AuxiliaryJPEGFile(photo: photo, levels: levels)
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: place) }
    try Data(made.inXMP()).write(to: place)
    let lacks = try Self.held(place).lacks(searchesFaces: true)
    #expect(Set(lacks.keys) == ["portrait", "skin", "hair", "teeth", "glasses", "sky", "face"])
    #expect(lacks["skin"] == "the photo's file has no matte of skin")
    try Data(MarkedPhoto.jpeg(photo, [[0.2, 0.2, 0.4, 0.5]], orientation: 1)).write(to: place)
    let others = try Self.held(place).lacks(searchesFaces: true)
    #expect(others["depth"] == "the photo's file has no depth map" && others["face"] == nil)
    #expect(try Self.held(place).lacks(searchesFaces: false).count == 7)
  }

  @Test func aFileThatIsNotAPhotoIsRefused() throws {
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data("no photo".utf8).write(to: place)
    defer { try? FileManager.default.removeItem(at: place) }
    #expect(throws: RenderError.self) { try Self.held(place) }
  }
}
