import Notation
public import PhotoLibrary

/// One reason why a rendition must be written.
public enum Staleness: Sendable, Hashable {
  /// No run of the recipe has made the rendition yet.
  case new
  /// An option requires the rendering; contains the option, such as `--previous replace`.
  case asked(String)
  /// The photo's own settings changed; each change is described as text, such as "exposure.stops
  /// was 0.5, is now 0.7".
  case adjusted([String])
  /// The recipe's settings changed; each change is described as text.
  case recipe([String])
  /// This version of phbatch renders a filter, or the setting `gamut`, differently than the version
  /// that made the rendition. Contains its name, or several names if it is not known which one
  /// changed.
  case filters([String])
  /// The settings digest differs, and no difference of the settings is known.
  case settings
  /// The edit starts from another image than before; nil means the original.
  ///
  /// The names are equal if the image was rendered again or replaced.
  case base(was: RecordedName?, is: RecordedName?)
  /// The original's bytes have changed.
  case original
  /// The rendition's file differs from the record, but phbatch wrote it.
  case superseded
  /// The rendition's file is missing.
  case missing
  /// The rendition's file was changed by hand.
  case modified
  /// An older rendering revision made the rendition, and `--refresh` was given.
  case revision(was: Int, is: Int)
  /// An edit by another program, on which the rendition's edit is stacked, is new or has changed.
  case otherProgram(RecordedName?)
  /// The rendition was rendered from the image of an earlier edit, and this image is rendered
  /// again.
  case below
}

extension Staleness {
  /// The kind of a reason, in the form that scripts use.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case new
    case option
    case adjusted
    case recipeChanged = "recipe-changed"
    case filterRevised = "filter-revised"
    case settingsChanged = "settings-changed"
    case originalReplaced = "original-replaced"
    case superseded
    case renditionMissing = "rendition-missing"
    case renditionModified = "rendition-modified"
    case baseChanged = "base-changed"
    case editBelow = "edit-below"
    case otherProgram = "other-program"
    case rendererRevised = "renderer-revised"
  }

  public var kind: Kind {
    switch self {
    case .new: .new
    case .asked: .option
    case .adjusted: .adjusted
    case .recipe: .recipeChanged
    case .filters: .filterRevised
    case .settings: .settingsChanged
    case .original: .originalReplaced
    case .superseded: .superseded
    case .missing: .renditionMissing
    case .modified: .renditionModified
    case .base: .baseChanged
    case .below: .editBelow
    case .otherProgram: .otherProgram
    case .revision: .rendererRevised
    }
  }
}

extension Staleness: CustomStringConvertible {
  public var description: String {
    switch self {
    case .new: "new"
    case .asked(let option): "\(option) was given"
    case .adjusted(let changes): "adjusted: \(changes.joined(separator: ", "))"
    case .recipe(let changes): "recipe changed: \(changes.joined(separator: ", "))"
    case .filters(let names):
      names.count == 1
        ? "this version of phbatch renders '\(names[0])' differently"
        : "this version of phbatch renders one of these differently: \(names.joined(separator: ", "))"
    case .settings: "the settings changed"
    case .base(let old, let new) where old == new:
      "the edit starts from \(Self.name(new)), which has changed"
    case .base(let old, let new):
      "the edit started from \(Self.name(old)), and now starts from \(Self.name(new))"
    case .original: "original replaced"
    case .superseded: "rendition superseded: phbatch wrote it, but the sidecar records another one"
    case .missing: "rendition missing"
    case .modified: "rendition changed by hand"
    case .revision(let old, let new):
      "the rendition is by revision \(old) of the renderer; the current revision is \(new)"
    case .otherProgram(let file):
      "the edit by another program\(file.map { " in '\($0.displayed)'" } ?? "") is new or changed"
    case .below: "the edit below it is rendered again"
    }
  }

  /// A change of a photo's own setting as text; nil is the recipe's value.
  static func ownChange(_ key: String, from old: JSON?, to new: JSON?) -> String {
    "\(key) was \(old?.compactText ?? "the recipe's"), is now "
      + (new?.compactText ?? "the recipe's")
  }

  private static func name(_ file: RecordedName?) -> String {
    file.map { "'\($0.displayed)'" } ?? "the original"
  }
}

extension Adjustment.Base {
  /// The name of the file that is the base; nil for the original.
  var file: RecordedName? { if case .rendition(let name, _) = self { name } else { nil } }
}

/// A rendition that a run will write, and the reasons.
public struct StaleOutput: Sendable, Hashable, CustomStringConvertible {
  /// The name of the output.
  public let output: String
  /// The identifier of the other recipe whose edit must be rendered again; nil for this recipe.
  public let edit: String?
  public let reasons: [Staleness]

  public var description: String { "\(name): \(sentence)" }

  /// The name of the output, and the recipe's identifier if the edit belongs to another recipe.
  var name: String { edit.map { "\(output) of \($0)" } ?? output }

  var sentence: String { reasons.map(\.description).joined(separator: "; ") }
}

extension [StaleOutput] {
  /// The reasons as text, with one line for all outputs of an edit that have the same reasons.
  var lines: [String] {
    var groups: [[StaleOutput]] = []
    for output in self {
      let index = groups.firstIndex { $0[0].edit == output.edit && $0[0].reasons == output.reasons }
      if let index { groups[index].append(output) } else { groups.append([output]) }
    }
    return groups.map { group in
      let names = group.dropLast().map(\.output) + group.suffix(1).map(\.name)
      return "\(names.joined(separator: ", ")): \(group[0].sentence)"
    }
  }
}
