import Hashing
import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

/// Takes back adjustments that sidecars record.
extension Studio {
  /// A request of a page to revert photos.
  struct Reversion {
    /// The number of the photo; nil for all photos of the library.
    var photo: Int?
    /// True for all adjustments of the stack, false for the newest one.
    var isWhole: Bool
    /// The ticket from the description of the loss, which proves that the user has seen it.
    var ticket: String?

    /// Decodes a request; nil if it is malformed.
    init?(_ json: JSON) {
      guard let isWhole = json["whole"]?.bool else { return nil }
      (self.isWhole, ticket) = (isWhole, json["ticket"]?.string)
      guard let name = json["photo"]?.string else { return }
      guard let number = PhotoID.number(name) else { return nil }
      photo = number
    }
  }

  /// The largest number of photos whose loss is described; others are only counted.
  private static let mostDescribed = 20

  /// Describes what a reversion would remove, with a ticket for exactly that.
  ///
  /// - Throws: `Refusal` if there is nothing to revert.
  func reversion(_ wish: Reversion) throws -> JSON {
    let lost = try lost(wish)
    return .object([
      "ticket": .string(lost.ticket), "photos": .integer(lost.photos),
      "renditions": .integer(lost.renditions), "lost": .array(lost.lines.map(JSON.string)),
    ])
  }

  /// Removes the newest adjustment of a photo's stack, or all of them; `phbatch undo` brings them
  /// back.
  ///
  /// - Returns: The reason why the library could not be read again afterwards; nil if it was read.
  /// - Throws: `Refusal` if the ticket is not for the present state of the photos.
  func revert(_ wish: Reversion) throws -> Refusal? {
    try session.checkMayWrite("nothing can be reverted")
    try session.checkOpen()
    guard try lost(wish).ticket == wish.ticket else {
      throw Refusal(
        409, "the photos' edits have changed since they were shown",
        hint: "nothing was reverted; look at what would be lost now, and confirm it again")
    }
    let variant = session.now.recipe.variant
    let (place, paths) = (try session.editedFolder(), [path(wish)])
    let editor = LibraryEditor(session.options.batch)
    let failures = Mutex(ListedProblems())
    _ = try waiting {
      try await editor.revert(
        paths, library: place, variant: variant, isWhole: wish.isWhole, isExact: true
      ) { event in
        guard case .finished(let outcome) = event, outcome.reason.outcome != .fine else { return }
        failures.withLock { $0.add(outcome) }
      }
    }
    let failed = failures.withLock { $0.lines }
    if !failed.isEmpty { throw Refusal(409, failed.joined(separator: "\n"), hint: "") }
    checking.stop()
    defer {
      thumbnails.forgetAll()
      states.forget()
    }
    do { try session.reload() } catch { return Refusal(unread: error) }
    return nil
  }

  private func path(_ wish: Reversion) -> FilePath {
    let root = session.library.root
    return wish.photo.map { root.pushing(session.library.path($0)) } ?? root
  }

  /// The adjustments and files that a reversion would remove.
  private struct Loss {
    var (photos, renditions) = (0, 0)
    var lines: [String] = []
    var ticket = ""
  }

  /// Reads the sidecars anew, because other commands may have changed them.
  private func lost(_ wish: Reversion) throws -> Loss {
    let root = session.library.outputRoot
    let variant = session.now.recipe.variant
    var loss = Loss()
    var hash = Hash(.sha256)
    hash.update(Array("\(access.token) \(wish.isWhole)\n".utf8))
    for history in try PhotoHistory.read([path(wish)], in: root) {
      guard let sidecar = history.sidecar else { continue }
      let stack = sidecar.stack(variant).map(\.adjustment)
      let removed = wish.isWhole ? stack[...] : stack.suffix(1)
      if removed.isEmpty { continue }
      hash.update(Array("\(history.path.string)\n".utf8))
      hash.update(try sidecar.text())
      loss.photos += 1
      loss.renditions += removed.reduce(0) { $0 + $1.renditions.count }
      if loss.photos <= Self.mostDescribed {
        loss.lines += removed.map { "\(history.path.string): \($0.loss)" }
      }
    }
    if loss.photos == 0 {
      throw Refusal(409, "there is nothing to revert", hint: "no sidecar records an edit")
    }
    if loss.photos > Self.mostDescribed {
      let rest = loss.photos - Self.mostDescribed
      loss.lines.append("and edits of \(rest == 1 ? "1 other photo" : "\(rest) other photos")")
    }
    loss.ticket = hash.finish().map { $0.digits(2, radix: 16) }.joined()
    return loss
  }
}

extension Adjustment {
  /// A sentence that says what is lost with this adjustment.
  fileprivate var loss: String {
    var parts = ["\(formatIdentifier) \(formatVersion) of \(date)"]
    parts += overrides.members.map { "own setting \($0.key) = \($0.value.compactText)" }
    if !renditions.isEmpty {
      parts.append(
        "\(renditions.count == 1 ? "rendition" : "renditions") "
          + renditions.map(\.file.displayed).joined(separator: ", "))
    }
    return parts.joined(separator: "; ")
  }
}
