import Glibc
public import SystemPackage

/// Libraries inside this library, and libraries that contain it. They exist because a command
/// accepts any folder.
extension OutputRoot {
  /// The nearest library that contains a folder and would scan it, for a folder that is no library
  /// yet; nil if there is none, or if the folder is a library already.
  public static func library(enclosing folder: FilePath) -> FilePath? {
    guard let own = try? RealFileSystem(root: folder), isLibrary("", in: own) == nil,
      var place = try? folder.canonical()
    else { return nil }
    var below = FilePath("")
    while let name = place.lastComponent {
      place.removeLastComponent()
      below = FilePath(root: nil, [name]).appending(below.components)
      guard let files = try? RealFileSystem(root: place), isLibrary("", in: files) == true else {
        continue
      }
      let isExcluded = (try? Scan(files).excludes(below)) ?? true
      return isExcluded ? nil : place
    }
    return nil
  }

  /// True if a folder of the library is a library of its own, and not the output folder of one.
  public func isLibrary(_ folder: FilePath) -> Bool { Self.isLibrary(folder, in: library) ?? false }

  /// True for a library, false for the output folder of a library; nil if the folder is neither.
  private static func isLibrary(_ folder: FilePath, in files: RealFileSystem) -> Bool? {
    func status(_ path: FilePath) -> FileStatus? {
      (try? files.status(at: folder.appending(path.components))) ?? nil
    }
    guard status(stateFolder)?.kind == .directory else { return nil }
    return status(nameFile) == nil
  }

  /// True if temporary files in the folder may belong to a command for another library that also
  /// contains the folder.
  ///
  /// The command may be running, or was interrupted and is not yet recovered.
  ///
  /// - Parameter folder: The path from the output root.
  /// - Returns: True also if this cannot be determined.
  public func isShared(_ folder: FilePath) -> Bool {
    guard let own = try? files.path.canonical() else { return true }
    var place = own.appending(folder.components)
    repeat {
      if place != own && Self.isBusy(place) { return true }
    } while place.removeLastComponent()
    return false
  }

  private static func isBusy(_ place: FilePath) -> Bool {
    guard let files = try? RealFileSystem(root: place),
      (try? files.status(at: stateFolder)) ?? nil != nil
    else { return false }
    let journals = (try? files.names(in: JournalFolder<RealFileSystem>.path)) ?? []
    return !journals.isEmpty || LibraryLock.isHeld(in: files)
  }
}
