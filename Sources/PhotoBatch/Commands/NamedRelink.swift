import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The photos of `relink OLD NEW`, each with the path that it had when its edits were made.
struct NamedRelink {
  /// For each photo at or below the new path, the path that the photo had when its edits were made.
  private(set) var pairs: [FilePath: FilePath] = [:]
  /// The photos that were moved together with their sidecars; only their renditions in other
  /// folders are still at the old paths.
  private(set) var carried: Set<FilePath> = []
  private(set) var warnings: [String] = []

  /// Pairs the sidecars at or below `old` with the photos at or below `new`; both paths are
  /// relative to the library's root.
  ///
  /// A photo may have other bytes than the edited original; the next run then renders it again.
  ///
  /// - Throws: `MissingInput` if `old` has no edits, or if a photo is still at its old path.
  init(
    from old: FilePath, to new: FilePath, in session: LibrarySession
  ) throws(MissingInput) {
    let contents = session.contents
    let photos = Dictionary(contents.assets.map { ($0.path, $0) }) { first, _ in first }
    let left = contents.sidecars.keys.filter { $0.starts(with: old) }
      .sorted { $0.string < $1.string }
    let presence = PhotoPresence(contents, in: session.root)
    findCarried(from: old, to: new, photos, presence, session)
    if left.isEmpty && carried.isEmpty {
      throw MissingInput(
        "there are no edits of '\(old.displayed)'",
        hint: "name first the previous path of the photo or folder, then the new one")
    }
    for path in left {
      guard !presence.hasPhoto(path) else {
        throw MissingInput(
          "'\(path.displayed)' is still there", hint: "move the photo first, then relink it")
      }
      var rest = path
      _ = rest.removePrefix(old)
      let photo = rest.isEmpty ? new : new.appending(rest.components)
      guard photos[photo] != nil else {
        warnings.append("'\(path.displayed)' has no photo '\(photo.displayed)'")
        continue
      }
      if let present = contents.sidecars[photo], !(present.sidecar?.isOfRecipesAlone ?? false) {
        warnings.append("'\(photo.displayed)' has edits of its own, which were kept")
        continue
      }
      pairs[photo] = path
      if let sidecar = contents.sidecars[path]?.sidecar, let asset = photos[photo],
        Int(asset.file.status.identity.size) != sidecar.original.bytes
      {
        warnings.append("'\(photo.displayed)' has other content than '\(path.displayed)' had")
      }
    }
  }

  /// Finds the photos below `new` that moved together with their sidecars but left renditions
  /// behind.
  ///
  /// This happens if a rendition's path contains `{root}` or `{folder}`, and so depends on the
  /// photo's folder.
  private mutating func findCarried(
    from old: FilePath, to new: FilePath, _ photos: [FilePath: Asset], _ presence: PhotoPresence,
    _ session: LibrarySession
  ) {
    for photo in photos.keys where photo.starts(with: new) {
      var rest = photo
      _ = rest.removePrefix(new)
      let previous = rest.isEmpty ? old : old.appending(rest.components)
      guard !presence.hasPhoto(previous), session.contents.sidecars[previous] == nil,
        let sidecar = session.contents.sidecars[photo]?.sidecar
      else { continue }
      let isLeft = sidecar.recordedRenditions.contains { rendition, adjustment in
        let path = adjustment.path(of: rendition, original: previous, sidecar.original)
        return path.map { (try? session.root.files.status(at: $0)) ?? nil != nil } ?? false
      }
      if isLeft {
        pairs[photo] = previous
        carried.insert(photo)
      }
    }
  }
}
