import PhotoRecipes

extension OutputColour {
  /// A colour space by numbers, which AVIF files tell in a few bytes.
  ///
  /// - Source: ITU-T H.273 (07/2021), tables 2 and 3.
  struct CodePoints: Sendable, Hashable {
    let primaries: Int
    let transfer: Int

    static let srgb = CodePoints(primaries: 1, transfer: 13)

    private init(primaries: Int, transfer: Int) {
      self.primaries = primaries
      self.transfer = transfer
    }

    /// Nil for spaces that have no numbers.
    init?(_ profile: OutputProfile) {
      switch profile {
      case .srgb: self = .srgb
      case .displayP3: self.init(primaries: 12, transfer: 13)
      case .rec2020: self.init(primaries: 9, transfer: 14)
      case .adobeRGB, .proPhoto, .grey, .preserve, .file: return nil
      }
    }
  }
}
