import Notation

/// The treatment of a photo's mattes and depth map.
public enum AuxiliaryTreatment: String, Choice {
  /// Crops, rotates and resizes them like the photo.
  case keep
  /// Leaves them out.
  case drop

  static let key = "auxiliary"
}

extension Output {
  /// True if the rendition gets the photo's mattes and depth map: if its format has a place for
  /// them, and if the recipe says so or the rendition keeps the photo's metadata.
  public var keepsAuxiliaries: Bool {
    let usual: AuxiliaryTreatment = [.all, .archive].contains(metadata.preset) ? .keep : .drop
    return type(of: format).holdsAuxiliaries && (auxiliary ?? usual) == .keep
  }
}
