public import SystemPackage

/// The folders of a tree that a walk enters, each watched as far as that is possible.
///
/// A folder is watched first and listed then, so that nothing is missed in between. A folder that
/// was moved is one that went and one that came: nothing is concluded from paths. No file stays
/// open: a watched disk can be unmounted.
public struct WatchedTree: Sendable {
  private struct Folder {
    var watch: Int32?
    var subfolders: Set<FileName> = []
    /// The digest of the ignore rules, here and above.
    var rules: [UInt8] = []
  }

  /// The result of a refresh.
  public enum Sighting {
    case listed(ScannedFolder)
    /// The folder is there no more, or is left out now.
    case gone(FilePath)
    /// It could not be read.
    case failed(FilePath, ScanError)
  }

  private let events: (any FolderEvents)?
  private var folders: [FilePath: Folder] = [:]
  private var paths: [Int32: FilePath] = [:]
  /// Folders of which nothing is heard: they have to be looked at now and then.
  public private(set) var unwatched: Set<FilePath> = []
  /// Why; the latest of these errors.
  public private(set) var obstacle: Errno?
  /// The first folder found on a file system of which the kernel does not tell, as on a network.
  public private(set) var silent: FilePath?

  /// An empty tree; without `events` nothing is watched.
  public init(_ events: (any FolderEvents)?) { self.events = events }

  public var folderCount: Int { folders.count }

  /// The folder that events name by this number.
  public func path(ofWatch number: Int32) -> FilePath? { paths[number] }

  /// Lists a folder and all in it that are new; `deeply`: all in it, whatever is known of them.
  ///
  /// The path is relative to the root; a folder that is gone is forgotten.
  public mutating func refresh(
    _ path: FilePath, deeply: Bool = false, in files: RealFileSystem, _ see: (Sighting) -> Void
  ) {
    var waiting = [(path: path, isDeep: deeply)]
    while let (path, isDeep) = waiting.popLast() {
      watch(path, in: files)
      do throws(ScanError) {
        let (listed, names) = try Scan(files).listWithSubfolders(path)
        let old = folders[path] ?? Folder()
        let subfolders = Set(names)
        for name in old.subfolders.subtracting(subfolders) {
          if let gone = name.path(in: path) { forget(gone, see) }
        }
        let hasOtherRules = old.rules != listed.place.rulesDigest
        for name in names where isDeep || hasOtherRules || !old.subfolders.contains(name) {
          if let below = name.path(in: path) { waiting.append((below, true)) }
        }
        folders[path, default: Folder()].subfolders = subfolders
        folders[path, default: Folder()].rules = listed.place.rulesDigest
        see(.listed(listed.scanned()))
      } catch {
        fail(path, error, see)
      }
    }
  }

  /// Looks at a subfolder anew, which may be another one under the old name.
  public mutating func replace(
    _ name: FileName, in folder: FilePath, in files: RealFileSystem, _ see: (Sighting) -> Void
  ) {
    guard folders[folder]?.subfolders.contains(name) ?? false, let path = name.path(in: folder)
    else { return }
    refresh(path, deeply: true, in: files, see)
  }

  /// Says that a watch has ended.
  public mutating func end(ofWatch number: Int32) {
    guard let path = paths.removeValue(forKey: number) else { return }
    // One that was moved away would go on.
    events?.unwatch(number)
    folders[path]?.watch = nil
    if folders[path] != nil { unwatched.insert(path) }
  }

  private mutating func watch(_ path: FilePath, in files: RealFileSystem) {
    let old = folders[path]?.watch
    var number: Int32?
    if let events {
      do {
        let folder = try files.openFolder(path)
        // Each anew: another file system may be mounted anywhere, at any time.
        if RealFileSystem.Kind(of: folder).tellsOfChanges {
          number = try events.watch(folder)
        } else if silent == nil {
          silent = path
        }
      } catch let error as Errno {
        obstacle = error
      } catch {
        // It cannot be listed either, and is reported then.
      }
    }
    if let old, old != number { release(old, of: path) }
    folders[path, default: Folder()].watch = number
    if let number {
      paths[number] = path
      unwatched.remove(path)
    } else {
      unwatched.insert(path)
    }
  }

  /// Ends a watch, unless its folder has another path by now.
  private mutating func release(_ number: Int32, of path: FilePath) {
    guard paths[number] == path else { return }
    paths.removeValue(forKey: number)
    events?.unwatch(number)
  }

  private mutating func fail(_ path: FilePath, _ error: ScanError, _ see: (Sighting) -> Void) {
    if case .folder(let failure) = error, failure.path == path,
      [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels].contains(failure.errno)
    {
      return forget(path, see)
    }
    for name in folders[path]?.subfolders ?? [] {
      if let below = name.path(in: path) { forget(below, see) }
    }
    folders[path]?.subfolders = []
    // Its rights may change without a word.
    unwatched.insert(path)
    see(.failed(path, error))
  }

  private mutating func forget(_ path: FilePath, _ see: (Sighting) -> Void) {
    var waiting = [path]
    while let path = waiting.popLast() {
      unwatched.remove(path)
      guard let folder = folders.removeValue(forKey: path) else { continue }
      if let watch = folder.watch { release(watch, of: path) }
      waiting += folder.subfolders.compactMap { $0.path(in: path) }
      see(.gone(path))
    }
  }
}

extension FileName {
  fileprivate func path(in folder: FilePath) -> FilePath? { component.map { folder.appending($0) } }
}
