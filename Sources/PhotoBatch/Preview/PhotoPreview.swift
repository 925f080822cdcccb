public import PhotoRecipes
public import SystemPackage

/// The preview of a recipe's edit of one photo, and the plan behind it.
public struct PhotoPreview: Sendable {
  /// The path from the library's root.
  public var path: FilePath
  /// The planned outcome of a run.
  public var outcome: AssetOutcome
  /// The pictures; nil if no picture is shown.
  public var pictures: Pictures?
  /// The reason why no picture is shown, although the photo could be read.
  public var failure: String?
  /// The image that the recipe starts from; nil for the original.
  public var base: String?
  /// The settings that differ from their filters' defaults.
  public var settings: [Setting] = []

  /// A photo before and after its edit, as JPEG files.
  public struct Pictures: Sendable {
    /// The photo with the edit's geometry, such as its crop, but without the filters that change
    /// pixels.
    public var before: [UInt8]
    public var after: [UInt8]
    /// The size of the upright image that the edit starts from.
    public var photo: Size
    /// The outputs with their full sizes, and JPEG files of the outputs that `after` does not show.
    public var outputs: [(name: String, size: Size, picture: [UInt8]?)]
  }

  public struct Setting: Sendable, Hashable {
    /// The setting's path: `step.setting`, or `output/step.setting` for a setting of one output.
    public var place: String
    public var value: String
    /// The origin of the value, as text.
    public var origin: String
  }

  init(_ outcome: AssetOutcome) {
    path = outcome.path
    self.outcome = outcome
  }
}

/// The previews of one command.
public struct PreviewReport: Sendable {
  /// The previews in the order of the scan.
  public var photos: [PhotoPreview] = []
  /// The number of photos beyond the maximum of one report.
  public var more = 0

  /// The exit code of the planned run, or `assetFailed` if a photo could not be shown.
  public var exitCode: ExitCode {
    var summary = RunSummary()
    for photo in photos { summary.add(photo.outcome) }
    let code = summary.exitCode(reportsDue: false)
    return code == .success && photos.contains { $0.failure != nil } ? .assetFailed : code
  }

  /// The maximum number of photos in one report.
  public static let most = 200
}
