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
/// The folders of a large library are read in parts, one after the other, so that the memory does not
/// grow with the library. `readNextPart` replaces the contents.
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
  /// The parts that are not read yet, the last part first; nil if all folders were read at once.
  private var parts: [[FolderKey]]?
  /// The number of files in all parts that are probably photos, and whether there are sidecars.
  private(set) var expected = (photos: 0, hasSidecars: false)
  let root: OutputRoot
  let view: RecipeView?
  private let search: OrphanSearch

  /// Scans a library with the help of `index`; without a `view`, all folders are read.
  ///
  /// With `filesAtATime`, folders with more files than that are read in parts; no part is read yet.
  init(
    of root: OutputRoot, _ index: LibraryIndex?, _ view: RecipeView?, _ digests: KnownDigests,
    filesAtATime: Int? = nil
  ) {
    self.root = root
    search = OrphanSearch(in: root, digests, recipe: view?.recipe)
    self.index = index
    self.view = view
    let trees: [(LibraryTree, RealFileSystem)] =
      root.isMirror
      ? [(.library, root.library), (.mirror, root.files)] : [(.library, root.library)]
    var failures: [ScanError] = []
    let glancer = filesAtATime.flatMap { _ in view.flatMap { FolderGlancer(root, $0.recipe) } }
    let memory = FolderMemory(glancer == nil ? .max : filesAtATime ?? .max)
    for (tree, files) in trees {
      let walked = Scan(files).walk { SeenFolder($0, tree, (files, index), glancer, memory) }
      for folder in walked.folders { seen[folder.key] = folder }
      if tree == .library {
        libraries = walked.folders.filter(\.isAnotherLibrary).map(\.key.path).filter(root.isLibrary)
      }
      failures += walked.failures
    }
    contents = LibraryContents(root)
    findChangedFolders()
    let wanted = closure(seen.keys.filter { !isUpToDate($0) })
    if let glancer, let filesAtATime,
      wanted.reduce(0, { $0 + (seen[$1]?.count ?? 0) }) > filesAtATime,
      let parts = self.parts(wanted, glancer, filesAtATime)
    {
      self.parts = parts.reversed()
      answer(except: Set(parts.joined()))
    } else {
      readFolders(wanted)
      answer(except: Set(read.keys))
    }
    contents.problems = failures
  }

  /// True if the folders are read in parts.
  var isDivided: Bool { parts != nil }
  var hasMoreParts: Bool { !(parts ?? []).isEmpty }

  /// Reads the folders of the next part, and forgets those of the part before.
  mutating func readNextPart() {
    guard let part = parts?.popLast() else { return }
    // The errors of the walk are reported with the first part.
    let problems = read.isEmpty ? contents.problems : []
    (contents, read, decided) = (LibraryContents(root), [:], [:])
    let root = root
    let found = part.map { ($0, seen[$0]?.folder) }.mappedOnAllCores { key, folder in
      (key, folder ?? Self.folder(key, root))
    }
    for (key, folder) in found {
      read[key] = folder
      seen[key]?.folder = nil
    }
    var reader = SidecarReader(root)
    contents = LibraryContents(root, library: folders(.library), mirror: folders(.mirror), &reader)
    contents.findOrphans(search, in: folders(.library), of: root)
    contents.problems = problems
    for key in part { decide(key) }
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
      for key in wanted { read[key] = seen[key]?.folder ?? Self.folder(key, root) }
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

  private static func folder(_ key: FolderKey, _ root: OutputRoot) -> ScannedFolder {
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

  /// Divides the folders that must be read, and all linked folders, into parts of at least
  /// `filesAtATime` files; nil if that is not possible.
  private mutating func parts(
    _ wanted: Set<FolderKey>, _ glancer: FolderGlancer, _ filesAtATime: Int
  ) -> [[FolderKey]]? {
    var groups = FolderGroups()
    var found = wanted
    var waiting = wanted
    while !waiting.isEmpty {
      let linked = glances(at: waiting, glancer).map { key, glance in
        expected.photos += glance.photos
        expected.hasSidecars = expected.hasSidecars || glance.hasSidecars
        let links = glance.links.union(index?.links(of: key) ?? [])
        for other in links { groups.link(key, other) }
        return links
      }
      waiting = closure(linked.flatMap { $0 }).subtracting(found)
      found.formUnion(waiting)
    }
    // Without the templates of earlier recipes, a rendition whose sidecar is lost may be that of a
    // photo in any folder.
    if expected.hasSidecars && !glancer.knowsPlaces { return nil }
    let folders = found.sorted(by: Self.precedes).map { (key: $0, files: seen[$0]?.count ?? 0) }
    return groups.groups(of: folders, least: filesAtATime)
  }

  private func glances(
    at keys: Set<FolderKey>, _ glancer: FolderGlancer
  ) -> [(FolderKey, FolderGlance)] {
    let (root, index) = (root, index)
    return keys.compactMap { seen[$0] }.mappedOnAllCores { seen in
      if let glance = seen.glance { return (seen.key, glance) }
      // The index has the links of an unchanged folder that follow from its sidecars.
      let known = seen.isSame ? index?.photos(in: seen.key) : nil
      if known != nil && glancer.ignoresNames && !root.isMirror {
        return (seen.key, FolderGlance(photos: known ?? 0, hasSidecars: true))
      }
      let folder = seen.folder ?? Self.folder(seen.key, root)
      var glance = glancer.glance(folder, seen.key.tree, opensSidecars: known == nil)
      glance.photos = known ?? glance.photos
      return (seen.key, glance)
    }
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
