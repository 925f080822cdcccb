import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The error thrown if a library has fewer photos than expected, for example because its disk is
/// not mounted.
public struct TooFewPhotos: CommandError, Hashable {
  let library: FilePath
  /// The number of photos that the scan found in the library.
  let found: Int
  let expected: Expectation

  enum Expectation: Hashable {
    /// The value of `--min-photos`.
    case least(Int)
    /// The number of photos that an earlier run found.
    case earlier(Int)
  }

  public var code: ExitCode { .needsPerson }

  public var message: String {
    switch expected {
    case .least(let least):
      "the library '\(library.displayed)' has \(Self.photos(found)), and --min-photos is \(least)"
    case .earlier(let earlier):
      "the library '\(library.displayed)' has no photos, but an earlier run found"
        + " \(Self.photos(earlier))"
    }
  }

  public var hint: String {
    switch expected {
    case .least: "check that all its folders are mounted, or give a lower --min-photos"
    case .earlier:
      "check that its disk is mounted; if it is empty on purpose, run once with --min-photos 0"
    }
  }

  private static func photos(_ count: Int) -> String {
    count == 1 ? "1 photo" : "\(count) photos"
  }
}

extension LibrarySession {
  /// Throws if the library has fewer photos than `least`.
  ///
  /// If `least` is nil, throws if the library has no photos although the index lists some. However,
  /// a library that still contains sidecars then passes: its disk is mounted, and a user has
  /// removed the photos.
  ///
  /// If the library is read in parts, the function reads parts until it has found enough photos. The
  /// command reads these parts again.
  ///
  /// A command calls this function before it writes or reports anything.
  func checkCount(_ least: Int?) throws(TooFewPhotos) {
    var found = contents.assets.count + (survey?.reportedPhotos ?? 0)
    var hasSidecars = !contents.sidecars.isEmpty
    var rest = survey
    while found < max(least ?? 1, 1), least != nil || root.isMirror || !hasSidecars,
      rest?.hasMoreParts ?? false
    {
      rest?.readNextPart()
      found += rest?.contents.assets.count ?? 0
      hasSidecars = hasSidecars || !(rest?.contents.sidecars.isEmpty ?? true)
    }
    if let least {
      if found >= least { return }
      throw TooFewPhotos(library: root.library.path, found: found, expected: .least(least))
    }
    guard found == 0, root.isMirror || !hasSidecars, contents.problems.isEmpty,
      let earlier = LibraryIndex(of: root)?.photos(where: { reason in
        Reason(rawValue: reason)?.isOfPresentPhoto ?? true
      }), earlier > 0
    else { return }
    throw TooFewPhotos(library: root.library.path, found: 0, expected: .earlier(earlier))
  }
}
