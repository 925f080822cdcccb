public import Notation
import PhotoRecipes
public import SystemPackage

/// The reason why a folder cannot be the requested library or output root.
public enum OutputRootError: UserError, Hashable {
  /// The folder contains the renditions of another library.
  case mirror(FilePath, of: FilePath)
  case isLibrary(FilePath)
  case holdsLibrary(FilePath, library: FilePath)
  /// The folder is inside the library and contains files, which belong to the library.
  case holdsFiles(FilePath)
  case illegibleName(FilePath)
  /// The folder is the state folder of a library, or is inside such a folder.
  case inStateFolder(FilePath)

  public var message: String {
    switch self {
    case .mirror(let folder, let library):
      "'\(folder.displayed)' contains the renditions of the library '\(library.displayed)'"
    case .isLibrary(let folder): "the output folder '\(folder.displayed)' is a library"
    case .holdsLibrary(let folder, let library):
      "the output folder '\(folder.displayed)' contains the library '\(library.displayed)'"
    case .holdsFiles(let folder):
      "the output folder '\(folder.displayed)' is in the library and contains files"
    case .inStateFolder(let folder):
      "'\(folder.displayed)' belongs to the data that phbatch keeps in '.phbatch'"
    case .illegibleName(let path): "'\(path.displayed)' does not contain the path of a library"
    }
  }

  public var hint: String {
    switch self {
    case .mirror(let folder, _):
      "run phbatch on that library; if it was moved, remove"
        + " '\(folder.appending(".phbatch/library").displayed)'"
    case .isLibrary, .holdsLibrary: "give another folder with --output"
    case .holdsFiles:
      "use an empty folder or one outside the library, or list the folder in .phbatchignore"
    case .inStateFolder: "give a folder of photos"
    case .illegibleName: "remove the file, then give the library together with --output"
    }
  }
}
