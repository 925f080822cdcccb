import PhotoRecipes

/// The colour space of one output: how to get there, and the profile to embed.
struct OutputColour: Sendable, Hashable {
  /// From display-encoded sRGB.
  let fromSRGB: [PointProgram.Instruction]
  let profile: [UInt8]
  let warning: String?

  /// Whether this is sRGB, which EXIF says in a tag of its own.
  var isSRGB: Bool { fromSRGB.isEmpty }

  /// The colour of one output; a file among `files` that is no matrix profile is `unusableProfile`.
  init(
    _ output: Output, _ source: SourceColour, _ header: PhotoHeader, files: [String: [UInt8]]
  ) throws(RenderError) {
    var warning: String?
    switch (output.profile, source.fromSRGB, header.profile) {
    case (.preserve, let back?, let embedded?): (fromSRGB, profile) = (back, embedded)
    case (.file(let file), _, _):
      guard let bytes = files[file.path], let back = ICCProfile(bytes)?.fromSRGB else {
        throw .unusableProfile(file.path)
      }
      (fromSRGB, profile) = (back, bytes)
    default:
      let standard = Self.standard(output.profile)
      profile = standard.bytes
      fromSRGB = standard == .srgb ? [] : ICCProfile(profile)?.fromSRGB ?? []
      if output.profile == .preserve && header.profile != nil {
        warning = "the photo's profile cannot be written to: '\(output.name)' is sRGB"
      }
    }
    self.warning = warning
  }

  private static func standard(_ profile: OutputProfile) -> StandardProfile {
    switch profile {
    case .displayP3: .displayP3
    case .adobeRGB: .adobeRGB
    case .proPhoto: .proPhoto
    case .srgb, .preserve, .file: .srgb
    }
  }
}
