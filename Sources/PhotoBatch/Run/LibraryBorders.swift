import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Warns if one library is inside another: a run over the outer library does not scan the inner
/// one.
enum LibraryBorders {
  /// The warning for a run that makes a separate library of a folder inside another library; nil if
  /// the folder is in no other library, or if the run has a separate output root.
  static func warning(beforeRunOver library: FilePath, _ output: FilePath?) -> String? {
    guard output == nil, let outer = OutputRoot.library(enclosing: library) else { return nil }
    return
      "'\(library.displayed)' is inside the library '\(outer.displayed)', which ignores this folder"
      + " from now on; to render only the photos of a folder, name the library with --library"
      + " \(outer.displayed)"
  }

  /// A warning for each inner library whose photos a run leaves out.
  static func warnings(of survey: Survey?) -> [String] {
    (survey?.libraries ?? []).map { folder in
      let state = folder.appending(OutputRoot.stateFolder.components)
      return
        "'\(folder.displayed)' is a library of its own, so its photos are left out; to include them,"
        + " remove '\(state.displayed)', and run over that folder with --library only"
    }
  }
}
