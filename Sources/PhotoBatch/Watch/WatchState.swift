import PhotoLibrary
import SystemPackage

/// What a watch knows of a library: its folders, which files have settled, and what is to be done.
struct WatchState: Sendable {
  typealias Instant = ContinuousClock.Instant

  private(set) var trees: [LibraryTree: WatchedTree] = [:]
  private(set) var table: SettleTable
  var attempts = Attempts()
  /// Since when something is to be done; nil: nothing is.
  var newsTime: Instant?
  /// When photos have waited long enough for what lies beside them; nil: none wait.
  private(set) var patienceTime: Instant?
  /// What could not be read, by folder.
  private(set) var failures: [FolderKey: ScanError] = [:]
  /// Folders in which a run saw what this has not seen yet, or photos failed.
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
  /// A folder of which the kernel does not tell.
  var silent: FolderKey? {
    trees.lazy.compactMap { tree, folders in folders.silent.map { FolderKey(tree, $0) } }.first
  }

  /// Where the trees lie: opened when they are looked at, so that nothing keeps a disk in use.
  typealias Roots = [LibraryTree: RealFileSystem]

  /// Looks at everything; `isOld` says of files that are new whether they have settled already.
  mutating func refreshAll(
    in roots: Roots, now: Instant, isOld: (ScannedFile) -> Bool = { _ in false }
  ) {
    for tree in trees.keys { refresh(FolderKey(tree, ""), deeply: true, roots, now, isOld) }
  }

  /// Looks where something happened.
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
    // Before that: the paths of watches are those of the time before.
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

  /// Looks where files may have settled, and where a run saw what this had not seen; whether there
  /// was such a folder.
  mutating func refreshDue(in roots: Roots, now: Instant) -> Bool {
    for key in table.due(now) { refresh(key, roots, now) }
    defer { uncheckedFolders = [] }
    for path in uncheckedFolders { refresh(FolderKey(.library, path), roots, now) }
    return !uncheckedFolders.isEmpty
  }

  /// Looks at the folders of which nothing is heard.
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
    // Else the tree would be copied with each change.
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
      // Editors remove a file before they write the next.
      note(news.settled.isEmpty ? now + table.time : now)
    case .gone(let path):
      failures[FolderKey(tree, path)] = nil
      attempts.forget(FolderKey(tree, path))
      if table.forget(FolderKey(tree, path)) { note(now + table.time) }
    case .failed(let path, let error):
      failures[FolderKey(tree, path)] = error
    }
  }

  /// Wants everything to be looked at.
  mutating func noteAll(_ now: Instant) {
    attempts.forgetAll()
    note(now)
  }

  private mutating func note(_ time: Instant) { newsTime = min(newsTime ?? time, time) }

  /// Takes what became of a photo; whether it is worth telling.
  mutating func note(_ outcome: AssetOutcome, in roots: Roots) -> Bool {
    know(outcome, in: roots)
    let isNew = attempts.note(outcome)
    let folder = outcome.path.removingLastComponent()
    if attempts.isUnseen(FolderKey(.library, folder)) { uncheckedFolders.insert(folder) }
    return isNew
  }

  /// Knows what was published by this program.
  private mutating func know(_ outcome: AssetOutcome, in roots: Roots) {
    for (path, identity) in outcome.published {
      guard let identity, let component = path.lastComponent else { continue }
      table.know(
        FileName(component), identity,
        in: FolderKey(renditionTree, path.removingLastComponent()),
        trustsInodes: roots[renditionTree]?.trustsInodes ?? false)
    }
  }

  /// The photos that have settled, with all that belongs to them, and did not fail before.
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
