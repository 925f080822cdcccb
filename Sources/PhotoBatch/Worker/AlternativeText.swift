import PhotoLibrary

/// A text for the `alt` attribute of a photo on the web.
enum AlternativeText {
  /// The descriptions that cameras write into every photo, in lower case.
  private static let cameraTexts: Set<String> = [
    "olympus digital camera", "sony dsc", "minolta digital camera",
    "konica minolta digital camera", "kodak digital still camera", "samsung digital camera",
    "samsung camera pictures", "digital camera", "exif_jpeg_picture",
  ]

  /// The text on one line; nil if it is empty or missing, a text that cameras write into every
  /// photo, or a path or name of a photo's file.
  static func describing(_ text: String?) -> String? {
    let words = (text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if words.isEmpty || words.contains("\\") || cameraTexts.contains(words.lowercased()) {
      return nil
    }
    return FileClaim(FileName(words)) == .none ? words : nil
  }
}
