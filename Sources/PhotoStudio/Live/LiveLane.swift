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

  /// A picture that the page will probably request.
  private struct Coming: Hashable {
    let photo: Int
    let picture: LivePicture
    let view: LiveView
    let revision: Int
  }

  /// A picture that was rendered before the page requested it.
  private struct Ready {
    let revision: Int
    let picture: LivePicture
    let view: LiveView
    let shown: ShownPicture
    let file: [UInt8]

    func isFor(_ coming: Coming) -> Bool {
      (picture, view, revision) == (coming.picture, coming.view, coming.revision)
    }
  }

  private struct State {
    var waiting: [Waiting] = []
    var coming: [Coming] = []
    /// The pictures that were last rendered in advance, so that none is rendered twice.
    var wanted: [Coming] = []
    var ready: [Int: Ready] = [:]
    /// The page that gets pictures before it asks for them; nil if none is open.
    var reader: LivePage?
    var isStopped = false
  }

  private enum Work {
    case request(Waiting)
    case opening(Coming)
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

  /// Answers a request at once if its picture is ready; otherwise adds it.
  func add(_ request: LiveRequest, from page: LivePage) {
    if let ready = ready(for: request) {
      return page.send(request.message(ready.shown, ready.file, milliseconds: 0))
    }
    state.withLock { $0.waiting.append(Waiting(page: page, request: request)) }
    arrived.signal()
  }

  /// Removes the waiting requests of one pane of a page, or of all panes if `pane` is nil.
  func remove(_ page: LivePage, pane: Int?) {
    state.withLock { state in
      state.waiting.removeAll { $0.page === page && (pane == nil || $0.request.pane == pane) }
      if pane == nil && state.reader === page { state.reader = nil }
    }
  }

  /// Renders photos while no request waits, so that they appear at once; the page receives their
  /// pictures when they are ready.
  func prefetch(
    _ photos: [Int], _ picture: LivePicture, _ view: LiveView = LiveView(),
    for page: LivePage? = nil
  ) {
    let revision = session.revision
    let known = photos.filter { (0..<session.library.count).contains($0) }
      .map { Coming(photo: $0, picture: picture, view: view, revision: revision) }
    let isNew = state.withLock { state in
      state.reader = page
      if state.wanted == known { return false }
      state.wanted = known
      state.coming = known.filter { state.ready[$0.photo]?.isFor($0) != true }
      state.ready = state.ready.filter { photos.contains($0.key) }
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
        return .opening(state.coming.removeFirst())
      }
      switch next {
      case .request(let waiting): show(waiting.request, on: waiting.page)
      case .opening(let coming): open(coming)
      case .none: continue
      case .end: return
      }
    }
  }

  private func show(_ request: LiveRequest, on page: LivePage) {
    let start = ContinuousClock.now
    do {
      let opened = try session.opened(request.photo)
      let recipe = try session.recipe(
        of: request.photo, isFilm: opened.subject.isFilm, moving: request.moving,
        isPhotosOwn: request.isPhotosOwn, view: request.view)
      let (shown, file) = try worker.show(recipe, on: opened.subject, request.picture)
      let time = (ContinuousClock.now - start).milliseconds
      page.send(request.message(shown, file, milliseconds: time))
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
      ready.view == request.view, ready.revision == session.revision
    else { return nil }
    return ready
  }

  private func open(_ coming: Coming) {
    let (photo, picture) = (coming.photo, coming.picture)
    if session.revision != coming.revision { return }
    // The photo may be damaged; the user sees the error when the photo is shown.
    guard let opened = try? session.opened(photo),
      let recipe = try? session.recipe(
        of: photo, isFilm: opened.subject.isFilm, view: coming.view),
      let (shown, file) = try? worker.show(recipe, on: opened.subject, picture, threads: 1)
    else { return }
    let reader = state.withLock { state -> LivePage? in
      guard state.wanted.contains(coming) else { return nil }
      state.ready[photo] = Ready(
        revision: coming.revision, picture: picture, view: coming.view, shown: shown, file: file)
      return state.reader
    }
    reader?.send(
      LiveRequest(ahead: photo, picture, coming.view).message(
        shown, file, milliseconds: 0, revision: coming.revision))
  }
}
