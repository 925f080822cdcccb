public import SystemPackage

/// The folders of a tree that a walk enters, each with a watch if possible.
///
/// A folder is watched before it is listed, so that no change in between is missed. A moved folder
/// is treated as a removed folder and an added folder. No file stays open, so that a watched disk
/// can be unmounted.
public struct WatchedTree: Sendable {
  private struct Folder {
    var watch: Int32?
    var subfolders: Set<FileName> = []
    /// The digest of the ignore rules of this folder and of the folders above.
    var rules: [UInt8] = []
  }

  /// The state of one folder, as a refresh found it.
  public enum Sighting {
    case listed(ScannedFolder)
    /// The folder no longer exists, or is excluded now.
    case gone(FilePath)
    /// The folder could not be read.
    case failed(FilePath, ScanError)
  }

  private let events: (any FolderEvents)?
  private var folders: [FilePath: Folder] = [:]
  private var paths: [Int32: FilePath] = [:]
  /// The folders without events, which have to be listed at intervals.
  public private(set) var unwatched: Set<FilePath> = []
  /// The latest error because of which a folder is not watched; nil if there was none.
  public private(set) var obstacle: Errno?
  /// The first folder on a file system without events from the kernel, such as a network file
  /// system; nil if there is none.
  public private(set) var silent: FilePath?

  /// Creates an empty tree; if `events` is nil, no folder is watched.
  public init(_ events: (any FolderEvents)?) { self.events = events }

  public var folderCount: Int { folders.count }

  /// The path of the folder with this number in events.
  public func path(ofWatch number: Int32) -> FilePath? { paths[number] }

  /// Lists a folder, and all new folders below it; if `deeply` is true, all folders below it.
  ///
  /// The path is relative to the root. A folder that no longer exists is removed from the tree.
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
        if let obstacle = listed.obstacle {
          // No event reports that the file's status has become readable.
          unwatched.insert(path)
          see(.failed(path, obstacle))
        } else {
          see(.listed(listed.scanned()))
        }
      } catch {
        fail(path, error, see)
      }
    }
  }

  /// Lists a subfolder again with all below it, because another folder may now have this name.
  public mutating func replace(
    _ name: FileName, in folder: FilePath, in files: RealFileSystem, _ see: (Sighting) -> Void
  ) {
    guard folders[folder]?.subfolders.contains(name) ?? false, let path = name.path(in: folder)
    else { return }
    refresh(path, deeply: true, in: files, see)
  }

  /// Records that a watch has ended.
  public mutating func end(ofWatch number: Int32) {
    guard let path = paths.removeValue(forKey: number) else { return }
    // The kernel would continue to watch a folder that was moved out of the tree.
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
        // Checks the file system of every folder, because another one may be mounted anywhere at
        // any time.
        if RealFileSystem.Kind(of: folder).tellsOfChanges {
          number = try events.watch(folder)
        } else if silent == nil {
          silent = path
        }
      } catch let error as Errno {
        obstacle = error
      } catch {
        // A folder that cannot be opened cannot be listed either, and the listing reports the
        // error.
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

  /// Ends a watch, unless its folder has been found under another path.
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
    // No event reports that the folder has become readable, so it is listed at intervals.
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
