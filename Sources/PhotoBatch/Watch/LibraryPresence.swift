import PhotoLibrary
import SystemPackage

/// Distinguishes an unmounted library from an empty one.
///
/// After a disk is unmounted, its mount point is an empty folder on another device, without the
/// state folder that every watched library has. The watch ignores that folder and writes nothing to
/// it. If another disk is mounted over the library's folder, the watch treats that disk as the
/// library.
struct LibraryPresence: Sendable {
  private struct Root {
    let path: FilePath
    var stamp: FileStamp
    /// The path without symbolic links.
    var place: FilePath?
    let hasState: Bool
  }

  enum Finding {
    case here
    /// Another folder is now at the watched path, and the watch accepts it as the library.
    case replaced
    case away(String)
  }

  private var roots: [Root] = []

  /// Records the folders at the paths of the library and of the output root.
  init(library: FilePath, output: FilePath?) throws(FileSystemError) {
    for path in [library] + (output.map { [$0] } ?? []) {
      do throws(Errno) {
        roots.append(
          Root(
            path: path, stamp: try FileStamp(of: path), place: try? path.canonical(),
            hasState: output == nil || path == output))
      } catch { throw FileSystemError(.open, path, error) }
    }
  }

  mutating func check() -> Finding {
    var finding = Finding.here
    for index in roots.indices {
      let root = roots[index]
      let stamp: FileStamp
      do throws(Errno) { stamp = try FileStamp(of: root.path) } catch {
        return .away("'\(root.path.displayed)' cannot be reached: \(error)")
      }
      guard stamp.isFolder else {
        return .away("'\(root.path.displayed)' is not a folder any more")
      }
      do throws(FileSystemError) { _ = try RealFileSystem(root: root.path) } catch {
        return .away("'\(root.path.displayed)' cannot be read: \(error.errno)")
      }
      if stamp.isSameFolder(as: root.stamp) { continue }
      let place = try? root.path.canonical()
      let isElsewhere = stamp.device != root.stamp.device && place == root.place
      if isElsewhere && !isMounted(root, stamp) && !isLibrary(root) {
        return .away("'\(root.path.displayed)' seems to be unmounted")
      }
      roots[index].stamp = stamp
      roots[index].place = place
      finding = .replaced
    }
    return finding
  }

  /// True if a file system is mounted at the path, or a folder above the path is on the device that
  /// the library was on.
  private func isMounted(_ root: Root, _ stamp: FileStamp) -> Bool {
    guard var folder = try? root.path.canonical() else { return false }
    var isTop = true
    while folder.removeLastComponent() {
      guard let above = try? FileStamp(of: folder) else { return false }
      if isTop && above.device != stamp.device { return true }
      if above.device == root.stamp.device { return true }
      isTop = false
    }
    return false
  }

  /// True if the folder at the path has the library's state folder or photos, so that it is the
  /// library after mounting it again.
  private func isLibrary(_ root: Root) -> Bool {
    guard let files = try? RealFileSystem(root: root.path) else { return false }
    if root.hasState && (try? files.status(at: OutputRoot.stateFolder)) ?? nil != nil {
      return true
    }
    if root.hasState {
      return Scan(files).contains { folder in
        (try? folder.get())?.files.contains { $0.claim != .none } ?? false
      }
    }
    // The library of a run with `--output` has no state folder; it is treated as present if it is
    // not empty.
    return !((try? files.names(in: "").isEmpty) ?? true)
  }
}
