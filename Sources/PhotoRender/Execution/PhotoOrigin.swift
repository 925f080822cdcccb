import PhotoMetadata
public import PhotoRecipes

/// The original of a photo that is itself a rendition.
public struct PhotoOrigin: Sendable {
  private let original: PhotoFile
  private var inputs: InputSettings
  /// The map from positions in the upright original to positions in the photo, both 0…1.
  private let frame: Homography

  /// `inputs` are the formats that may be read.
  public init(_ original: PhotoFile, _ inputs: InputSettings, _ frame: Homography) {
    self.original = original
    self.inputs = inputs
    self.inputs.frames = .first
    self.frame = frame
  }

  /// The faces that the original's metadata mark, in the frame of the photo; empty if the original
  /// cannot be read.
  var markedFaces: [Face] {
    guard let header = try? PhotoHeader(of: original, inputs) else { return [] }
    return original.markedFaces(header).compactMap { $0.moved(by: frame) }
  }
}

extension PhotoFile {
  /// The faces that the file's metadata mark, in the upright photo.
  ///
  /// A mark is a rectangle without a direction: the face in it is upright in the upright photo.
  func markedFaces(_ header: PhotoHeader) -> [Face] {
    let upright = header.orientation.stored.inverse
    return Metadata(of: byteSource).faces.compactMap { $0.moved(by: upright)?.upright }
  }
}
