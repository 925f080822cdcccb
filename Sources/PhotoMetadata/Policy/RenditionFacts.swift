/// What metadata must say of the rendition it is put into.
public struct RenditionFacts: Sendable, Hashable {
  public var width: Int
  public var height: Int
  public var isSRGB: Bool
  /// Pixels an inch that the output asks for.
  public var dpi: Double?
  /// Whether the frame is the original's, perhaps in another size: places in it still hold.
  public var keepsFrame: Bool
  /// The program and its version.
  public var software: String
  /// The recipe's identifier and version.
  public var recipe: String
  /// The file name of what it was made from.
  public var original: String?

  public init(
    width: Int, height: Int, isSRGB: Bool, dpi: Double? = nil, keepsFrame: Bool = false,
    software: String = "phbatch", recipe: String = "", original: String? = nil
  ) {
    self.width = width
    self.height = height
    self.isSRGB = isSRGB
    self.dpi = dpi
    self.keepsFrame = keepsFrame
    self.software = software
    self.recipe = recipe
    self.original = original
  }
}
