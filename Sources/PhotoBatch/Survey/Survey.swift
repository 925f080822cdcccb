import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The photos that a run must plan, and the photos that have valid results in the index.
///
/// A folder is linked to the folders that contain renditions or other recorded files of its photos.
/// A folder is up to date for a recipe if neither the folder nor any linked folder has changed
/// since all of its photos were up to date. Folders are read together with all linked folders, so
/// that the owners of all paths are known.
struct Survey {
  /// The contents of the folders that were read.
  private(set) var contents: LibraryContents
  /// The plans of an earlier run for photos in the folders that were read.
  private(set) var decided: [FilePath: PhotoPlan] = [:]
  /// The plans of an earlier run for photos in folders that were not read; each of these photos is
  /// reported.
  private(set) var reported: [PhotoPlan] = []
  /// The numbers of photos in folders that were not read and of which only totals are reported.
  private(set) var counted: [Reason: Int] = [:]
  /// The folders that are libraries of their own and therefore left out.
  private(set) var libraries: [FilePath] = []
  let index: LibraryIndex?
  /// Every folder that the walk over the library found.
  private var seen: [FolderKey: SeenFolder] = [:]
  /// Folders that changed, and the folders linked to them.
  private var changedFolders: Set<FolderKey> = []
  private var read: [FolderKey: ScannedFolder] = [:]
  private let root: OutputRoot
  private let view: RecipeView?
  private let search: OrphanSearch

  /// A folder in the state in which the walk found it.
  private struct SeenFolder: Sendable {
    let key: FolderKey
    let fingerprint: [UInt8]
    let newest: Int64
    /// True if the index has a record of the folder with this fingerprint.
    let isSame: Bool
    /// The scanned folder; nil if it is unchanged.
    let folder: ScannedFolder?
    let isAnotherLibrary: Bool

    init(_ folder: ListedFolder, _ tree: LibraryTree, _ files: (RealFileSystem, LibraryIndex?)) {
      key = FolderKey(tree, folder.path)
      fingerprint = folder.fingerprint(trustsInodes: files.0.trustsInodes)
      newest = folder.newest
      isAnotherLibrary = folder.isAnotherLibrary
      // A folder with temporary files is scanned, because they must be removed even if there is no
      // other work.
      isSame =
        files.1?.holds(key, fingerprint: fingerprint) ?? false && !folder.hasLeftovers
      self.folder = isSame ? nil : folder.scanned()
    }
  }

  /// Scans a library with the help of `index`; without a `view`, all folders are read.
  init(
    of root: OutputRoot, _ index: LibraryIndex?, _ view: RecipeView?, _ digests: KnownDigests
  ) {
    self.root = root
    search = OrphanSearch(in: root, digests, recipe: view?.recipe)
    self.index = index
    self.view = view
    let trees: [(LibraryTree, RealFileSystem)] =
      root.isMirror
      ? [(.library, root.library), (.mirror, root.files)] : [(.library, root.library)]
    var failures: [ScanError] = []
    for (tree, files) in trees {
      let walked = Scan(files).walk { SeenFolder($0, tree, (files, index)) }
      for folder in walked.folders { seen[folder.key] = folder }
      if tree == .library {
        libraries = walked.folders.filter(\.isAnotherLibrary).map(\.key.path).filter(root.isLibrary)
      }
      failures += walked.failures
    }
    contents = LibraryContents(root)
    findChangedFolders()
    readFolders()
    contents.problems = failures
    answer()
  }

  /// The part of the recipe and its options that the index uses.
  struct RecipeView {
    let recipe: Recipe
    /// A digest of everything outside the library that affects the plans, such as the recipe and
    /// options.
    let key: [UInt8]
    /// True if the run reports every photo, even in folders without work.
    let listsAll: Bool
  }

  private mutating func findChangedFolders() {
    guard let index else { return }
    var changed = Set(seen.values.lazy.filter { !$0.isSame }.map(\.key))
    for key in index.folders where seen[key] == nil { changed.insert(key) }
    changedFolders = changed
    for key in seen.keys {
      let links = index.links(of: key)
      if links.contains(where: { changed.contains($0) || isHidden($0) }) {
        changedFolders.insert(key)
      }
    }
  }

  /// True if a folder exists but is not part of the scan, so that its changes are not known.
  private func isHidden(_ key: FolderKey) -> Bool {
    guard seen[key] == nil else { return false }
    let files = key.tree == .library ? root.library : root.files
    guard let status = try? files.status(at: key.path) else { return false }
    return status.kind != .regular
  }

  private mutating func readFolders() {
    var reader = SidecarReader(root)
    var wanted = closure(seen.keys.filter { !isUpToDate($0) })
    while !wanted.isEmpty {
      for key in wanted { read[key] = folder(key) }
      contents = LibraryContents(
        root, library: folders(.library), mirror: folders(.mirror), &reader)
      wanted = closure(neighbours())
    }
    contents.findOrphans(search, in: folders(.library), of: root)
  }

  private func isUpToDate(_ key: FolderKey) -> Bool {
    guard let index, let view, !changedFolders.contains(key) else { return false }
    if key.tree == .mirror { return true }
    guard let summary = index.summary(of: key, recipe: view.key) else { return false }
    if summary.counts.contains(where: { Reason(rawValue: $0.reason) == nil }) { return false }
    // A folder whose record in the index is damaged is read again.
    return isCountedOnly(summary) || index.record(of: key) != nil
  }

  private func isCountedOnly(_ summary: FolderRecord.Summary) -> Bool {
    summary.isQuiet && !(view?.listsAll ?? true)
  }

  /// These folders and all linked folders, except folders that were already read.
  private func closure(_ keys: [FolderKey]) -> Set<FolderKey> {
    var found: Set<FolderKey> = []
    var waiting = keys
    while let key = waiting.popLast() {
      guard seen[key] != nil, read[key] == nil, found.insert(key).inserted else { continue }
      waiting += index?.links(of: key) ?? []
    }
    return found
  }

  private func folder(_ key: FolderKey) -> ScannedFolder {
    if let folder = seen[key]?.folder { return folder }
    let files = key.tree == .library ? root.library : root.files
    // A folder that has disappeared is treated as empty.
    return (try? Scan(files).list(key.path))?.scanned() ?? ScannedFolder(path: key.path)
  }

  private func folders(_ tree: LibraryTree) -> [ScannedFolder] {
    read.filter { $0.key.tree == tree }.map {
      ($0.key.path.bytes.map { $0 == 47 ? 0 : $0 }, $0.value)
    }
    .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
  }

  /// Folders in which photos of the folders that were read have renditions, or will get renditions.
  private func neighbours() -> [FolderKey] {
    guard let view, read.count < seen.count else { return [] }
    var found = Set(contents.touchedFolders(root).values.flatMap { $0 })
    switch RenditionPaths(of: view.recipe).otherFolders(of: contents.assets.map(\.path)) {
    case nil: return Array(seen.keys)
    case let folders?: found.formUnion(folders.map { FolderKey(root.renditionTree, $0) })
    }
    if root.isMirror {
      for key in read.keys { found.insert(FolderKey(.mirror, key.path)) }
      for key in read.keys { found.insert(FolderKey(.library, key.path)) }
    }
    return Array(found)
  }

  /// Reads the results of earlier runs for unchanged folders from the index.
  private mutating func answer() {
    guard let index, let view else { return }
    for key in seen.keys.sorted(by: Self.precedes)
    where key.tree == .library && !changedFolders.contains(key) {
      guard let summary = index.summary(of: key, recipe: view.key) else { continue }
      if read[key] == nil, isCountedOnly(summary) {
        for count in summary.counts {
          guard let reason = Reason(rawValue: count.reason) else { continue }
          counted[reason, default: 0] += count.photos
        }
        continue
      }
      let finding = index.record(of: key)?.findings.first { $0.summary.recipe == view.key }
      let plans = (finding?.photos ?? []).compactMap { PhotoPlan($0, in: key.path) }
      if read[key] == nil {
        reported += plans
      } else {
        for plan in plans { decided[plan.path] = plan }
      }
    }
  }
}

extension Survey {
  /// Saves the results of this run for later runs: the outcomes that stay valid until files change,
  /// by folder, and the digests.
  func save(_ outcomes: [FilePath: [FolderRecord.Photo]], _ digests: KnownDigests) {
    guard let view else { return }
    var clocks: [LibraryTree: FileClock] = [:]
    for tree in root.isMirror ? [LibraryTree.library, .mirror] : [.library] {
      guard let clock = FileClock(of: tree, in: root) else { return }
      clocks[tree] = clock
    }
    let links = contents.touchedFolders(root).symmetric
    let assets = Dictionary(grouping: contents.assets.indices) {
      contents.assets[$0].path.removingLastComponent()
    }
    let folders = read.keys.sorted(by: Self.precedes).compactMap {
      key -> (ScannedFolder, SeenFolder, FileClock)? in
      guard let folder = read[key], let seen = seen[key], let clock = clocks[key.tree] else {
        return nil
      }
      return (folder, seen, clock)
    }
    let records = folders.lazy.map { folder, seen, clock in
      let key = seen.key
      let isOld = clock.trusts(newest: seen.newest)
      var record = FolderRecord(
        key: key,
        fingerprint: isOld ? seen.fingerprint : [UInt8](repeating: 0, count: 32))
      record.files = digests.files(of: folder, key.tree, clock)
      record.links = links[key] ?? []
      record.links.formUnion(
        (index?.links(of: key) ?? []).filter { self.seen[$0] != nil && read[$0] == nil })
      if root.isMirror {
        record.links.insert(FolderKey(key.tree == .library ? .mirror : .library, key.path))
      }
      if key.tree == .library && isOld {
        record.findings = findings(
          key, (assets[key.path] ?? []).map { contents.assets[$0] }, outcomes[key.path] ?? [], view)
      }
      return record
    }
    let kept = seen.keys.filter { read[$0] == nil }.sorted(by: Self.precedes)
    // Errors are ignored, because no run depends on the index.
    _ = try? LibraryIndex.write(in: root, old: index, keeping: kept, records)
  }

  /// A fixed order, so that equal libraries give identical index files.
  private static func precedes(_ left: FolderKey, _ right: FolderKey) -> Bool {
    left.tree == right.tree
      ? left.path.string < right.path.string : left.tree.rawValue < right.tree.rawValue
  }

  /// The maximum number of recipes whose results are kept for a folder.
  private static let mostFindings = 8

  private func findings(
    _ key: FolderKey, _ assets: [Asset], _ outcomes: [FolderRecord.Photo], _ view: RecipeView
  ) -> [FolderRecord.Finding] {
    let reported = Dictionary(outcomes.map { ($0.name, $0) }) { $1 }
    let found = assets.map { asset in
      reported[asset.file.name] ?? decided[asset.path]?.record
        ?? FolderRecord.Photo(name: asset.file.name, reason: "")
    }
    let others = [Reason.originalMissing, .orphan].map(\.rawValue)
    let missing = reported.values.filter { others.contains($0.reason) }
    let photos = (found + missing).sorted { $0.name < $1.name }
    let isQuiet =
      missing.isEmpty
      && found.allSatisfy {
        Reason(rawValue: $0.reason)?.isQuiet == true && $0.warnings.isEmpty
      }
    let finding = FolderRecord.Finding(recipe: view.key, isQuiet: isQuiet, photos: photos)
    // Results for other recipes stay valid if the folder is unchanged.
    var findings = changedFolders.contains(key) ? [] : index?.record(of: key)?.findings ?? []
    if let place = findings.firstIndex(where: { $0.summary.recipe == view.key }) {
      findings[place] = finding
    } else {
      findings = Array(([finding] + findings).prefix(Self.mostFindings))
    }
    return findings
  }
}

extension [FolderKey: Set<FolderKey>] {
  /// The links, each also in the opposite direction.
  fileprivate var symmetric: Self {
    var all = self
    for (key, others) in self {
      for other in others { all[other, default: []].insert(key) }
    }
    return all
  }
}

extension PhotoPlan {
  /// The plan that an earlier run recorded for a photo; it is valid until the files, the recipe or
  /// the options change.
  fileprivate init?(_ photo: FolderRecord.Photo, in folder: FilePath) {
    guard let reason = Reason(rawValue: photo.reason), let path = photo.name.path(in: folder) else {
      return nil
    }
    self.init(path, .leave(reason), photo.detail, hint: photo.hint)
    warnings = photo.warnings
    isLasting = true
  }

  /// The record for the index; nil if the plan is valid only for this run.
  fileprivate var record: FolderRecord.Photo? { AssetOutcome(self).record }
}

extension AssetOutcome {
  /// The record for later runs; nil if the outcome is valid only for this run.
  var record: FolderRecord.Photo? {
    guard isLasting, let name = path.lastComponent else { return nil }
    return FolderRecord.Photo(
      name: FileName(name), reason: reason.rawValue, detail: detail, hint: hint, warnings: warnings)
  }
}

extension LibraryContents {
  /// For each folder of originals, the other folders in which their sidecars name files.
  fileprivate func touchedFolders(_ root: OutputRoot) -> [FolderKey: Set<FolderKey>] {
    var found: [FolderKey: Set<FolderKey>] = [:]
    func add(_ sidecars: [FilePath: FoundSidecar], _ tree: LibraryTree) {
      for (original, sidecar) in sidecars {
        let folder = FolderKey(.library, original.removingLastComponent())
        for path in sidecar.sidecar?.namedPaths(of: original, in: root) ?? [] {
          let other = path.removingLastComponent()
          for key in [FolderKey(tree, other), FolderKey(.library, other)] where key != folder {
            found[folder, default: []].insert(key)
          }
        }
      }
    }
    add(sidecars, root.renditionTree)
    if root.isMirror { add(librarySidecars, .library) }
    return found
  }
}

extension Sidecar {
  /// The paths that the sidecar names; if the output root is the library, without files beside the
  /// original.
  ///
  /// The function does not check whether the files exist.
  fileprivate func namedPaths(of original: FilePath, in root: OutputRoot) -> [FilePath] {
    let kept = kept.map(\.rendition.file)
    let names = adjustments.flatMap { adjustment in
      let foreign = adjustment.foreign.map { [$0.file] + ($0.current.map { [$0.file] } ?? []) }
      return adjustment.renditions.map(\.file) + (foreign ?? [])
    }
    return (names + kept).compactMap {
      $0.isInFolder && !root.isMirror ? nil : $0.path(besides: original)
    }
  }
}
