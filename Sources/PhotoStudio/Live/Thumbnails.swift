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
  private let pictures = Mutex<[Int: [UInt8]]>([:])

  init(_ session: StudioSession, _ states: PhotoStates) {
    (self.session, self.states) = (session, states)
    worker = LiveWorker(session.options.batch, isIdle: true)
  }

  func stop() { worker.stop() }

  /// Removes all pictures, because a save has changed photos.
  func forgetAll() { pictures.withLock { $0 = [:] } }

  /// The picture of a photo as JPEG.
  func jpeg(_ photo: Int) throws -> [UInt8] {
    if let known = pictures.withLock({ $0[photo] }) { return known }
    return try busy.withLock { _ in
      if let known = pictures.withLock({ $0[photo] }) { return known }
      let opened = try session.opened(photo)
      if let outcome = session.savedOutcome(photo) { states.check(outcome) }
      let recipe = try session.recipe(of: photo)
      var picture = LivePicture(longEdge: Self.edge)
      picture.isMoving = true
      let jpeg = try worker.show(recipe, on: opened.subject, picture).jpeg
      pictures.withLock { pictures in
        if pictures.count >= Self.most { pictures = [:] }
        pictures[photo] = jpeg
      }
      return jpeg
    }
  }
}
