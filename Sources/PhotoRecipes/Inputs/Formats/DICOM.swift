extension InputFormat {
  /// A DICOM picture.
  ///
  /// - Source: DICOM PS3.10, 7.1.
  public static let dicom = InputFormat("dicom", "a DICOM picture", .picture, "dcm") {
    $0.starts("DICM", at: 128)
  }
}
