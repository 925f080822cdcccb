import Foundation
import Glibc
import Notation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// The bytes of a rendition do not depend on threads or temporary files.
@Suite(.serialized) struct ThreadTests {
  private static let chains: [(name: String, filters: String, output: String)] = [
    ("plain", "", #""format": "jpeg""#),
    ("reduced", #"{"filter": "resize", "longEdge": 500}"#, #""format": "png""#),
    ("turned", #"{"filter": "rotate", "angle": 90}"#, #""format": "png""#),
    ("straightened", #"{"filter": "straighten", "angle": 5}"#, #""format": "tiff""#),
    (
      "local",
      #"{"filter": "highlights", "amount": -0.5}, {"filter": "clarity", "amount": 0.4}, "#
        + #"{"filter": "denoise", "luma": 0.5, "chroma": 0.5}"#, #""format": "png""#
    ),
    (
      "soft",
      #"{"filter": "blur", "radius": 20, "opacity": 0.5}, {"filter": "bloom", "amount": 0.5}, "#
        + #"{"filter": "sharpen", "amount": 0.5}"#, #""format": "jpeg", "progressive": true"#
    ),
    (
      "drawn",
      #"{"filter": "vignette", "intensity": -0.5}, {"filter": "grain", "amount": 0.3}, "#
        + #"{"filter": "text", "content": "threads", "size": 0.2}"#, #""format": "webp""#
    ),
  ]

  private static func recipe(_ filters: String, _ output: String) throws -> Recipe {
    let text = """
      {"identifier": "org.example.threads", "version": "1.0.0", "variant": "v",
       "filters": [\(filters)], "outputs": [{"name": "o", \(output)}]}
      """
    let source = SourceText(name: "recipe.json", bytes: Array(text.utf8))
    return try RecipeDocument(source) { file throws(Problem) in
      throw .missingFile(file.path)
    }.recipe().recipe
  }

  private static func rendered(
    _ renderer: Renderer, _ photo: [UInt8]
  ) throws -> [UInt8] {
    let file = try TemporaryFile()
    _ = try Concurrency.using(renderer.threads) {
      try renderer.render(.bytes(photo), into: ["o": file.descriptor])
    }
    return try PhotoFile.descriptor(file.descriptor).contents(named: "o")
  }

  @Test(arguments: chains.indices)
  func bytesDoNotDependOnThreadsNorOnTemporaryFiles(_ chain: Int) throws {
    let (name, filters, output) = Self.chains[chain]
    let recipe = try Self.recipe(filters, output)
    let photos = [
      try SyntheticPhoto.jpeg(width: 801, height: 560),
      try SyntheticPhoto.png(width: 620, height: 500, alpha: true),
    ]
    for photo in photos {
      var renderer = Renderer(recipe)
      let bytes = try Self.rendered(renderer, photo)
      #expect(!bytes.isEmpty)
      for threads in TestVolume.isWhole ? [2, 4, 7] : [7] {
        renderer.threads = threads
        #expect(try Self.rendered(renderer, photo) == bytes, "\(name), \(threads) threads")
      }
      renderer.threads = 1
      renderer.spills = true
      #expect(try Self.rendered(renderer, photo) == bytes, "\(name), in files")
    }
  }

  /// Large masks and watermarks, which are decoded row by row while they are reduced, give the same
  /// bytes with any number of threads.
  @Test(arguments: ["jpegsave_target", "pngsave_target", "tiffsave_target"])
  func largeMasksAndMarksGiveTheSameBytesWithAnyThreads(_ saver: String) throws {
    let files = [
      "m": try SyntheticPhoto.bytes(SyntheticPhoto.image(width: 1000, height: 4800), saver)
    ]
    let photo = try SyntheticPhoto.jpeg(width: 1001, height: 740)
    for filter in [
      #""filter": "invert", "mask": {"image": {"file": "m"}}"#,
      #""filter": "invert", "mask": {"image": {"file": "m", "feather": 0.005}}"#,
      #""filter": "watermark", "image": "m""#,
    ] {
      var renderer = Renderer(try Self.recipe("{\(filter)}", #""format": "png""#), files: files)
      let bytes = try Self.rendered(renderer, photo)
      for threads in TestVolume.isWhole ? [2, 5] : [5] {
        renderer.threads = threads
        #expect(try Self.rendered(renderer, photo) == bytes, "\(filter), \(threads) threads")
      }
    }
  }

  /// Pictures that are kept as a whole are stored in `TMPDIR`, and their files are removed
  /// afterwards.
  ///
  /// The test runs in a separate process, because other tests open files at the same time.
  @Test func temporaryFilesAreRemovedAfterTheRender() async {
    await #expect(processExitsWith: .success) {
      try VipsRuntime.start()
      let before = VipsRuntime.usage.files
      let image = try SyntheticPhoto.image(width: 300, height: 200)
      do {
        let held = try image.materialized(inFile: true)
        #expect(try held.samples(as: UInt8.self) == image.samples(as: UInt8.self))
      }
      #expect(VipsRuntime.usage.files == before)
    }
  }
}
