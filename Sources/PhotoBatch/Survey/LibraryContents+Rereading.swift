import PhotoLibrary
import SystemPackage

extension LibraryContents {
  /// Reads the sidecars of these photos again, after a command changed them.
  ///
  /// The renditions that sidecars record must still be the same.
  mutating func reread(_ photos: [FilePath], in root: OutputRoot) {
    for photo in photos {
      let path = Sidecar.path(of: photo)
      do throws(FileSystemError) {
        let status = try root.files.status(at: path)
        sidecars[photo] = status.map {
          SidecarReader.read(path, of: photo, $0.identity, root.files)
        }
      } catch {
        sidecars[photo] = .unusable(.corruptSidecar, error)
      }
    }
  }
}
