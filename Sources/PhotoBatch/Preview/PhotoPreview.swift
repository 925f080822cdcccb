public import PhotoRecipes
public import SystemPackage

/// What a recipe would make of one photo, and why.
public struct PhotoPreview: Sendable {
  /// From the library's root.
  public var path: FilePath
  /// What a run would do.
  public var outcome: AssetOutcome
  /// Nil where there is nothing to show.
  public var pictures: Pictures?
  /// Why there is nothing to show, though the photo could be read.
  public var failure: String?
  /// What the recipe starts from, if that is not the original.
  public var base: String?
  /// The settings that differ from their filters' defaults.
  public var settings: [Setting] = []

  /// A photo before and after its edit, as JPEG files.
  public struct Pictures: Sendable {
    /// The frame of the edited photo, without what filters did to its pixels.
    public var before: [UInt8]
    public var after: [UInt8]
    /// What the edit starts from, upright.
    public var photo: Size
    /// What a run would make, full size, with JPEG files of those that `after` does not show.
    public var outputs: [(name: String, size: Size, picture: [UInt8]?)]
  }

  public struct Setting: Sendable, Hashable {
    /// `step.setting`, after the name of the output and a slash where it is one's own.
    public var place: String
    public var value: String
    /// Where the value comes from, in words.
    public var origin: String
  }

  init(_ outcome: AssetOutcome) {
    path = outcome.path
    self.outcome = outcome
  }
}

/// The previews of one command.
public struct PreviewReport: Sendable {
  /// In the order of the scan.
  public var photos: [PhotoPreview] = []
  /// Photos beyond the most that one report shows.
  public var more = 0

  /// What the command exits with: as a run would, but for a photo that could not be shown.
  public var exitCode: ExitCode {
    var summary = RunSummary()
    for photo in photos { summary.add(photo.outcome) }
    let code = summary.exitCode(reportsDue: false)
    return code == .success && photos.contains { $0.failure != nil } ? .assetFailed : code
  }

  /// The most photos in one report.
  public static let most = 200
}
