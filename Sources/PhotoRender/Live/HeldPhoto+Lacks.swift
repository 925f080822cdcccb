import PhotoMetadata
import PhotoRecipes

extension HeldPhoto {
  /// The key of faces in the result of `lacks`.
  public static let face = "face"

  /// The data that masks can need and that this photo does not have.
  ///
  /// - Parameter searchesFaces: True to search the photo for faces, which decodes it; otherwise the
  ///   result does not mention faces.
  /// - Returns: A sentence without a full stop for each missing kind of data: for mattes and the depth
  ///   map by the names of `AuxiliaryPicture`, for faces by `face`.
  /// - Throws: `RenderError` if the photo cannot be decoded.
  public func lacks(searchesFaces: Bool) throws(RenderError) -> [String: String] {
    let present = Set(AuxiliaryData.all(in: photo.byteSource).map(\.kind))
    var lacks: [String: String] = [:]
    for picture in AuxiliaryPicture.allCases where !present.contains(picture) {
      lacks[picture.rawValue] = RenderError.missingPicture(picture).message
    }
    guard searchesFaces else { return lacks }
    let context = ExecutionContext(
      photo: photo, header: header, files: files, values: [:], resources: Resources(), monitor: nil)
    let found = try faces.faces(in: context)
    if found.warning != nil {
      lacks[Self.face] = RenderError.missingFaceDetector.message
    } else if found.all.isEmpty {
      lacks[Self.face] = "no face was found in the photo"
    }
    return lacks
  }
}
