public import PhotoImport
import PhotoRecipes
public import SystemPackage

/// An edit that another program made to a photo, as it lies beside it.
///
/// Only what names and dates it is taken from it: phbatch renders no foreign edit and writes none.
public struct ForeignEdit: Sendable, Hashable {
  public enum Kind: String, Sendable {
    /// Photos', or an extension's of it.
    case aae
    case darktable
    /// Lightroom's and Camera Raw's.
    case cameraRaw = "camera-raw"
    case rawTherapee = "rawtherapee"
  }

  public let kind: Kind
  /// From the library's root.
  public let file: FilePath
  /// The digest of the file.
  public let digest: Digest
  /// Reverse-DNS; Photos' files say it, for the others it is their program's.
  public let formatIdentifier: String
  /// As the file says it; empty where it does not.
  public let formatVersion: String
  /// The photo as edited, where the program left it beside the original; from the library's root.
  public let current: FilePath?
  /// The digest of the settings that change the photo's look; nil if the file does not tell them
  /// apart.
  public var settings: Digest?
  /// Why the settings are illegible, where the image shows the edit all the same.
  public var flaw: ForeignFileError?
}

/// The content of one companion of a photo.
public enum ForeignFile: Sendable, Hashable {
  case edit(ForeignEdit)
  case companion(FilePath, ForeignCompanionReason)
  case unreadable(FilePath, ForeignReadError)
  /// A record of an edit by its name, whose bytes cannot be had, with the image of that edit.
  case unreadableAdjustment(FilePath, ForeignReadError, current: FilePath)
}

/// Why a file beside a photo is no edit of it.
public enum ForeignCompanionReason: Sendable, Hashable {
  /// `IMG_O1.AAE`: what the camera did, which the original already shows.
  case camera
  /// Ratings, titles and the like.
  case description
  /// The settings that made this very photo: an export of Lightroom says so.
  case alreadyApplied
  /// Settings for any photo, not of this one.
  case preset
  /// Settings of a film.
  case film
  /// It belongs to another file of the same stem.
  case ofAnother(FileName)
  /// `IMG_E1.JPG` without `IMG_1.AAE`.
  case editedWithoutAdjustment
}
