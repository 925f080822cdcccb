import Foundation
import Glibc
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Large photos with outputs that are rendered simultaneously.
@Suite(.serialized) struct TeeTests {
  /// A photo of 17 megapixels, more than is kept in memory as a whole.
  private static let photo = Result {
    let tile = try SyntheticPhoto.image(width: 1030, height: 1036)
    let photo = try tile.applying("replicate", ["across": .integer(4), "down": .integer(4)])
    return try SyntheticPhoto.bytes(photo, "jpegsave_target", ["Q": .integer(85)])
  }

  private static let outputs: [(name: String, text: String)] = [
    ("full", #""format": "jpeg", "quality": 85"#),
    ("zoom", #""format": "dzi", "tileSize": 510"#),
    ("layers", #""format": "tiff", "compression": "jpeg", "pyramid": true"#),
    (
      "sharp",
      #""format": "jpeg", "filters": [{"filter": "sharpen", "id": "s", "amount": 0.5, "radius": 3}]"#
    ),
    (
      "small",
      #""format": "png", "filters": [{"filter": "resize", "id": "r", "longEdge": 900}]"#
    ),
  ]

  private static func recipe(_ filters: String, _ names: [String]) throws -> Recipe {
    let list = outputs.filter { names.contains($0.name) }
      .map { #"{"name": "\#($0.name)", \#($0.text)}"# }
    return try Studio.recipe(
      text: """
        {"identifier": "org.example.tee", "version": "1.0.0", "rendering": "exact",
         "filters": \(filters), "outputs": [\(list.joined(separator: ", "))]}
        """)
  }

  private static func pipeline(_ recipe: Recipe, _ photo: [UInt8]) throws -> Pipeline {
    try Renderer(recipe).plan(.bytes(photo)).pipeline
  }

  @Test func simultaneousOutputsEqualEachOutputAlone() throws {
    let photo = try Self.photo.get()
    let filters =
      #"[{"filter": "exposure", "stops": 0.4}, {"filter": "sharpen", "amount": 0.6}, {"filter": "vignette", "intensity": -0.4}]"#
    let names = Self.outputs.map(\.name)
    let all = try Self.recipe(filters, names)
    let tees = try Self.pipeline(all, photo).tees
    #expect(tees.count == 1 && tees.first?.readers.count == 5)
    let together = try Studio.render(photo, all).files
    for name in names {
      let one = try Self.recipe(filters, [name])
      #expect(try Self.pipeline(one, photo).tees.isEmpty)
      let alone = try Studio.render(photo, one).files[name]
      #expect(alone?.isEmpty == false && together[name] == alone, "\(name)")
    }
  }

  /// The square output ends above the lower edge of a tall photo, so this output is finished first.
  @Test func anOutputThatFinishesFirstDoesNotStopTheOthers() throws {
    let tile = try SyntheticPhoto.image(width: 756, height: 1008)
    let tall = try tile.applying("replicate", ["across": .integer(4), "down": .integer(4)])
    let photo = try SyntheticPhoto.bytes(tall, "jpegsave_target", ["Q": .integer(85)])
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.tall", "version": "1.0.0", "outputs": [
          {"name": "web", "format": "jpeg", "filters": [{"filter": "resize", "longEdge": 1600}]},
          {"name": "square", "format": "jpeg",
           "filters": [{"filter": "resize", "width": 320, "height": 320, "fit": "cover"}]}]}
        """)
    #expect(try Self.pipeline(recipe, photo).tees.count == 1)
    #expect(try Studio.render(photo, recipe).files.count == 2)
  }

  @Test func smallOrRotatedPhotosAreKeptInMemory() throws {
    let small = try SyntheticPhoto.jpeg(width: 900, height: 700)
    let recipe = try Self.recipe(#"[{"filter": "exposure", "stops": 0.4}]"#, ["full", "sharp"])
    #expect(try Self.pipeline(recipe, small).tees.isEmpty)
    let turned = try Studio.recipe(
      text: """
        {"identifier": "org.example.tee", "version": "1.0.0", "outputs": [
          {"name": "a", "format": "jpeg"},
          {"name": "b", "format": "jpeg", "filters": [{"filter": "rotate", "angle": 90}]}]}
        """)
    #expect(try Self.pipeline(turned, Self.photo.get()).tees.isEmpty)
  }

  @Test func simultaneousOutputsNeedLessMemoryThanTheWholePhoto() throws {
    let photo = try Self.photo.get()
    let file = PhotoFile.bytes(photo)
    let recipe = try Self.recipe(#"[{"filter": "exposure", "stops": 0.4}]"#, ["full", "zoom"])
    let header = try Renderer.header(of: file)
    let needs = try Renderer(recipe).plan(file, header).memory
    let pixels = header.stored.pixels
    #expect(needs.usual < MemoryNeeds.working(pixels: pixels) + pixels * 3)
    #expect(needs.usual == needs.spilled)
  }

  @Test func aTruncatedPhotoFailsAllOutputs() throws {
    let photo = try Self.photo.get()
    let recipe = try Self.recipe("[]", ["full", "zoom"])
    let cut = Array(photo.prefix(photo.count / 2))
    #expect {
      try Studio.render(cut, recipe)
    } throws: { error in
      if case RenderError.truncated = error { true } else { false }
    }
  }

  /// If the file of one output cannot be written, the render fails, and the other outputs do not
  /// wait for this file.
  @Test func anOutputThatCannotBeWrittenFailsThePhoto() throws {
    let photo = try Self.photo.get()
    let recipe = try Self.recipe("[]", ["full", "zoom"])
    let good = try TemporaryFile()
    let full = open("/dev/full", O_RDWR)
    defer { close(full) }
    #expect(throws: RenderError.self) {
      try Renderer(recipe).render(
        .bytes(photo), into: ["full": good.descriptor, "zoom": full])
    }
  }

  @Test func cancellingEndsTheRender() throws {
    let photo = try Self.photo.get()
    let recipe = try Self.recipe("[]", ["full", "zoom"])
    let files = [try TemporaryFile(), try TemporaryFile()]
    let monitor = Monitor()
    monitor.cancel()
    #expect(throws: RenderError.cancelled) {
      try Renderer(recipe).render(
        .bytes(photo), into: ["full": files[0].descriptor, "zoom": files[1].descriptor],
        monitor: monitor)
    }
  }
}
