import Glibc
public import SystemPackage

/// Libraries in this one, and around it: any folder may be given to a command.
extension OutputRoot {
  /// True if temporary files in a folder may belong to a command over another library that holds
  /// the folder too: one that is running, or that was interrupted and is not yet recovered.
  ///
  /// - Parameter folder: From the output root.
  /// - Returns: True too where that cannot be told.
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
