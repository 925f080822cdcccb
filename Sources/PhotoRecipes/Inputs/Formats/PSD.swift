extension InputFormat {
  /// A Photoshop document.
  ///
  /// - Source: Adobe Photoshop File Formats Specification, 2019.
  public static let psd = InputFormat("psd", "a Photoshop document", .picture, "psd psb") {
    $0.starts("8BPS")
  }
}
