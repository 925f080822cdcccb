import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Finds originals that were moved or renamed without their sidecars, by their bytes.
///
/// Names may have been exchanged: a photo then lies beside the sidecar of another, which goes to that
/// one in the same commit.
struct Relinking: Sendable {
  /// For each photo that gets edits, the path that it had when they were made.
  private let lost: [FilePath: FilePath]
  private let moves: RelinkMoves
  /// Why there is no photo for the others.
  let warnings: [String]

  /// Hashes the photos that are as large as a recorded original, but for those that the index knows.
  init(_ session: LibrarySession) throws {
    let contents = session.contents
    let photos = try Photos(session)
    var originals: [String: [FilePath]] = [:]
    for (original, found) in contents.sidecars {
      guard let sidecar = found.sidecar, !photos.has(original, of: sidecar.original) else {
        continue
      }
      originals[sidecar.original.sha256, default: []].append(original)
    }
    let lost = Self.pairs(originals, photos, contents.sidecars)
    self.lost = lost
    moves = RelinkMoves(lost, session)
    let moving = Set(lost.values)
    warnings = originals.flatMap { digest, originals in
      originals.filter { !moving.contains($0) }.map { original in
        let name = original.displayed
        let copy = photos.paths[digest]?.first { lost[$0] == nil }
        if let copy {
          return "'\(name)' is gone, and '\(copy.displayed)', which has its bytes, has edits of "
            + "its own: remove one of the two sidecars"
        }
        return photos.all.contains(original)
          ? "'\(name)' is another photo now, and none has the bytes that it had"
          : "'\(name)' is gone, and no other photo has its bytes"
      }
    }.sorted()
  }

  /// The photos that are as large as a recorded original, by their bytes.
  private struct Photos {
    let all: Set<FilePath>
    private(set) var paths: [String: [FilePath]] = [:]

    init(_ session: LibrarySession) throws {
      let contents = session.contents
      all = Set(contents.assets.map(\.path))
      let sizes = Set(contents.sidecars.values.compactMap { $0.sidecar?.original.bytes })
      let known = KnownDigests(LibraryIndex(of: session.root), in: session.root)
      let library = session.root.library
      for asset in contents.assets where sizes.contains(Int(asset.file.status.identity.size)) {
        let digest = try known.digest(at: asset.path, .library, in: library)
        paths["\(digest)", default: []].append(asset.path)
      }
    }

    /// Whether the original that a sidecar records is where it was.
    func has(_ path: FilePath, of record: OriginalRecord) -> Bool {
      paths[record.sha256]?.contains(path) ?? false
    }
  }

  /// The path that each photo had, for those that get edits.
  ///
  /// A photo beside a sidecar that belongs elsewhere, and has something of a person, gets another one
  /// only if that one moves as well.
  private static func pairs(
    _ originals: [String: [FilePath]], _ photos: Photos, _ sidecars: [FilePath: FoundSidecar]
  ) -> [FilePath: FilePath] {
    let astray = Set(originals.values.joined())
    func isIdle(_ photo: FilePath) -> Bool { sidecars[photo]?.sidecar?.isOfRecipesAlone ?? false }
    var staying: Set<FilePath> = []
    while true {
      var lost: [FilePath: FilePath] = [:]
      for (digest, originals) in originals {
        let copies = (photos.paths[digest] ?? []).filter { !staying.contains($0) }
        let free = copies.filter { sidecars[$0] == nil || astray.contains($0) }
        let idle = copies.filter { !free.contains($0) && isIdle($0) }
        for (original, photo) in pairs(originals, free + idle) { lost[photo] = original }
      }
      let stuck = astray.subtracting(lost.values).filter { lost[$0] != nil && !isIdle($0) }
      if stuck.isEmpty { return lost }
      staying.formUnion(stuck)
    }
  }

  /// Which photo each original is, as far as there are enough: all have the same bytes, so an equal
  /// name decides, and after that the order.
  private static func pairs(
    _ originals: [FilePath], _ photos: [FilePath]
  ) -> [(original: FilePath, photo: FilePath)] {
    var photos = photos
    var pairs: [(original: FilePath, photo: FilePath)] = []
    var others: [FilePath] = []
    for original in originals.sorted(by: { $0.string < $1.string }) {
      let index = photos.firstIndex { $0.lastComponent == original.lastComponent }
      if let index {
        pairs.append((original, photos.remove(at: index)))
      } else {
        others.append(original)
      }
    }
    pairs += zip(others, photos).map { (original: $0, photo: $1) }
    return pairs
  }

  func concerns(_ asset: Asset) -> Bool { lost[asset.path] != nil }

  func run(_ context: EditContext, _ asset: Asset) -> AssetRunner.Result {
    guard let old = lost[asset.path] else { return .cancelled }
    let move = PhotoRelink(context: context, asset: asset, old: old, moves: moves)
    do throws(PhotoFailure) { return .prepared(try move.prepare()) } catch {
      return .done(AssetOutcome(asset.path, error))
    }
  }
}

extension Sidecar {
  /// Whether running recipes over the photo would make all that it says.
  fileprivate var isOfRecipesAlone: Bool {
    reversions.isEmpty && focalPoint == nil
      && adjustments.allSatisfy { !$0.isForeign && $0.overrides.members.isEmpty }
  }
}
