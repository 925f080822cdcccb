import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The error that another watch of the library applies the same recipe.
///
/// Two such watches with different settings would render each other's photos again without end.
public struct WatchedAlready: CommandError, Hashable {
  let library: FilePath
  let holder: LockNote

  public var code: ExitCode { .locked }

  public var message: String {
    "'\(library.displayed)' is already watched with \(holder.recipe ?? "this recipe") by"
      + " 'phbatch \(holder.command)', process \(holder.process) on \(holder.host)"
  }

  public var hint: String {
    "end that watch first, or give one of the recipes another identifier and variant"
  }
}

extension Recipe {
  /// The edit that watches of this recipe make: its identifier and variant.
  var watchName: String { identifier + (variant.map { " (variant '\($0)')" } ?? "") }
}
