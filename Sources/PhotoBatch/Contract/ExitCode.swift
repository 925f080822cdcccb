public import Notation
import PhotoImport
import PhotoLibrary
import PhotoRecipes
import PhotoRender
public import SystemPackage

/// The exit codes of the commands.
public enum ExitCode: Int32, Error, CaseIterable {
  case success = 0
  case workDue = 2
  case assetFailed = 3
  case needsPerson = 4
  case usage = 64
  case invalidRecipe = 65
  case noInput = 66
  case internalError = 70
  case cannotCreate = 73
  case inputOutput = 74
  case locked = 75
  case noPermission = 77
  case hungUp = 129
  case interrupted = 130
  case terminated = 143
}

extension ExitCode {
  /// Selects the exit code for the error that ended a command.
  public init(_ error: any Error) {
    switch error {
    case ColourDecisionExportError.unknownKind: self = .usage
    case is InvalidDocument, is Problem, is MissingEncoder, is PathTemplateError, is GlobError,
      is ForeignFileError, is ColourDecisionExportError:
      self = .invalidRecipe
    case let error as any CommandError: self = error.code
    case is LibraryLockError, is UnfinishedShards: self = .locked
    case is OutputRootError, is UnsafeLocks: self = .noInput
    case let error as FileSystemError where error.lacksFolder: self = .cannotCreate
    case let error as FileSystemError: self = ExitCode(error.errno)
    case let error as PublishingError: self = ExitCode(error)
    case let error as SidecarError:
      self = Reason(error).outcome == .needsPerson ? .needsPerson : .assetFailed
    case ForeignReadError.file(let error): self = ExitCode(error)
    case ForeignReadError.content(let error): self = ExitCode(error)
    case is ScanError, is IgnoreRulesError: self = .noPermission
    case is RecoveryError: self = .internalError
    case RenderError.cancelled, is CancellationError: self = .interrupted
    case RenderError.unwritable(let error): self = ExitCode(Errno(rawValue: error))
    case RenderError.unusableTarget: self = .usage
    case is RenderError, is ExternalFailure, is MissingFaceDetector, is FileChangedError:
      self = .assetFailed
    default: self = .internalError
    }
  }

  private init(_ error: PublishingError) {
    switch error {
    case .failed(let error), .unfinished(let error): self = ExitCode(error.errno)
    case .conflict, .withdrawn: self = .needsPerson
    case .sourceChanged: self = .assetFailed
    }
  }

  /// Selects the exit code for a failed system call.
  public init(_ errno: Errno) {
    switch errno {
    case .noSuchFileOrDirectory, .notDirectory: self = .noInput
    case .permissionDenied, .notPermitted: self = .noPermission
    case .noSpace, .diskQuotaExceeded, .readOnlyFileSystem, .fileTooLarge: self = .cannotCreate
    default: self = .inputOutput
    }
  }
}

extension FileSystemError {
  /// True if the folder in which a file or folder was to be created does not exist.
  fileprivate var lacksFolder: Bool {
    call == .create && [.noSuchFileOrDirectory, .notDirectory].contains(errno)
  }
}

/// An error that ends a command with its own exit code.
public protocol CommandError: UserError {
  var code: ExitCode { get }
}

/// The error of an argument that a function cannot use, such as a negative number.
public struct InvalidArgument: CommandError, Hashable {
  public let message: String
  public let hint: String
  public var code: ExitCode { .usage }

  public init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }
}

/// The error of an input that does not exist, such as a recipe, a library or a photo.
public struct MissingInput: CommandError, Hashable {
  public let message: String
  public let hint: String
  public var code: ExitCode { .noInput }

  public init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }
}
