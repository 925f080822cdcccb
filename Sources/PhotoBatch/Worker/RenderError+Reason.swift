import PhotoRecipes
import PhotoRender

extension RenderError {
  /// The reason that reports state for this error.
  var reason: Reason {
    switch self {
    case .unreadable, .unreadableFilm, .missingFrame, .missingPart, .cancelled: .unreadable
    case .unsupported, .unsupportedTIFF, .unsupportedColours, .unsupportedRaw, .unsupportedFilm,
      .missingPreview:
      .unsupportedFormat
    case .truncated: .truncated
    case .tooLargeRaw, .tooManyPixels, .tooManyFrames, .tooManyPreviewFrames, .tooManyBytes,
      .tooManyScans, .outputTooLarge, .tooManyOutputPixels, .tooManyFilePixels:
      .tooLarge
    case .externalFailed: .externalFailed
    case .deniedMetadata: .deniedMetadata
    case .unusableProfile, .unfitProfile, .encodeFailed, .encoderRefused: .encodeFailed
    case .unusableText(let text): text.isBadMarkup ? .unreadable : .tooLarge
    case .unusableTarget, .unwritable: .writeFailed
    case .overBudget: .overBudget
    case .missingFont, .missingLensDatabase, .missingPicture, .missingFaceDetector: .fileMissing
    case .unreadableFile, .unsupportedFile, .unreadableFont, .unreadablePicture, .lostPicture,
      .lostFaces:
      .unreadable
    }
  }
}
