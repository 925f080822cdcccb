import PhotoLibrary
import SystemPackage

/// A file whose bytes a sidecar records.
struct RecordedFile: Sendable {
  enum Role: Sendable {
    case original
    case rendition
  }

  let role: Role
  let path: FilePath
  let files: RealFileSystem
  let bytes: Int
  let sha256: String

  /// Reads the file; nil if it is as recorded.
  func finding() -> Finding? {
    do {
      guard let status = try files.status(at: path) else {
        return Finding(path, role == .original ? .originalMissing : .missing)
      }
      let changed = Finding(path, role == .original ? .originalChanged : .modified)
      // A file of another size need not be read.
      guard status.kind == .regular, Int(status.identity.size) == bytes else { return changed }
      return try "\(Digest(of: files.open(path), in: files))" == sha256 ? nil : changed
    } catch let error as FileSystemError where error.errno == .noSuchFileOrDirectory {
      return Finding(path, role == .original ? .originalMissing : .missing)
    } catch let error as FileSystemError {
      return Finding(path, .unreadable, error.message)
    } catch {
      return Finding(path, .unreadable, "\(error)")
    }
  }
}
