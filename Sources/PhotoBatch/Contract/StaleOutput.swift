public import PhotoLibrary

/// A rendition that a run will write, and the reasons.
public struct StaleOutput: Sendable, Hashable, CustomStringConvertible {
  /// The name of the output.
  public let output: String
  /// The identifier of the other recipe whose edit must be rendered again; nil for this recipe.
  public let edit: String?
  public let reasons: [Staleness]

  public var description: String {
    let name = edit.map { "\(output) of \($0)" } ?? output
    return "\(name): \(reasons.map(\.description).joined(separator: "; "))"
  }
}

/// One reason why a rendition must be written.
public enum Staleness: Sendable, Hashable, CustomStringConvertible {
  /// No run of the recipe has made the rendition yet.
  case new
  /// An option requires the rendering: `--previous replace`.
  case asked(String)
  /// The settings changed, as text: "exposure.stops was 0.5, is 0.7".
  case settings([String])
  /// The edit starts from another image than before; nil stands for the original.
  case base(was: RecordedName?, is: RecordedName?)
  /// The original's bytes have changed.
  case original
  /// The rendition's file is missing.
  case missing
  /// The rendition's file was changed by hand.
  case modified
  /// An older rendering revision made the rendition, and `--refresh` was given.
  case revision(was: Int, is: Int)
  /// An edit by another program, below the rendition's edit, is new or has changed.
  case otherProgram(RecordedName?)
  /// An edit below the rendition's edit is rendered again.
  case below

  public var description: String {
    switch self {
    case .new: "the recipe has not rendered it yet"
    case .asked(let option): "\(option) was given"
    case .settings(let changes):
      changes.isEmpty ? "the settings changed" : changes.joined(separator: ", ")
    case .base(let old, let new):
      "it started from \(Self.name(old)), and now starts from \(Self.name(new))"
    case .original: "the content of the original changed"
    case .missing: "its file is missing"
    case .modified: "its file was changed by hand"
    case .revision(let old, let new):
      "it was rendered by revision \(old) of the renderer, the current revision is \(new)"
    case .otherProgram(let file):
      "the edit by another program\(file.map { " in '\($0.displayed)'" } ?? "") is new or changed"
    case .below: "the edit below it is rendered again"
    }
  }

  private static func name(_ file: RecordedName?) -> String {
    file.map { "'\($0.displayed)'" } ?? "the original"
  }
}

extension Adjustment.Base {
  /// The name of the file that is the base; nil for the original.
  var file: RecordedName? { if case .rendition(let name, _) = self { name } else { nil } }
}
