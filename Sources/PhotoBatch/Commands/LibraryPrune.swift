import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Finds the files of a library that belong to no photo, and moves them to the trash.
struct LibraryPrune {
  private let contents: LibraryContents
  private let orphans: [Orphan]
  /// The paths of photos that no longer exist, but whose sidecars do.
  private let missing: [FilePath]
  /// The paths that the user named.
  ///
  /// A folder's path does not name the orphans in it.
  private let named: Set<FilePath>
  /// The folders that contain photos now.
  private let folders: Set<FilePath>

  private let hasUnusableSidecar: Bool

  init(_ contents: LibraryContents, _ named: PhotoPaths) {
    self.contents = contents
    hasUnusableSidecar = contents.sidecars.values.contains { !$0.isUsable }
    self.named = Set(named.paths)
    folders = Set(contents.assets.map { $0.path.removingLastComponent() })
    // With `--output`, renditions and sidecars are in the output folder. Orphans are files of the
    // library, which such a command never changes.
    orphans =
      named.root.isMirror
      ? []
      : contents.orphans.filter {
        named.contains($0.path) || ($0.photo.map { named.contains($0) } ?? false)
      }
    missing = contents.missingOriginals(of: named.root).filter { original in
      named.contains(original) || named.contains(Sidecar.path(of: original))
    }
  }

  /// A file, and the reason why it belongs to no photo.
  private struct Item {
    let path: FilePath
    let detail: String
    /// The file's identity, checked before the file is removed; nil if the file must stay.
    let identity: FileIdentity?
    var hint: String?
  }

  func list(_ context: EditContext) -> [AssetRunner.Result] {
    let items = items(context)
    let last = items.last { $0.identity != nil }?.path
    return items.map { item in
      let hint = item.path == last ? "--yes moves these files to the trash" : item.hint
      return .done(AssetOutcome(item.path, .orphan, item.detail, hint: hint))
    }
  }

  /// Prepares the removal of the files; files that a user may have made or changed stay.
  func remove(_ context: EditContext) -> [AssetRunner.Result] {
    items(context).map { item in
      guard let identity = item.identity else {
        return .done(AssetOutcome(item.path, .orphan, item.detail, hint: item.hint))
      }
      let publication = Publication<OpenFile>(
        item.path, nil, expected: .identity(identity), keepsDisplaced: true)
      let isSidecar = Sidecar.original(of: item.path) != nil
      let group = PublicationGroup(
        renditions: isSidecar ? [] : [publication], sidecar: isSidecar ? publication : nil)
      return .prepared(
        PreparedEdit(group: group, outcome: AssetOutcome(item.path, .pruned, item.detail)))
    }
  }

  private func items(_ context: EditContext) -> [Item] {
    var items: [Item] = []
    let staying = staying
    for orphan in orphans {
      if !orphan.isClaimed { items.append(item(orphan, stays: staying.contains(orphan.path))) }
      if orphan.hasSidecar {
        items += sidecar(
          of: orphan.path, "the sidecar of a rendition", "a rendition of a rendition", context)
      }
    }
    for original in missing {
      let found = sidecar(
        of: original, "the sidecar of a missing photo", "a rendition of a missing photo", context)
      items += mayBeUnmounted(original, context.root) ? found.map(Self.kept) : found
    }
    return items.sorted { $0.path.string < $1.path.string }
  }

  /// True if all photos of the original's folder are missing, as after its disk was unmounted, and
  /// the user did not name the folder.
  ///
  /// Without `--output` the sidecars are on the same disk as the photos, and are missing too.
  private func mayBeUnmounted(_ original: FilePath, _ root: OutputRoot) -> Bool {
    let folder = original.removingLastComponent()
    guard root.isMirror, !folders.contains(folder) else { return false }
    return !named.contains { !$0.isEmpty && original.starts(with: $0) }
      && !named.contains(Sidecar.path(of: original))
  }

  /// The item for a file of a folder whose photos are all missing.
  private static func kept(_ item: Item) -> Item {
    Item(
      path: item.path, detail: item.detail + "; the folder has no photos any more", identity: nil,
      hint: "if its disk is mounted, 'phbatch prune FOLDER --yes' moves these to the trash")
  }

  /// The orphans that are not removed: files that phbatch may not have written, and files that
  /// sidecars may record that cannot be read, unless the user named their paths, and the other
  /// halves of their Live Photos.
  private var staying: Set<FilePath> {
    var staying: Set<FilePath> = []
    for orphan in orphans
    where orphan.evidence != .digest || mayBeRecorded(orphan) {
      let isNamed = [orphan.path, orphan.photo].contains { $0.map(named.contains) ?? false }
      if !isNamed { staying.insert(orphan.path) }
    }
    for film in orphans {
      guard let photo = film.photo, staying.contains(film.path) || staying.contains(photo) else {
        continue
      }
      staying.formUnion([film.path, photo])
    }
    return staying
  }

  /// True if a sidecar that cannot be read may record an orphan.
  ///
  /// The photo of an orphan is found by the photo's bytes, so it may be a copy of the right one; the
  /// right one has a fitting name.
  private func mayBeRecorded(_ orphan: Orphan) -> Bool {
    guard hasUnusableSidecar, let original = orphan.original?.lastComponent else {
      return hasUnusableSidecar
    }
    let stem = FileName(bytes: FileName(original).stem)
    return !orphan.asset.file.name.possibleStems.contains(stem)
  }

  /// The item for a rendition without a record.
  private func item(_ orphan: Orphan, stays: Bool) -> Item {
    Item(
      path: orphan.path, detail: orphan.detail,
      identity: stays ? nil : orphan.asset.file.status.identity,
      hint: stays ? orphan.hint ?? hint(aboutRendition: orphan) : nil)
  }

  /// The hint about a rendition that phbatch wrote but that stays.
  private func hint(aboutRendition orphan: Orphan) -> String {
    mayBeRecorded(orphan) ? Self.hintOfUnusableRecord : Self.hintOfHalf
  }

  private static let hintOfUnusableRecord =
    "a sidecar that cannot be used may record this file; correct that sidecar, then prune again"

  /// The hint about a half of a Live Photo that phbatch wrote, if the other half stays.
  private static let hintOfHalf =
    "the other half of the Live Photo may have been changed; 'phbatch prune PHOTO --yes' moves both"
    + " to the trash"

  /// The hint about the sidecar of a missing photo if it cannot be read; `repair` changes only
  /// sidecars of photos that exist.
  static let hintOfUnusableSidecar =
    "correct the sidecar and use 'phbatch relink', or move it away"

  /// The items of a sidecar and its renditions; they all stay if a user changed one of the
  /// renditions.
  private func sidecar(
    of original: FilePath, _ detail: String, _ renditionDetail: String, _ context: EditContext
  ) -> [Item] {
    let path = Sidecar.path(of: original)
    guard case .usable(let sidecar, let identity)? = contents.sidecars[original] else {
      return [
        Item(
          path: path, detail: "\(detail); this sidecar cannot be read", identity: nil,
          hint: context.root.hasPhoto(original)
            ? "check the sidecar, then remove it yourself" : Self.hintOfUnusableSidecar)
      ]
    }
    var items: [Item] = []
    for adjustment in sidecar.adjustments {
      for rendition in adjustment.renditions {
        let found = context.root.disk(rendition, adjustment, original, sidecar)
        guard let file = found.path, contents.claims[file] == original,
          !items.contains(where: { $0.path == file })
        else { continue }
        guard !adjustment.isForeign, let identity = found.identity else {
          return [
            Item(
              path: path,
              detail: "\(detail); the rendition '\(file.displayed)' was changed by hand",
              identity: nil, hint: "move that file elsewhere, then prune again")
          ]
        }
        items.append(Item(path: file, detail: renditionDetail, identity: identity))
      }
    }
    return items + [Item(path: path, detail: detail, identity: identity)]
  }
}
