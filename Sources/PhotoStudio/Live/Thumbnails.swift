import PhotoBatch
import PhotoRecipes
import PhotoRender
import Synchronization

/// Small pictures of the photos for the filmstrip, with the settings at the time of the request.
///
/// A separate worker renders them with one thread, so that live pictures do not wait for them.
final class Thumbnails: Sendable {
  /// The longer edge in pixels.
  private static let edge = 256
  /// The maximum number of pictures that are kept, about 10 kB each.
  private static let most = 4000

  private let session: StudioSession
  private let states: PhotoStates
  private let worker: LiveWorker
  private let busy = Mutex(())
  private struct Kept {
    var pictures: [Int: [UInt8]] = [:]
    /// The number of times that the pictures were removed; an older picture is not kept.
    var changes = 0
  }
  private let kept = Mutex(Kept())

  init(_ session: StudioSession, _ states: PhotoStates) {
    (self.session, self.states) = (session, states)
    worker = LiveWorker(session.options.batch, isIdle: true)
  }

  func stop() { worker.stop() }

  /// Removes all pictures, because a save has changed photos.
  func forgetAll() {
    kept.withLock { kept in
      kept.pictures = [:]
      kept.changes += 1
    }
  }

  /// States the data that masks can need and that a photo does not have; see `HeldPhoto.lacks`.
  func lacks(_ photo: Int, searchesFaces: Bool) throws -> [String: String] {
    try busy.withLock { _ in
      let subject = try session.opened(photo).subject
      let recipe = try session.recipe(of: photo, isFilm: subject.isFilm)
      return try worker.lacks(recipe, on: subject, searchesFaces: searchesFaces)
    }
  }

  /// The picture of a photo as JPEG.
  func jpeg(_ photo: Int) throws -> [UInt8] {
    if let known = kept.withLock({ $0.pictures[photo] }) { return known }
    return try busy.withLock { _ in
      let (known, changes) = kept.withLock { ($0.pictures[photo], $0.changes) }
      if let known { return known }
      let changesOfStates = states.changes
      let opened = try session.opened(photo)
      if let outcome = session.savedOutcome(photo) {
        states.check(outcome, after: changesOfStates)
      }
      let recipe = try session.recipe(of: photo, isFilm: opened.subject.isFilm)
      var picture = LivePicture(longEdge: Self.edge)
      picture.isMoving = true
      let jpeg = try worker.show(recipe, on: opened.subject, picture).file
      kept.withLock { kept in
        if kept.changes != changes { return }
        if kept.pictures.count >= Self.most { kept.pictures = [:] }
        kept.pictures[photo] = jpeg
      }
      return jpeg
    }
  }
}
