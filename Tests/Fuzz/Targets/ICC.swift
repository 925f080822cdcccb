import PhotoRender

extension FuzzTarget {
  /// The header, the table of tags, and the curves and matrices of an ICC profile.
  static let icc = FuzzTarget("icc") { bytes in
    guard let profile = ICCProfile(bytes) else { return }
    _ = profile.toSRGB
    _ = profile.fromSRGB
  }
}
