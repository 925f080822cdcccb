import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Finds originals that were moved or renamed without their sidecars, by their bytes.
struct Relinking: Sendable {
  /// The sidecars without an original, by the paths that their originals had, for each photo that
  /// has the same bytes and no sidecar.
  private let lost: [FilePath: FilePath]

  /// Hashes the photos without a sidecar that are as large as a lost original.
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
    var lost: [FilePath: FilePath] = [:]
    let library = session.root.library
    for asset in contents.assets
    where contents.sidecars[asset.path] == nil
      && sizes.contains(Int(asset.file.status.identity.size))
    {
      let digest = try Digest(of: library.open(asset.path), in: library)
      // Of several the nearest name is as good as any: all have the same edits to give.
      if let original = originals["\(digest)"]?.min(by: { $0.string < $1.string }) {
        lost[asset.path] = original
        originals["\(digest)"]?.removeAll { $0 == original }
      }
    }
    self.lost = lost
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
