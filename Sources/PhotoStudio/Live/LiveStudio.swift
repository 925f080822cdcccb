import Dispatch
import Notation
import PhotoBatch
import PhotoRecipes
import PhotoRender
import Synchronization
import Vips

/// Renders live pictures, one at a time, for all open pages.
///
/// Each part of a page has at most one request that waits. A picture that is being rendered is
/// always finished: starting anew at each movement would show nothing while a slider moves.
final class LiveStudio: Sendable {
  private struct Waiting {
    let page: LivePage
    let request: LiveRequest
  }

  private struct State {
    var waiting: [Waiting] = []
    var isStopped = false
    /// The photo beside which others were opened last.
    var centre: Int?
  }

  private let session: StudioSession
  private let worker: LiveWorker
  private let state = Mutex(State())
  private let arrived = DispatchSemaphore(value: 0)

  init(_ session: StudioSession) {
    self.session = session
    worker = LiveWorker(session.options.batch)
    BlockingThread.start { [self] in run() }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.waiting = []
    }
    worker.stop()
    arrived.signal()
  }

  /// Adds a request, which replaces the waiting request for the same part of the page.
  func add(_ request: LiveRequest, from page: LivePage) {
    state.withLock { state in
      state.waiting.removeAll { $0.page === page && $0.request.pane == request.pane }
      state.waiting.append(Waiting(page: page, request: request))
    }
    arrived.signal()
  }

  /// Forgets the requests of a page that has closed.
  func remove(_ page: LivePage) {
    state.withLock { state in state.waiting.removeAll { $0.page === page } }
  }

  private func run() {
    while true {
      arrived.wait()
      let next = state.withLock { state in
        state.isStopped || state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      }
      if state.withLock({ $0.isStopped }) { return }
      guard let next else { continue }
      show(next.request, on: next.page)
      if next.request.pane == 0, !next.request.picture.isMoving { prefetch(beside: next.request) }
    }
  }

  private func show(_ request: LiveRequest, on page: LivePage) {
    let start = ContinuousClock.now
    do {
      let opened = try session.opened(request.photo)
      let recipe = try session.recipe(
        of: request.photo, moving: request.moving, isPhotosOwn: request.isPhotosOwn)
      let (shown, jpeg) = try worker.show(recipe, on: opened.subject, request.picture)
      let time = (ContinuousClock.now - start).milliseconds
      page.send(request.message(shown, jpeg, milliseconds: time))
    } catch let error as InvalidDocument {
      let text = error.diagnostics.map(\.problem.message).joined(separator: "; ")
      page.send(request.problem(text, hint: ""))
    } catch {
      let known = error as? any UserError
      page.send(request.problem(known?.message ?? "\(error)", hint: known?.hint ?? ""))
    }
  }

  /// Opens the next and the previous photo while nothing waits, so that they appear at once.
  private func prefetch(beside request: LiveRequest) {
    let isNew = state.withLock { state in
      defer { state.centre = request.photo }
      return state.centre != request.photo
    }
    if !isNew { return }
    var picture = request.picture
    picture.isMoving = true
    for photo in [request.photo + 1, request.photo - 1] {
      guard state.withLock({ $0.waiting.isEmpty && !$0.isStopped }),
        (0..<session.library.count).contains(photo),
        let opened = try? session.opened(photo),
        let recipe = try? session.recipe(of: photo, moving: [], isPhotosOwn: false)
      else { continue }
      // The photo may be damaged; the user is informed when they open it.
      _ = try? worker.show(recipe, on: opened.subject, picture)
    }
  }
}

/// One open page.
final class LivePage: Sendable {
  private let socket: WebSocket

  init(_ socket: WebSocket) { self.socket = socket }

  func send(_ bytes: [UInt8]) { socket.send(bytes) }
  func send(_ text: String) { socket.send(text) }
  func end() { socket.end() }
}
