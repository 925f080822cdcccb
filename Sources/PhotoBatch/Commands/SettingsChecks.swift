import Notation
import PhotoRecipes
import Synchronization

/// The result of a check of a photo's own settings.
struct CheckedSettings {
  /// The settings by which the photo would need files, or run programs, that the recipe does not
  /// use; nil if there are none.
  let forbidden: ForbiddenSettings?
  /// The recipe with the settings.
  let recipe: Recipe
}

/// The results of checks of photos' own settings, so that equal settings of many photos are checked
/// once.
///
/// All checks are made with one recipe.
final class SettingsChecks: Sendable {
  /// The settings as texts.
  ///
  /// The locations of values are left out, because their hashes take as long as the checks.
  private struct Question: Hashable {
    let own: [String]
    let new: [String]
  }

  /// The maximum number of results that are kept.
  private static let most = 1000

  private let known = Mutex<[Question: Result<CheckedSettings, InvalidDocument>]>([:])

  /// The result of `check` for a photo's own settings, of which `new` are being made.
  func result(
    _ own: [Assignment], _ new: [Assignment],
    _ check: () throws(InvalidDocument) -> CheckedSettings
  ) throws(InvalidDocument) -> CheckedSettings {
    let question = Question(own: own.map(\.text), new: new.map(\.text))
    if let result = known.withLock({ $0[question] }) { return try result.get() }
    let result: Result<CheckedSettings, InvalidDocument>
    do throws(InvalidDocument) { result = .success(try check()) } catch { result = .failure(error) }
    known.withLock { known in
      if known.count < Self.most { known[question] = result }
    }
    return try result.get()
  }
}

extension Assignment {
  fileprivate var text: String { "\(key)=\(value.compactText)" }
}
