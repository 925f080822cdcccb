import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Warns if one library is inside another: a run over the outer library does not scan the inner
/// one.
enum LibraryBorders {
  /// The warning that the run would make a folder of another library a library of its own; nil if
  /// it would not.
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
