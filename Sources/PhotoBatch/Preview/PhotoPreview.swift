public import PhotoRecipes
public import SystemPackage

/// A preview of one photo's edit by a recipe, with the plan of a run for this photo.
public struct PhotoPreview: Sendable {
  /// The path from the library's root.
  public var path: FilePath
  /// The outcome that a run would have for the photo.
  public var outcome: AssetOutcome
  /// The pictures; nil if no picture is shown.
  public var pictures: Pictures?
  /// The reason why the pictures could not be rendered, although the photo could be planned; nil
  /// otherwise.
  public var failure: String?
  /// The name of the rendition that the recipe starts from; nil if it starts from the original.
  public var base: String?
  /// The settings whose values are not the filters' defaults.
  public var settings: [Setting] = []

  /// A photo before and after its edit, as JPEG files.
  public struct Pictures: Sendable {
    /// The photo with the edit's geometry, such as its crop, but without filters that change pixel
    /// values.
    public var before: [UInt8]
    public var after: [UInt8]
    /// The size, in pixels after orientation, of the image that the edit starts from.
    public var photo: Size
    /// The names and full sizes of the outputs, with a JPEG file of each output that `after` does
    /// not show.
    public var outputs: [(name: String, size: Size, picture: [UInt8]?)]
  }

  public struct Setting: Sendable, Hashable {
    /// The setting's path: `step.setting`, or `output/step.setting` for a setting of one output.
    public var place: String
    public var value: String
    /// The source of the value, such as the name of a recipe file.
    public var origin: String
  }

  init(_ outcome: AssetOutcome) {
    path = outcome.path
    self.outcome = outcome
  }
}

/// The previews of one command.
public struct PreviewReport: Sendable {
  /// The previews of the photos, in the order in which the library was scanned.
  public var photos: [PhotoPreview] = []
  /// The number of selected photos without a preview, because the report has its maximum size.
  public var more = 0

  /// The exit code that a run would have, or `assetFailed` if a preview could not be rendered.
  public var exitCode: ExitCode {
    var summary = RunSummary()
    for photo in photos { summary.add(photo.outcome) }
    let code = summary.exitCode(reportsDue: false)
    return code == .success && photos.contains { $0.failure != nil } ? .assetFailed : code
  }

  /// The maximum number of photos in one report.
  public static let most = 200
}
