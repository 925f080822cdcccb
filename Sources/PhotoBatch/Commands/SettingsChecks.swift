import Notation
import PhotoRecipes
import Synchronization

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

  private let known = Mutex<[Question: Result<ForbiddenSettings?, InvalidDocument>]>([:])

  /// The result of `check` for a photo's own settings, of which `new` are being made.
  func forbidden(
    _ own: [Assignment], _ new: [Assignment],
    _ check: () throws(InvalidDocument) -> ForbiddenSettings?
  ) throws(InvalidDocument) -> ForbiddenSettings? {
    let question = Question(own: own.map(\.text), new: new.map(\.text))
    if let result = known.withLock({ $0[question] }) { return try result.get() }
    let result: Result<ForbiddenSettings?, InvalidDocument>
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
