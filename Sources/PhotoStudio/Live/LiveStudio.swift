import PhotoRender

/// Renders live pictures for all open pages.
///
/// There are two workers: one for the photos with even numbers, and one for those with odd numbers.
/// While a person edits a photo, the other worker opens its neighbours.
///
/// Each part of a page has at most one request that waits. A picture that is being rendered is
/// always finished: starting anew at each movement would show nothing while a slider moves.
final class LiveStudio: Sendable {
  private let lanes: [LiveLane]

  init(_ session: StudioSession) {
    lanes = (0..<2).map { _ in LiveLane(session) }
  }

  func stop() { for lane in lanes { lane.stop() } }

  /// Opens the first photo before a page asks for it.
  func warm() {
    var picture = LivePicture(longEdge: 1600)
    picture.isMoving = true
    lanes[0].prefetch([0], picture)
  }

  /// Adds a request, in place of the one that waits for the same part of the page.
  func add(_ request: LiveRequest, from page: LivePage) {
    for lane in lanes { lane.remove(page, pane: request.pane) }
    lanes[request.photo % 2].add(request, from: page)
    let isUsual =
      request.pane == 0 && request.moving.isEmpty && request.picture.part == nil
      && request.view.mask == nil
    if isUsual && !request.picture.isMoving {
      lanes[(request.photo + 1) % 2].prefetch(
        [request.photo + 1, request.photo - 1], request.picture, request.view, for: page)
    }
  }

  /// Forgets the requests of a page that has closed.
  func remove(_ page: LivePage) { for lane in lanes { lane.remove(page, pane: nil) } }
}

/// One open page.
final class LivePage: Sendable {
  private let socket: WebSocket

  init(_ socket: WebSocket) { self.socket = socket }

  func send(_ bytes: [UInt8]) { socket.send(bytes) }
  func send(_ text: String) { socket.send(text) }
  func end() { socket.end() }
}
