package import Notation
import PhotoLibrary
public import PhotoRecipes
public import SystemPackage

extension RecipeDocument {
  /// Reads a recipe file and the files that it extends.
  ///
  /// - Throws: `MissingInput` if there is no such file or it cannot be read, `InvalidDocument` for
  ///   errors in it.
  public init(contentsOf path: FilePath) throws {
    try self.init(contentsOf: path) { _ in }
  }

  /// Reads a recipe from a text that differs from its file, and the files that it extends.
  ///
  /// - Throws: `InvalidDocument` for errors in it.
  package init(text: [UInt8], of path: FilePath) throws(InvalidDocument) {
    try self.init(SourceText(name: path.string, bytes: text)) { file throws(Problem) in
      try SourceText(contentsOf: FilePath(file.location))
    }
  }

  /// Reads a recipe file and the files that it extends, and calls `note` with the path of each file
  /// before it is read.
  init(contentsOf path: FilePath, _ note: (FilePath) -> Void) throws {
    note(path)
    let text: SourceText
    do throws(Problem) { text = try SourceText(contentsOf: path) } catch {
      if case .contradiction = error {
        throw InvalidDocument(diagnostics: [Diagnostic(error, at: .root, nil)])
      }
      throw MissingInput(error.message, hint: "'phbatch init' writes an example recipe")
    }
    try self.init(text) { file throws(Problem) in
      note(FilePath(file.location))
      return try SourceText(contentsOf: FilePath(file.location))
    }
  }
}

extension SourceText {
  /// Reads a text file of at most 1 MiB.
  fileprivate init(contentsOf path: FilePath) throws(Problem) {
    let limit = 1 << 20
    do throws(FileSystemError) {
      // Recipes are often symbolic links, for example from stow or in Kubernetes volumes.
      let place = try path.canonical()
      guard let name = place.lastComponent else {
        throw FileSystemError(.open, path, .isDirectory)
      }
      let files = try RealFileSystem(root: place.removingLastComponent())
      let bytes = try files.read(FilePath(root: nil, [name]), limit: limit)
      self.init(name: path.string, bytes: bytes)
    } catch {
      if error.errno == .noSuchFileOrDirectory { throw .missingFile(path.displayed) }
      if error.errno == .fileTooLarge {
        throw .contradiction(
          "the recipe '\(path.displayed)' has more than 1 MiB",
          remedy: "move a part of it into another recipe, and name that one with 'extends'")
      }
      throw .unreadableFile(path.displayed, reason: error.errno.description)
    }
  }
}
