import Notation
import PhotoBatch
import PhotoLibrary
import SystemPackage

/// An error as the page states it.
///
/// The hints of commands name options of the command line, and assume a run; the page has neither.
struct PageError {
  /// The HTTP status of the response.
  let status: Int
  let message: String
  let hint: String
  /// The values that differ between the recipe's file and the edit, if both have changed.
  private(set) var differences: [RecipeDifference] = []

  init(_ error: any Error) {
    if let partly = error as? OwnNotSaved {
      let reason = PageError(partly.reason)
      (status, hint) = (reason.status, reason.hint)
      message = "the recipe is saved, but not the settings of photos: \(reason.message)"
      return
    }
    status = Self.status(of: error)
    differences = (error as? Refusal)?.differences ?? []
    let known = error as? any UserError
    message =
      Self.isOwnRun(error)
      ? "a run of this studio is in progress" : known?.message ?? "\(error)"
    hint = Self.remedy(for: error) ?? known?.hint ?? ""
  }

  private static func status(of error: any Error) -> Int {
    switch error {
    case let refusal as Refusal: refusal.status
    case is LivePictureFailure: 422
    default:
      switch ExitCode(error) {
      case .locked: 423
      case .invalidRecipe: 422
      case .internalError: 500
      default: 409
      }
    }
  }

  /// True if the studio's own run has the library's lock.
  private static func isOwnRun(_ error: any Error) -> Bool {
    (error as? LibraryLockError)?.holder?.isOfThisProcess == true
  }

  /// What to do in the page; nil to use the error's own hint.
  private static func remedy(for error: any Error) -> String? {
    let stay = "then try again; unsaved changes stay in this page"
    switch error {
    case is LibraryLockError where isOwnRun(error):
      return "wait until it ends, or stop it, \(stay)"
    case is LibraryLockError: return "wait until it ends, \(stay)"
    case let failure as FileSystemError:
      switch failure.errno {
      case .noSpace, .diskQuotaExceeded: return "free some disk space, \(stay)"
      case .readOnlyFileSystem: return "make the file system writable, \(stay)"
      case .permissionDenied, .notPermitted:
        return "change the permissions of the file and its folder, \(stay)"
      default: return nil
      }
    default: return nil
    }
  }
}
