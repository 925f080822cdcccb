public import PhotoRecipes
public import SystemPackage

/// The values of the placeholders of a path.
public struct PathValues: Sendable, Hashable {
  /// Relative to the library.
  public var original: FilePath
  /// That of the output's format, without a dot.
  public var `extension`: String
  public var output: String
  /// The last part of the recipe's identifier.
  public var recipe: String
  /// Nil in the main stack.
  public var variant: String?
  /// When the photo was taken, else when its file was modified, in UTC.
  public var date: CivilTime
  /// Pixels; nil until the rendition is finished, as the two below.
  public var width: Int?
  public var height: Int?
  public var digest: Digest?

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
