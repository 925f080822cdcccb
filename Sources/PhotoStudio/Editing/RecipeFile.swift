import PhotoLibrary
import SystemPackage

/// The file of a recipe, with symbolic links in its path resolved.
struct RecipeFile {
  /// The maximum size in bytes, as for all recipes.
  private static let limit = 1 << 20

  private let files: RealFileSystem
  private let name: FilePath

  init(_ path: FilePath) throws {
    let whole = try path.canonical()
    files = try RealFileSystem(root: whole.removingLastComponent())
    name = whole.lastComponent.map { FilePath(root: nil, [$0]) } ?? FilePath()
  }

  func read() throws -> [UInt8] { try files.read(name, limit: Self.limit) }

  /// Replaces the file atomically, so that neither a crash nor a full disk leaves an incomplete
  /// file.
  ///
  /// The file's permissions stay.
  ///
  /// - Throws: `FileSystemError`; `permissionDenied` if the file is read-only for everybody.
  func replace(_ bytes: [UInt8]) throws {
    let permissions = try files.status(at: name)?.permissions ?? .newFile
    if permissions.isDisjoint(with: [.ownerWrite, .groupWrite, .otherWrite]) {
      throw FileSystemError(.write, name, .permissionDenied)
    }
    do throws(FileSystemError) {
      try files.replace(name, with: bytes, permissions: permissions)
    } catch {
      // The error names the new file, which the user does not know.
      throw FileSystemError(.write, name, error.errno)
    }
  }
}
