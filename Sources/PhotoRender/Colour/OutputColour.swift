import PhotoRecipes

/// The colour space of one output: how to get there, and the profile to embed.
struct OutputColour: Sendable, Hashable {
  /// From display-encoded sRGB.
  var fromSRGB: [PointProgram.Instruction]
  var profile: [UInt8]
  /// Whether this is sRGB, which EXIF says in a tag of its own.
  var isSRGB: Bool
  var warning: String?

  init(
    _ output: Output, _ source: SourceColour, _ header: PhotoHeader, files: [String: [UInt8]] = [:]
  ) throws(RenderError) {
    let standard: StandardProfile
    switch output.profile {
    case .srgb: standard = .srgb
    case .displayP3: standard = .displayP3
    case .adobeRGB: standard = .adobeRGB
    case .proPhoto: standard = .proPhoto
    case .preserve:
      if let back = source.fromSRGB, let embedded = header.profile {
        self.init(fromSRGB: back, profile: embedded, isSRGB: back.isEmpty)
        return
      }
      standard = .srgb
      if header.profile != nil {
        warning = "the photo's profile cannot be written to: \(output.name) is sRGB"
      }
    case .file(let file):
      guard let bytes = files[file.path], let back = ICCProfile(bytes)?.fromSRGB else {
        throw .unusableProfile(file.path)
      }
      self.init(fromSRGB: back, profile: bytes, isSRGB: back.isEmpty)
      return
    }
    profile = standard.bytes
    isSRGB = standard == .srgb
    fromSRGB = isSRGB ? [] : ICCProfile(profile)?.fromSRGB ?? []
  }

  private init(fromSRGB: [PointProgram.Instruction], profile: [UInt8], isSRGB: Bool) {
    self.fromSRGB = fromSRGB
    self.profile = profile
    self.isSRGB = isSRGB
  }
}
