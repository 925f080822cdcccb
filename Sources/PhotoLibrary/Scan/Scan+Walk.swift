import Dispatch
import Synchronization
public import SystemPackage

extension Scan {
  /// Walks on all cores, and returns the result of `look` for each folder, in the order of a scan.
  ///
  /// `look` runs on several threads at the same time. The error for a folder that cannot be read is
  /// in `failures`.
  public func walk<Seen: Sendable>(
    _ look: @Sendable (ListedFolder) -> Seen
  ) -> (folders: [Seen], failures: [ScanError]) {
    let found = Mutex<[(place: [UInt8], result: Result<Seen, ScanError>)]>([])
    var generation = [FolderToScan()]
    while !generation.isEmpty {
      let folders = generation
      let next = Mutex<[FolderToScan]>([])
      DispatchQueue.concurrentPerform(iterations: folders.count) { index in
        let result: Result<Seen, ScanError>
        do throws(ScanError) {
          let (folder, below) = try Self.list(folders[index], files)
          if !below.isEmpty { next.withLock { $0 += below } }
          result = folder.obstacle.map { .failure($0) } ?? .success(look(folder))
        } catch { result = .failure(error) }
        let place = folders[index].path.bytes.map { $0 == UInt8(ascii: "/") ? 0 : $0 }
        found.withLock { $0.append((place, result)) }
      }
      generation = next.withLock { $0 }
    }
    let sorted = found.withLock { $0 }.sorted { $0.place.lexicographicallyPrecedes($1.place) }
    var failures: [ScanError] = []
    let seen = sorted.compactMap { entry -> Seen? in
      switch entry.result {
      case .success(let seen): return seen
      case .failure(let error):
        failures.append(error)
        return nil
      }
    }
    return (seen, failures)
  }

  /// Lists one folder of the walk again.
  public func list(_ path: FilePath) throws(ScanError) -> ListedFolder {
    let folder = try listWithSubfolders(path).folder
    if let obstacle = folder.obstacle { throw obstacle }
    return folder
  }

  /// Lists one folder; nil if the walk does not enter it or it cannot be read.
  public func entered(_ path: FilePath) -> ListedFolder? {
    guard let isExcluded = try? excludes(path), !isExcluded else { return nil }
    var outer = path
    while outer.removeLastComponent(), !outer.isEmpty {
      let state = outer.appending(".phbatch")
      if (try? files.status(at: state))??.kind == .directory { return nil }
    }
    return try? list(path)
  }

  /// Lists one folder, and also returns the names of the subfolders that the walk enters.
  func listWithSubfolders(
    _ path: FilePath
  ) throws(ScanError) -> (folder: ListedFolder, subfolders: [FileName]) {
    var place = FolderToScan()
    for component in path.components {
      try Self.addRules(files, to: &place)
      place = place.entering(component)
    }
    let (folder, below) = try Self.list(place, files)
    return (folder, below.map(\.name))
  }
}
