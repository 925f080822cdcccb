public import Notation
public import PhotoImport
import PhotoRecipes
public import SystemPackage

/// An edit that another program made to a photo, and recorded in a file beside the photo.
///
/// phbatch reads only the name and the date of such an edit; it neither renders nor writes one.
public struct ForeignEdit: Sendable, Hashable {
  public enum Kind: String, Sendable {
    /// An adjustment by Photos, or by an extension of Photos.
    case aae
    case darktable
    /// A sidecar by Lightroom or Camera Raw.
    case cameraRaw = "camera-raw"
    case rawTherapee = "rawtherapee"
  }

  public let kind: Kind
  /// The path of the record, from the library's root.
  public let file: FilePath
  /// The digest of the record's file.
  public let digest: Digest
  /// The identifier of the edit's format in reverse-DNS form.
  ///
  /// Photos writes the identifier into its files. For other programs it is the program's
  /// identifier.
  public let formatIdentifier: String
  /// The version that the file states; empty if the file states none.
  public let formatVersion: String
  /// The edited photo that the program left beside the original, as a path from the library's root;
  /// nil if there is none.
  public let current: FilePath?
  /// The digest of the settings that change the photo's look; nil if they cannot be separated from
  /// the rest of the file.
  public var settings: Digest?
  /// The error if the settings cannot be decoded and only `current` shows the edit; nil otherwise.
  public var flaw: ForeignFileError?
}

/// The content of one companion of a photo.
public enum ForeignFile: Sendable, Hashable {
  case edit(ForeignEdit)
  case companion(FilePath, ForeignCompanionReason)
  case unreadable(FilePath, ForeignReadError)
  /// A file that records an edit, as its name shows, but whose bytes cannot be read; `current` is
  /// the image that the edit made.
  case unreadableAdjustment(FilePath, ForeignReadError, current: FilePath)
}

/// The reason why a file beside a photo is not an edit of that photo.
public enum ForeignCompanionReason: Sendable, Hashable {
  /// `IMG_O1.AAE`: the camera's own edit, which the original already shows.
  case camera
  /// An XMP file with only descriptions, such as ratings and titles.
  case description
  /// Settings that are already applied to the photo's pixels, as Lightroom notes in its exports.
  case alreadyApplied
  /// Settings that a user can apply to any photo and that do not belong to this photo.
  case preset
  /// Settings of a film, not of a photo.
  case film
  /// A file that belongs to another file with the same stem.
  case ofAnother(FileName)
  /// An edited image without a record of the edit: `IMG_E1.JPG` without `IMG_1.AAE`.
  case editedWithoutAdjustment
}

/// The error for another program's sidecar that cannot be read; the photo beside it can.
public enum ForeignReadError: UserError, Hashable {
  case file(FileSystemError)
  case content(ForeignFileError)

  public var message: String {
    switch self {
    case .file(let error): error.message
    case .content(let error): error.message
    }
  }

  public var hint: String {
    switch self {
    case .file(let error): error.hint
    case .content(let error): error.hint
    }
  }
}

extension ForeignEdit {
  /// Creates the adjustment that represents this edit in a stack.
  ///
  /// - Parameters:
  ///   - original: The photo's path, from the library's root.
  ///   - digest: The digest of `current`; nil if there is no such file.
  ///   - date: ISO 8601, UTC.
  /// - Returns: An adjustment without settings, whose base is the original.
  public func adjustment(
    besides original: FilePath, current digest: Digest?, date: String
  ) -> Adjustment {
    var shown: ForeignRecord.Current?
    if let current, let digest {
      shown = ForeignRecord.Current(
        file: RecordedName(current, besides: original), sha256: "\(digest)",
        bytes: Int(digest.count))
    }
    let record = ForeignRecord(
      kind: kind.rawValue, file: RecordedName(file, besides: original),
      sha256: "\(self.digest)", settingsSHA256: settings.map { "\($0)" }, current: shown)
    return Adjustment(
      foreign: record, formatIdentifier: formatIdentifier, formatVersion: formatVersion,
      variant: nil, date: date)
  }
}
