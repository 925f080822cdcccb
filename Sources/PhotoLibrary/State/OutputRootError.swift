public import Notation
import PhotoRecipes
public import SystemPackage

/// The reason why a folder cannot be the requested library or output root.
public enum OutputRootError: UserError, Hashable {
  /// The folder holds the renditions of another library.
  case mirror(FilePath, of: FilePath)
  case isLibrary(FilePath)
  case holdsLibrary(FilePath, library: FilePath)
  /// The folder is inside the library and contains files, which belong to the library.
  case holdsFiles(FilePath)
  case illegibleName(FilePath)

  public var message: String {
    switch self {
    case .mirror(let folder, let library):
      "'\(folder.displayed)' holds the renditions of '\(library.displayed)'"
    case .isLibrary(let folder): "'\(folder.displayed)' is a library itself"
    case .holdsLibrary(let folder, let library):
      "the output folder '\(folder.displayed)' holds the library '\(library.displayed)'"
    case .holdsFiles(let folder):
      "the output folder '\(folder.displayed)' is a part of the library that holds files"
    case .illegibleName(let path): "'\(path.displayed)' names no library"
    }
  }

  public var hint: String {
    switch self {
    case .mirror(let folder, _):
      "use that library; if it was moved, remove '\(folder.appending(".phbatch/library").displayed)'"
    case .isLibrary, .holdsLibrary: "use a folder of its own for --output"
    case .holdsFiles:
      "use an empty folder, one outside of the library, or name it in .phbatchignore"
    case .illegibleName: "remove the file, and give the library with --output"
    }
  }
}
