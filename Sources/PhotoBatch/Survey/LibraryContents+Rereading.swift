import PhotoLibrary
import SystemPackage

extension LibraryContents {
  /// Reads the sidecars of these photos again, after a command changed them.
  ///
  /// The renditions that sidecars record must still be the same.
  mutating func reread(_ photos: [FilePath], in root: OutputRoot) {
    let files = root.files
    let found = photos.mappedOnAllCores { photo -> FoundSidecar? in
      let path = Sidecar.path(of: photo)
      do throws(FileSystemError) {
        return try files.status(at: path).map {
          SidecarReader.read(path, of: photo, $0.identity, files)
        }
      } catch {
        return .unusable(.corruptSidecar, error)
      }
    }
    for (photo, sidecar) in zip(photos, found) { sidecars[photo] = sidecar }
  }
}
