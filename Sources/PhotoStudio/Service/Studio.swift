import Dispatch
import Glibc
import Notation
import PhotoBatch
import Synchronization
import Vips

/// A page in the browser in which a user edits one recipe, or photos of one library.
package final class Studio: Sendable {
  let session: StudioSession
  let live: LiveStudio
  let thumbnails: Thumbnails
  let access: Access
  let run: StudioRun
  let checking = StudioCheck()
  let states = PhotoStates()
  private let server: HTTPServer
  private let pages = Mutex<[ObjectIdentifier: LivePage]>([:])

  /// Reads the recipe and the library, and listens on a port of the loopback interface, or on a
  /// free one if `port` is 0.
  package init(_ options: StudioSession.Options, port: Int) throws {
    session = try StudioSession(options)
    access = Access()
    live = LiveStudio(session)
    thumbnails = Thumbnails(session, states)
    run = StudioRun()
    server = try HTTPServer(port: port)
  }

  /// The URL of the page, with the session's secret.
  package var address: String { "http://127.0.0.1:\(server.port)/#\(access.token)" }

  /// Serves the page on a separate thread until `stop` is called, and then calls `end`.
  package func serve(_ end: @escaping @Sendable () -> Void) {
    live.warm()
    BlockingThread.start { [self] in
      server.run(StudioHandler(studio: self))
      live.stop()
      thumbnails.stop()
      session.stop()
      // A request that arrived just before may start a check or a run after the first stop.
      while server.isServing || run.isRunning {
        server.stop()
        checking.stop()
        run.stop()
        usleep(10_000)
      }
      end()
    }
  }

  /// Ends `serve`; a save or a commit of files that has begun is completed first.
  package func stop() { server.stop() }

  /// Ends the studio a moment later, so that the page gets the answer to its last request.
  func stopSoon() {
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) { self.stop() }
  }

  /// Sends a message to all open pages.
  func tell(_ message: JSON) {
    let text = message.compactText
    for page in pages.withLock({ Array($0.values) }) { page.send(text) }
  }

  func add(_ page: LivePage) { pages.withLock { $0[ObjectIdentifier(page)] = page } }

  func remove(_ page: LivePage) {
    pages.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(page)) }
    live.remove(page)
  }
}

/// The run that a page has started.
final class StudioRun: Sendable {
  private let batch = Mutex<Batch?>(nil)

  var isRunning: Bool { batch.withLock { $0 != nil } }

  /// Records `new` as the running run; false if a run is already in progress.
  func begin(_ new: Batch) -> Bool {
    batch.withLock { batch in
      if batch != nil { return false }
      batch = new
      return true
    }
  }

  func end() { batch.withLock { $0 = nil } }

  /// Stops the run; a commit of files that has begun is completed.
  func stop() { batch.withLock { $0?.stop() } }
}

/// The check that runs at present.
final class StudioCheck: Sendable {
  private let batch = Mutex<Batch?>(nil)

  /// Takes the place of an earlier check, which is stopped.
  func replace(_ new: Batch) {
    let old = batch.withLock { batch in
      defer { batch = new }
      return batch
    }
    old?.stop()
  }

  func end(_ old: Batch) { batch.withLock { if $0 === old { $0 = nil } } }

  func stop() { batch.withLock { $0 }?.stop() }
}
