import PhotoLibrary
import SystemPackage

/// The state of a watch: the folders that it watches, their stable files, and the work that is due.
struct WatchState: Sendable {
  typealias Instant = ContinuousClock.Instant

  private(set) var trees: [LibraryTree: WatchedTree] = [:]
  private(set) var table: SettleTable
  var attempts = Attempts()
  /// The time from which a round is due; nil if no round is due.
  var newsTime: Instant?
  /// The time when photos stop waiting for open files beside them; nil if no photo waits.
  private(set) var patienceTime: Instant?
  /// The errors of unreadable folders.
  private(set) var failures: [FolderKey: ScanError] = [:]
  /// Folders to scan: a run found files there that the watch does not know, or photos there failed.
  private(set) var uncheckedFolders: Set<FilePath> = []
  private let renditionTree: LibraryTree

  init(_ trees: [LibraryTree], _ events: (any FolderEvents)?, _ options: WatchOptions) {
    for tree in trees { self.trees[tree] = WatchedTree(events) }
    table = SettleTable(time: options.settle, longest: options.patience)
    renditionTree = trees.contains(.mirror) ? .mirror : .library
  }

  var folderCount: Int { trees.values.reduce(0) { $0 + $1.folderCount } }
  var unwatchedCount: Int { trees.values.reduce(0) { $0 + $1.unwatched.count } }
  var obstacle: Errno? { trees.values.lazy.compactMap(\.obstacle).first }
  /// The first folder found that the kernel reports no events for; nil if there is none.
  var silent: FolderKey? {
    trees.lazy.compactMap { tree, folders in folders.silent.map { FolderKey(tree, $0) } }.first
  }

  /// The opened root folders of the library and of the output root.
  ///
  /// They are open only during a scan or a round, so that the disk can be unmounted in between.
  typealias Roots = [LibraryTree: RealFileSystem]

  /// Scans all folders; `isOld` returns true for a file that can be treated as stable at its first
  /// sighting.
  mutating func refreshAll(
    in roots: Roots, now: Instant, isOld: (ScannedFile) -> Bool = { _ in false }
  ) {
    for tree in trees.keys { refresh(FolderKey(tree, ""), deeply: true, roots, now, isOld) }
  }

  /// Scans the folders for which the kernel reported changes.
  mutating func refresh(_ changes: FolderChanges, in roots: Roots, now: Instant) {
    if changes.isIncomplete { refreshAll(in: roots, now: now) }
    var dirty: Set<FolderKey> = []
    for tree in trees.keys {
      for number in changes.folders.union(changes.ended) {
        guard let path = trees[tree]?.path(ofWatch: number) else { continue }
        dirty.insert(FolderKey(tree, path))
        guard changes.ended.contains(number) else { continue }
        trees[tree]?.end(ofWatch: number)
        dirty.insert(FolderKey(tree, path.removingLastComponent()))
      }
    }
    // Scans change the paths of watch numbers, so the paths are looked up before the scans.
    let replaced = changes.subfolders.flatMap { number, names in
      trees.keys.compactMap { tree in
        trees[tree]?.path(ofWatch: number).map { (tree, $0, names) }
      }
    }
    for key in dirty { refresh(key, roots, now) }
    for (tree, path, names) in replaced {
      for name in names { replace(name, in: FolderKey(tree, path), roots, now) }
    }
  }

  /// Scans the folders whose files may be stable now, and the folders in `uncheckedFolders`.
  ///
  /// Returns true if there were folders in `uncheckedFolders`.
  mutating func refreshDue(in roots: Roots, now: Instant) -> Bool {
    for key in table.due(now) { refresh(key, roots, now) }
    defer { uncheckedFolders = [] }
    for path in uncheckedFolders { refresh(FolderKey(.library, path), roots, now) }
    return !uncheckedFolders.isEmpty
  }

  /// Scans the folders for which the kernel reports no events.
  mutating func poll(in roots: Roots, now: Instant) {
    for tree in trees.keys {
      for path in trees[tree]?.unwatched ?? [] { refresh(FolderKey(tree, path), roots, now) }
    }
  }

  private mutating func refresh(
    _ key: FolderKey, deeply: Bool = false, _ roots: Roots, _ now: Instant,
    _ isOld: (ScannedFile) -> Bool = { _ in false }
  ) {
    guard let files = roots[key.tree], var tree = trees[key.tree] else { return }
    // The tree is removed from the dictionary during the scan; otherwise each change would copy the
    // tree.
    trees[key.tree] = nil
    tree.refresh(key.path, deeply: deeply, in: files) { see($0, key.tree, files, now, isOld) }
    trees[key.tree] = tree
  }

  private mutating func replace(
    _ name: FileName, in key: FolderKey, _ roots: Roots, _ now: Instant
  ) {
    guard let files = roots[key.tree], var tree = trees[key.tree] else { return }
    trees[key.tree] = nil
    tree.replace(name, in: key.path, in: files) {
      see($0, key.tree, files, now, { _ in false })
    }
    trees[key.tree] = tree
  }

  private mutating func see(
    _ sighting: WatchedTree.Sighting, _ tree: LibraryTree, _ files: RealFileSystem, _ now: Instant,
    _ isOld: (ScannedFile) -> Bool
  ) {
    switch sighting {
    case .listed(let folder):
      let key = FolderKey(tree, folder.path)
      failures[key] = nil
      let news = table.see(
        folder, key, now: now, trustsInodes: files.trustsInodes, isOld: isOld
      ) { name in
        name.component.map { files.isBeingWritten(folder.path.appending($0)) ?? false } ?? false
      }
      let lost = attempts.see(folder, key)
      if news.isEmpty { return }
      attempts.forget(news, lost: lost, in: folder.path)
      // An editor may remove a file just before writing it again, so a removal alone waits until
      // files count as stable.
      note(news.settled.isEmpty ? now + table.time : now)
    case .gone(let path):
      failures[FolderKey(tree, path)] = nil
      attempts.forget(FolderKey(tree, path))
      if table.forget(FolderKey(tree, path)) { note(now + table.time) }
    case .failed(let path, let error):
      failures[FolderKey(tree, path)] = error
    }
  }

  /// Requests a round over all photos, including photos whose last attempt failed.
  mutating func noteAll(_ now: Instant) {
    attempts.forgetAll()
    note(now)
  }

  private mutating func note(_ time: Instant) { newsTime = min(newsTime ?? time, time) }

  /// Records the outcome of a photo.
  ///
  /// Returns true if the caller should report the outcome.
  mutating func note(_ outcome: AssetOutcome, in roots: Roots) -> Bool {
    know(outcome, in: roots)
    let folder = outcome.path.removingLastComponent()
    if outcome.reason == .orphan && !isStable(outcome.path, in: roots) {
      // The round that begins when the file is stable reports it.
      uncheckedFolders.insert(folder)
      return false
    }
    let isNew = attempts.note(outcome)
    if attempts.isUnseen(FolderKey(.library, folder)) { uncheckedFolders.insert(folder) }
    return isNew
  }

  /// True if a file of the library is stable in its present state, or is gone.
  private func isStable(_ path: FilePath, in roots: Roots) -> Bool {
    guard let files = roots[.library], let component = path.lastComponent,
      let status = try? files.status(at: path)
    else { return true }
    return table.holds(
      FileName(component), status.identity,
      in: FolderKey(.library, path.removingLastComponent()), trustsInodes: files.trustsInodes)
  }

  /// Records the files that the round published, so that the next scan does not treat them as
  /// changes.
  private mutating func know(_ outcome: AssetOutcome, in roots: Roots) {
    for (path, identity) in outcome.published {
      guard let identity, let component = path.lastComponent else { continue }
      table.know(
        FileName(component), identity,
        in: FolderKey(renditionTree, path.removingLastComponent()),
        trustsInodes: roots[renditionTree]?.trustsInodes ?? false)
    }
  }

  /// Returns the photos to render.
  ///
  /// They and their companions are stable, and their last attempt did not fail.
  mutating func choose(_ assets: [Asset], in roots: Roots, now: Instant) -> [Asset] {
    let trustsInodes = roots[.library]?.trustsInodes ?? false
    var waiting: [FilePath: [GroupNames]] = [:]
    patienceTime = nil
    return assets.filter { asset in
      let folder = asset.path.removingLastComponent()
      if attempts.holds(asset.path) { return false }
      guard table.holds(asset.file, in: FolderKey(.library, folder), trustsInodes: trustsInodes)
      else {
        uncheckedFolders.insert(folder)
        return false
      }
      let names =
        waiting[folder]
        ?? trees.keys.map { table.waitingNames(in: FolderKey($0, folder), now: now) }
      waiting[folder] = names
      guard names.contains(where: { $0.concern(asset.file.name) }) else { return true }
      patienceTime = now + table.longest
      return false
    }
  }
}
