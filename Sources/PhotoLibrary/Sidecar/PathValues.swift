public import PhotoRecipes
public import SystemPackage

/// The values of the placeholders of a path template.
public struct PathValues: Sendable, Hashable {
  /// The path of the original, relative to the library.
  public var original: FilePath
  /// The extension of the output's format, without a dot.
  public var `extension`: String
  public var output: String
  /// The last part of the recipe's identifier.
  public var recipe: String
  /// The name of the stack; nil for the main stack.
  public var variant: String?
  /// The time of capture; if it is unknown, the time at which the file was modified, in UTC.
  public var date: CivilTime
  /// The width in pixels; nil until the rendition is finished, like the next two properties.
  public var width: Int?
  public var height: Int?
  public var digest: Digest?
  /// True for the film beside the rendition, which has the same path but for the extension.
  public var isFilm = false

  public init(
    original: FilePath, extension: String, output: String, recipe: String, variant: String? = nil,
    date: CivilTime, width: Int? = nil, height: Int? = nil, digest: Digest? = nil
  ) {
    self.original = original
    self.extension = `extension`
    self.output = output
    self.recipe = recipe
    self.variant = variant
    self.date = date
    self.width = width
    self.height = height
    self.digest = digest
  }
}
