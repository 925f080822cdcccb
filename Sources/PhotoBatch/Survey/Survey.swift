import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The photos that a run must plan, and the photos that have valid results in the index.
///
/// A folder is linked to the folders that contain renditions or other recorded files of its photos.
/// A folder is up to date for a recipe if neither the folder nor any linked folder has changed
/// since all of its photos were up to date. Folders are read together with all linked folders, so
/// that the owners of all paths are known.
///
/// The folders of a large library may be read in parts, one after the other, so that the memory for
/// photos and sidecars does not grow with the library. The walk lists all folders before the first
/// part is read, and the parts are divided such that no part depends on another. `readNextPart`
/// replaces the contents.
struct Survey {
  /// The contents of the folders that were read.
  private(set) var contents: LibraryContents
  /// The plans of an earlier run for photos in the folders that were read.
  private(set) var decided: [FilePath: PhotoPlan] = [:]
  /// The folders that are not read and whose photos are all reported.
  private var reportedFolders: [FolderKey] = []
  /// The numbers of photos in these folders.
  private(set) var reported: [Reason: Int] = [:]
  /// The numbers of photos in folders that were not read and of which only totals are reported.
  private(set) var counted: [Reason: Int] = [:]
  /// The folders that are libraries of their own and therefore left out.
  private(set) var libraries: [FilePath] = []
  let index: LibraryIndex?
  /// Every folder that the walk over the library found.
  private(set) var seen: [FolderKey: SeenFolder] = [:]
  /// Folders that changed, and the folders linked to them.
  private(set) var changedFolders: Set<FolderKey> = []
  /// The folders of the part that was read last.
  private(set) var read: [FolderKey: ScannedFolder] = [:]
  /// Folders that were in the index and could not be listed when they had to be read.
  private(set) var unlisted: Set<FolderKey> = []
  /// The folders to read, if no folder is read.
  private(set) var wanted: Set<FolderKey> = []
  /// The parts that are not read yet, the last part first; nil if all folders were read at once.
  private var parts: [[FolderKey]]?
  /// The number of files in all parts that are probably photos.
  private(set) var expectedPhotos = 0
  /// The errors of folders that could not be read.
  private var problems: [ScanError] = []
  /// The number of these that the contents of parts had.
  private var reportedProblems = 0
  let root: OutputRoot
  let view: RecipeView?
  private var search: OrphanSearch

  /// Which folders a survey reads, among those for which the index has no valid results.
  enum Reading {
    case all
    /// All folders, in parts of at least this number of files and folders if there are more.
    case parts(of: Int)
    /// No folder; the survey only finds them.
    case none

    /// The number of files whose entries are kept while the library is walked; nil if no folder is
    /// read.
    fileprivate var filesAtOnce: Int? {
      switch self {
      case .all: .max
      case .parts(let files): files
      case .none: nil
      }
    }
  }

  /// Scans a library with the help of `index`; without a `view`, all folders are read.
  ///
  /// If the library is read in parts, no part is read yet.
  init(
    of root: OutputRoot, _ index: LibraryIndex?, _ view: RecipeView?, _ digests: KnownDigests,
    _ reading: Reading = .all
  ) {
    self.root = root
    search = OrphanSearch(in: root, digests, recipe: view?.recipe)
    self.index = index
    self.view = view
    let trees: [(LibraryTree, RealFileSystem)] =
      root.isMirror
      ? [(.library, root.library), (.mirror, root.files)] : [(.library, root.library)]
    let room = reading.filesAtOnce.map { ListingRoom($0) }
    for (tree, files) in trees {
      let walked = Scan(files).walk { SeenFolder($0, tree, (files, index), room) }
      for folder in walked.folders { seen[folder.key] = folder }
      if tree == .library {
        libraries = walked.folders.filter(\.isAnotherLibrary).map(\.key.path).filter(root.isLibrary)
      }
      problems += walked.failures
    }
    contents = LibraryContents(root)
    findChangedFolders()
    let wanted = closure(seen.keys.filter { !isUpToDate($0) } + foldersWithoutOriginals)
    if case .none = reading {
      self.wanted = wanted
      answer(except: wanted)
    } else if case .parts(let files) = reading, let parts = divide(wanted, files) {
      self.parts = parts.reversed()
      answer(except: Set(parts.joined()))
    } else {
      readFolders(wanted)
      answer(except: Set(read.keys))
    }
    contents.problems = problems
  }

  /// True if the folders are read in parts.
  var isDivided: Bool { parts != nil }
  var hasMoreParts: Bool { !(parts ?? []).isEmpty }

  /// Reads the folders of the next part, and forgets those of the part before.
  ///
  /// Its contents have the errors since the part before; those of the first part have the errors of
  /// the walk.
  mutating func readNextPart() {
    guard let part = parts?.popLast() else { return }
    forgetPart()
    scan(Set(part))
    var reader = SidecarReader(root)
    contents = LibraryContents(root, library: folders(.library), mirror: folders(.mirror), &reader)
    contents.findOrphans(search, in: folders(.library), of: root)
    contents.problems = Array(problems.dropFirst(reportedProblems))
    reportedProblems = problems.count
    for key in part { decide(key) }
  }

  /// Forgets the folders of the part that was read last.
  mutating func forgetPart() {
    (contents, read, decided) = (LibraryContents(root), [:], [:])
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

  private mutating func readFolders(_ wanted: Set<FolderKey>) {
    var reader = SidecarReader(root)
    var wanted = wanted
    while !wanted.isEmpty {
      scan(wanted)
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

  /// The folders of a separate output root with sidecars, but without a folder in the library; the
  /// index has no results for them.
  private var foldersWithoutOriginals: [FolderKey] {
    seen.values.filter {
      $0.hasMirroredSidecars && seen[FolderKey(.library, $0.key.path)] == nil
    }.map(\.key)
  }

  private func isCountedOnly(_ summary: FolderRecord.Summary) -> Bool {
    summary.isQuiet && !(view?.listsAll ?? true)
  }

  /// These folders and all linked folders, except folders that were already read.
  private func closure(_ keys: [FolderKey]) -> Set<FolderKey> {
    var found: Set<FolderKey> = []
    var waiting = keys
    while let key = waiting.popLast() {
      guard seen[key] != nil, read[key] == nil, !unlisted.contains(key),
        found.insert(key).inserted
      else { continue }
      waiting += index?.links(of: key) ?? []
    }
    return found
  }

  /// Lists unchanged folders again, because the walk did not keep their entries.
  private mutating func list(_ keys: Set<FolderKey>) {
    let waiting = keys.filter { seen[$0]?.listed == nil && !unlisted.contains($0) }
      .sorted(by: Self.precedes)
    let root = root
    let found = waiting.mappedOnAllCores { key -> (FolderKey, Result<ListedFolder, ScanError>) in
      let files = key.tree == .library ? root.library : root.files
      return (key, Result { () throws(ScanError) in try Scan(files).list(key.path) })
    }
    for (key, result) in found {
      switch result {
      case .success(let folder): seen[key]?.list(again: folder)
      case .failure(let error):
        unlisted.insert(key)
        // A folder that was removed since the walk has no photos.
        // An invalid `.phbatchignore` is also an error of the folders below.
        if !error.isMissingFolder && !problems.contains(error) { problems.append(error) }
      }
    }
  }

  /// Sorts the entries of folders by kind; a folder that cannot be listed is not read.
  private mutating func scan(_ keys: Set<FolderKey>) {
    list(keys)
    let listed = keys.compactMap { key in seen[key]?.listed.map { (key: key, folder: $0) } }
    for (key, folder) in listed.mappedOnAllCores({ ($0.key, $0.folder.scanned()) }) {
      read[key] = folder
      seen[key]?.endListing()
    }
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

  /// The maximum number of parts; for each, the ledger of renditions is searched, which takes about
  /// 0.1 seconds in a library with millions of photos.
  private static let mostParts = 256

  /// Divides the folders that must be read, and all linked folders, into parts of at least
  /// `filesAtATime` files and folders; nil if they are fewer, or if parts would depend on each other.
  private mutating func divide(
    _ wanted: Set<FolderKey>, _ filesAtATime: Int
  ) -> [[FolderKey]]? {
    guard let view, wanted.count > 1 else { return nil }
    // Photos in any folder may get renditions with the same path.
    let meets = RenditionPaths(of: view.recipe).mayMeet
    var waiting = meets ? Set(seen.keys) : wanted
    func size(_ keys: some Sequence<FolderKey>) -> Int {
      keys.reduce(0) { $0 + (seen[$1]?.count ?? 0) }
    }
    guard size(waiting) > filesAtATime, let search = LinkSearch(root, view.recipe) else {
      return nil
    }
    var groups = FolderGroups()
    var found = waiting
    while !waiting.isEmpty {
      var linked: [FolderKey] = []
      for keys in portions(of: waiting, filesAtATime) {
        list(keys)
        let folders = keys.compactMap { key in seen[key]?.listed.map { (key: key, listed: $0) } }
        guard let links = search.links(of: folders) else { return nil }
        for (key, links) in zip(folders.map(\.key), links) {
          expectedPhotos += links.photos
          let others = links.others.union(index?.links(of: key) ?? [])
          for other in others { groups.link(key, other) }
          linked += others
          seen[key]?.forgetListing()
        }
      }
      waiting = closure(linked).subtracting(found)
      found.formUnion(waiting)
    }
    found.subtract(unlisted)
    let sizes = found.sorted(by: Self.precedes).map { (key: $0, files: seen[$0]?.count ?? 0) }
    self.search.otherParts = OtherParts(
      root, sizes.map(\.key).filter { $0.tree == .library }.map(\.path),
      places: search.recordedPlaces, RenditionLedger(root.library).extent)
    return groups.groups(of: sizes, least: max(filesAtATime, size(found) / Self.mostParts))
  }

  /// The folders in sets of at least `files` files and folders, except the last.
  private func portions(of keys: Set<FolderKey>, _ files: Int) -> [Set<FolderKey>] {
    var (portions, portion, count) = ([Set<FolderKey>](), Set<FolderKey>(), 0)
    for key in keys {
      portion.insert(key)
      count += seen[key]?.count ?? 0
      if count < files { continue }
      portions.append(portion)
      (portion, count) = ([], 0)
    }
    return portion.isEmpty ? portions : portions + [portion]
  }

  /// Reads the results of earlier runs for unchanged folders from the index.
  ///
  /// - Parameter wanted: The folders that are read.
  private mutating func answer(except wanted: Set<FolderKey>) {
    guard let index, let view else { return }
    for key in read.keys { decide(key) }
    for key in seen.keys.sorted(by: Self.precedes)
    where key.tree == .library && !changedFolders.contains(key) && !wanted.contains(key) {
      guard let summary = index.summary(of: key, recipe: view.key) else { continue }
      let isCountedOnly = isCountedOnly(summary)
      if !isCountedOnly { reportedFolders.append(key) }
      for count in summary.counts {
        guard let reason = Reason(rawValue: count.reason) else { continue }
        if isCountedOnly {
          counted[reason, default: 0] += count.photos
        } else {
          reported[reason, default: 0] += count.photos
        }
      }
    }
  }

  /// Adds the plans of an earlier run for the photos of an unchanged folder that was read.
  private mutating func decide(_ key: FolderKey) {
    for plan in plans(of: key) { decided[plan.path] = plan }
  }

  /// The plans of an earlier run for the photos of an unchanged folder.
  private func plans(of key: FolderKey) -> [PhotoPlan] {
    guard let view, key.tree == .library, !changedFolders.contains(key) else { return [] }
    let finding = index?.record(of: key)?.findings.first { $0.summary.recipe == view.key }
    return (finding?.photos ?? []).compactMap { PhotoPlan($0, in: key.path) }
  }

  /// The number of photos, found by earlier runs, in folders that are not read.
  var reportedPhotos: Int {
    [reported, counted].joined().filter { $0.key.isOfPresentPhoto }.reduce(0) { $0 + $1.value }
  }

  /// Calls `body` with the plans of an earlier run for photos in folders that are not read; each of
  /// these photos is reported.
  func eachReported(_ body: (PhotoPlan) -> Void) {
    for key in reportedFolders { for plan in plans(of: key) { body(plan) } }
  }

  /// A fixed order, so that equal libraries give identical index files.
  static func precedes(_ left: FolderKey, _ right: FolderKey) -> Bool {
    left.tree == right.tree
      ? left.path.string < right.path.string : left.tree.rawValue < right.tree.rawValue
  }
}

extension ScanError {
  fileprivate var isMissingFolder: Bool {
    if case .folder(let error) = self { error.errno == .noSuchFileOrDirectory } else { false }
  }
}
