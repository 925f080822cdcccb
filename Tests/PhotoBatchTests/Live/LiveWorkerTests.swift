import Foundation
import PhotoLibrary
import PhotoRecipes
import PhotoRender
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

/// A live worker keeps photos open between pictures, and opens them again after its process was
/// replaced.
@Suite struct LiveWorkerTests {
  private static func recipe(_ stops: Double) throws -> Recipe {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"identifier": "org.example.live", "version": "1.0.0",
       "filters": [{"filter": "exposure", "stops": \(stops)}],
       "outputs": [{"name": "out", "format": "jpeg"}]}
      """, to: "recipe.json")
    return try RecipeDocument(contentsOf: folder["recipe.json"]).recipe().recipe
  }

  private static func options(_ executable: String = Command.executable) -> BatchOptions {
    var options = BatchOptions()
    options.workerExecutable = executable
    return options
  }

  @Test func aChangedSettingGivesAnotherLivePicture() throws {
    let folder = try TemporaryFolder()
    try folder.write(try SyntheticPhoto.jpeg(width: 400, height: 300), to: "a.jpg")
    let worker = LiveWorker(Self.options())
    let subject = try LiveWorker.subject(folder["a.jpg"])
    let picture = LivePicture(longEdge: 200)
    let dark = try worker.show(Self.recipe(-1), on: subject, picture)
    let bright = try worker.show(Self.recipe(1), on: subject, picture)
    #expect(dark.picture.size == Size(200, 150))
    #expect(dark.picture.fullSize == Size(400, 300))
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
    #expect(dark.file.starts(with: signature) && bright.file.starts(with: signature))
    var moving = picture
    moving.isMoving = true
    #expect(
      try worker.show(Self.recipe(-1), on: subject, moving).file.starts(with: [0xFF, 0xD8]))
    #expect(dark.file != bright.file)
    #expect(try worker.show(Self.recipe(-1), on: subject, picture).file == dark.file)
  }

  /// Several workers may share one open file, so no worker may move the file's read position.
  @Test func aWorkerDoesNotMoveTheReadPositionOfTheSharedPhotoFile() throws {
    let folder = try TemporaryFolder()
    try folder.write(try SyntheticPhoto.jpeg(width: 400, height: 300), to: "a.jpg")
    let worker = LiveWorker(Self.options())
    let subject = try LiveWorker.subject(folder["a.jpg"])
    _ = try worker.show(Self.recipe(1), on: subject, LivePicture(longEdge: 200))
    #expect(subject.image.file.withDescriptor { lseek($0.rawValue, 0, SEEK_CUR) } == 0)
  }

  @Test func aPartOfALivePictureAtFullSizeIsALosslessPNG() throws {
    let folder = try TemporaryFolder()
    try folder.write(try SyntheticPhoto.jpeg(width: 400, height: 300), to: "a.jpg")
    let worker = LiveWorker(Self.options())
    let subject = try LiveWorker.subject(folder["a.jpg"])
    var picture = LivePicture(longEdge: 200)
    picture.box = Size(100, 100)
    #expect(try worker.show(Self.recipe(1), on: subject, picture).picture.size == Size(100, 75))
    picture.part = Rectangle(left: 350, top: 20, size: Size(64, 64))
    let (shown, file) = try worker.show(Self.recipe(1), on: subject, picture)
    #expect(file.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(shown.part == Rectangle(left: 336, top: 20, size: Size(64, 64)))
    #expect(shown.size == Size(64, 64) && shown.fullSize == Size(400, 300))
  }

  @Test func moreLivePhotosThanAWorkerKeepsOpenAreShownCorrectly() throws {
    let folder = try TemporaryFolder()
    let worker = LiveWorker(Self.options())
    let recipe = try Self.recipe(0.5)
    let subjects = try (0..<5).map { number in
      try folder.write(
        try SyntheticPhoto.jpeg(width: 200 + 10 * number, height: 150), to: "\(number).jpg")
      return try LiveWorker.subject(folder["\(number).jpg"])
    }
    for _ in 0..<2 {
      for (number, subject) in subjects.enumerated() {
        let shown = try worker.show(recipe, on: subject, LivePicture(longEdge: 1000)).picture
        #expect(shown.size.width == 200 + 10 * number)
      }
    }
  }

  @Test func aLivePhotoIsOpenedAgainAfterItsWorkerEnded() throws {
    let folder = try TemporaryFolder()
    try folder.write(try SyntheticPhoto.jpeg(width: 200, height: 150), to: "a.jpg")
    try folder.writeProgram(
      """
      #!/bin/sh
      echo $$ >> '\(folder["starts"].string)'
      exec '\(Command.executable)' "$@"
      """, to: "worker")
    let worker = LiveWorker(Self.options(folder["worker"].string))
    let subject = try LiveWorker.subject(folder["a.jpg"])
    let first = try worker.show(Self.recipe(1), on: subject, LivePicture(longEdge: 100)).file
    let process = try #require(
      Int32(String(decoding: try folder.read("starts"), as: UTF8.self).split(separator: "\n")[0]))
    kill(process, SIGKILL)
    let second = try worker.show(Self.recipe(1), on: subject, LivePicture(longEdge: 100)).file
    #expect(first == second)
    let starts = try folder.read("starts").count(where: { $0 == UInt8(ascii: "\n") })
    #expect(starts == 2)
  }

  @Test func aDamagedLivePhotoIsRefusedAndTheNextPhotoIsShown() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("no photo".utf8), to: "a.jpg")
    try folder.write(try SyntheticPhoto.jpeg(width: 200, height: 150), to: "b.jpg")
    let worker = LiveWorker(Self.options())
    let picture = LivePicture(longEdge: 100)
    #expect(throws: LivePictureFailure.self) {
      try worker.show(Self.recipe(1), on: LiveWorker.subject(folder["a.jpg"]), picture)
    }
    let shown = try worker.show(
      Self.recipe(1), on: LiveWorker.subject(folder["b.jpg"]), picture)
    #expect(shown.picture.size == Size(100, 75))
  }
}
