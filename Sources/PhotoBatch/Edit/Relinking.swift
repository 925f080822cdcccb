import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Finds originals that were moved or renamed without their sidecars, by their bytes.
struct Relinking: Sendable {
  /// The sidecars without an original, by the paths that their originals had, for each photo that
  /// has the same bytes, and no sidecar or one that holds nothing of a person.
  private let lost: [FilePath: FilePath]
  /// Why there is no photo for the others.
  let warnings: [String]

  /// Hashes the photos that are as large as a lost original.
  init(_ session: LibrarySession) throws {
    let contents = session.contents
    let photos = Set(contents.assets.map(\.path))
    var originals: [String: [FilePath]] = [:]
    var sizes: Set<Int> = []
    for (original, found) in contents.sidecars where !photos.contains(original) {
      guard let sidecar = found.sidecar else { continue }
      originals[sidecar.original.sha256, default: []].append(original)
      sizes.insert(sidecar.original.bytes)
    }
    var copies: [String: [FilePath]] = [:]
    let library = session.root.library
    for asset in contents.assets where sizes.contains(Int(asset.file.status.identity.size)) {
      let digest = try Digest(of: library.open(asset.path), in: library)
      copies["\(digest)", default: []].append(asset.path)
    }
    var lost: [FilePath: FilePath] = [:]
    var warnings: [String] = []
    for (digest, originals) in originals {
      let copies = copies[digest] ?? []
      let free = copies.filter { contents.sidecars[$0] == nil }
      let idle = copies.filter { contents.sidecars[$0]?.sidecar?.isOfRecipesAlone ?? false }
      let pairs = Self.pairs(originals, free + idle)
      for (original, photo) in pairs { lost[photo] = original }
      let left = Set(originals).subtracting(pairs.map(\.original))
      warnings += left.map { original in
        let name = original.displayed
        guard let copy = copies.first(where: { lost[$0] == nil }) else {
          return "'\(name)' is gone, and no other photo has its bytes"
        }
        return "'\(name)' is gone, and '\(copy.displayed)', which has its bytes, has edits of its "
          + "own: remove one of the two sidecars"
      }
    }
    self.lost = lost
    self.warnings = warnings.sorted()
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
    let move = PhotoRelink(context: context, asset: asset, old: old)
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
