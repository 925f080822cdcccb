import Glibc
public import SystemPackage

/// Libraries inside this library, and libraries that contain it. They exist because a command
/// accepts any folder.
extension OutputRoot {
  /// True if temporary files in the folder may belong to a command for another library that also
  /// contains the folder: one that is running, or that was interrupted and not yet recovered.
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
