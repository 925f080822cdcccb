import PhotoLibrary
import SystemPackage

/// Tells a library that is away from one that is empty.
///
/// Where a disk was unmounted stands an empty folder, on another device and without the state
/// folder that every library has that was watched. Nothing is concluded from it, and nothing
/// written to it. A disk that was mounted there, over what was watched before, is the library from
/// then on.
struct LibraryPresence: Sendable {
  private struct Root {
    let path: FilePath
    var stamp: FileStamp
    /// Where symbolic links lead to.
    var place: FilePath?
    let hasState: Bool
  }

  enum Finding {
    case here
    /// Another folder has taken the place of the one that was watched.
    case replaced
    case away(String)
  }

  private var roots: [Root] = []

  /// Remembers the folders as they are.
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
      guard stamp.isFolder else { return .away("'\(root.path.displayed)' is no folder any more") }
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

  /// Whether a disk is mounted there, or on a folder above and over the device of before.
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

  /// Whether what is there now is the library, mounted again, or holds photos.
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
    // The library of a mirror has no mark of its own; an empty one has nothing to say either.
    return !((try? files.names(in: "").isEmpty) ?? true)
  }
}
