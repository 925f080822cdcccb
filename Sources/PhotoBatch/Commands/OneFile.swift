import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// A file that the user named and that belongs to no library.
struct OneFile {
  private let path: FilePath

  init(_ path: FilePath) { self.path = path }

  func open() throws -> OpenFile {
    let folder = path.removingLastComponent()
    guard let name = path.lastComponent else {
      throw MissingInput("'\(path.displayed)' is a folder", hint: "name a file")
    }
    do throws(FileSystemError) {
      return try RealFileSystem(root: folder.isEmpty ? "." : folder).open(
        FilePath(root: nil, [name]))
    } catch {
      guard error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory else {
        throw error
      }
      throw MissingInput("there is no file '\(path.displayed)'", hint: "check the path")
    }
  }
}
