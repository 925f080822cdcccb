import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Warns of libraries inside each other: a library does not look into a library that it contains.
enum LibraryBorders {
  /// The warning before a run makes a library of a folder of another library; nil if it does not.
  static func warning(beforeRunOver library: FilePath, _ output: FilePath?) -> String? {
    guard output == nil, let outer = OutputRoot.library(enclosing: library) else { return nil }
    return
      "'\(library.displayed)' lies in the library '\(outer.displayed)', which does not look into it"
      + " any more; to render only the photos of a folder, name the library with --library"
      + " \(outer.displayed)"
  }

  /// The warnings about the libraries that a run leaves out.
  static func warnings(of survey: Survey?) -> [String] {
    (survey?.libraries ?? []).map { folder in
      let state = folder.appending(OutputRoot.stateFolder.components)
      return
        "'\(folder.displayed)' is a library of its own, so its photos are left out; to include them,"
        + " remove '\(state.displayed)', and run over that folder with --library only"
    }
  }
}
