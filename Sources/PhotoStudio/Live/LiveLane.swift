import Dispatch
import Notation
import PhotoBatch
import PhotoRecipes
import PhotoRender
import Synchronization
import Vips

/// One worker with its queue of pictures to render, and the photos that it opens in advance while
/// the queue is empty.
final class LiveLane: Sendable {
  private struct Waiting {
    let page: LivePage
    let request: LiveRequest
  }

  /// A picture that was rendered before the page requested it.
  private struct Ready {
    let revision: Int
    let picture: LivePicture
    let shown: ShownPicture
    let jpeg: [UInt8]
  }

  private struct State {
    var waiting: [Waiting] = []
    var coming: [(photo: Int, picture: LivePicture)] = []
    /// The photos that were opened in advance last, so that none of them is opened twice.
    var wanted: [Int] = []
    var ready: [Int: Ready] = [:]
    var isStopped = false
  }

  private enum Work {
    case request(Waiting)
    case opening(Int, LivePicture)
    case none
    case end
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

  func add(_ request: LiveRequest, from page: LivePage) {
    state.withLock { $0.waiting.append(Waiting(page: page, request: request)) }
    arrived.signal()
  }

  /// Removes the waiting requests of one pane of a page, or of all panes if `pane` is nil.
  func remove(_ page: LivePage, pane: Int?) {
    state.withLock { state in
      state.waiting.removeAll { $0.page === page && (pane == nil || $0.request.pane == pane) }
    }
  }

  /// Opens photos in advance while no request waits, so that their pictures appear at once.
  func prefetch(_ photos: [Int], _ picture: LivePicture) {
    let known = photos.filter { (0..<session.library.count).contains($0) }
    let isNew = state.withLock { state in
      if state.wanted == known { return false }
      state.wanted = known
      state.coming = known.map { ($0, picture) }
      state.ready = state.ready.filter { known.contains($0.key) }
      return true
    }
    guard isNew else { return }
    for _ in known { arrived.signal() }
  }

  private func run() {
    while true {
      arrived.wait()
      let next = state.withLock { state -> Work in
        if state.isStopped { return .end }
        if !state.waiting.isEmpty { return .request(state.waiting.removeFirst()) }
        if state.coming.isEmpty { return .none }
        let first = state.coming.removeFirst()
        return .opening(first.photo, first.picture)
      }
      switch next {
      case .request(let waiting): show(waiting.request, on: waiting.page)
      case .opening(let photo, let picture): open(photo, picture)
      case .none: continue
      case .end: return
      }
    }
  }

  private func show(_ request: LiveRequest, on page: LivePage) {
    let start = ContinuousClock.now
    do {
      if let ready = ready(for: request) {
        return page.send(request.message(ready.shown, ready.jpeg, milliseconds: 0))
      }
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

  /// The picture that answers a request, if it was rendered before and nothing has changed since.
  private func ready(for request: LiveRequest) -> Ready? {
    let ready = state.withLock { $0.ready[request.photo] }
    guard let ready, request.moving.isEmpty, ready.picture == request.picture,
      ready.revision == session.revision
    else { return nil }
    return ready
  }

  private func open(_ photo: Int, _ picture: LivePicture) {
    let revision = session.revision
    // The photo may be damaged; the user sees the error when the photo is shown.
    guard let opened = try? session.opened(photo),
      let recipe = try? session.recipe(of: photo, moving: [], isPhotosOwn: false),
      let (shown, jpeg) = try? worker.show(recipe, on: opened.subject, picture, threads: 1)
    else { return }
    state.withLock { state in
      guard state.wanted.contains(photo) else { return }
      state.ready[photo] = Ready(
        revision: revision, picture: picture, shown: shown, jpeg: jpeg)
    }
  }
}
