import PhotoRender

/// Renders live pictures for all open pages.
///
/// There are two workers: one for the photos with even numbers, and one for those with odd numbers.
/// While the user edits a photo, the other worker opens the photo's neighbours.
///
/// Each part of a page has at most one request that waits. A picture that is being rendered is
/// always finished: if each movement of a slider restarted the rendering, no picture would appear
/// while the slider moves.
final class LiveStudio: Sendable {
  private let lanes: [LiveLane]

  init(_ session: StudioSession) {
    lanes = (0..<2).map { _ in LiveLane(session) }
  }

  func stop() { for lane in lanes { lane.stop() } }

  /// Opens the first photo, as a draft of half of a usual view, before a page requests it.
  func warm() {
    var picture = LivePicture(longEdge: 800)
    picture.isMoving = true
    lanes[0].prefetch([0], picture)
  }

  /// Adds a request, which replaces the waiting request for the same part of the page.
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

  /// Removes the requests of a page that was closed.
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
