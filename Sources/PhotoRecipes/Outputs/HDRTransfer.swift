import Notation

/// The coding of light in a rendition for HDR displays, which shows light above white.
public enum HDRTransfer: String, Choice {
  /// The perceptual quantizer, which states light in cd/m², up to 10,000; white is 203 cd/m².
  case pq
  /// Hybrid log-gamma, which displays scale to their own peak; the samples are for a peak of 1,000
  /// cd/m², and white is 203 cd/m².
  case hlg

  static let key = "hdr"
}

extension Output {
  /// The spaces whose primaries a rendition for HDR displays can have; the first is the default.
  static let hdrProfiles = [OutputProfile.rec2020, .displayP3, .srgb]

  /// The bits per sample of the encoder's input, for a photo with `depth` bits per channel: 8 or
  /// 16.
  public func bitDepth(forSource depth: Int) -> Int {
    format.bitDepth(forSource: hdr == nil ? depth : 16)
  }

  /// The profile of an output that states none.
  func usualProfile(_ usual: OutputProfile) -> OutputProfile {
    hdr == nil ? usual : Self.hdrProfiles[0]
  }

  /// Reads the key `hdr`, after all keys to which it may not fit; `formats` are those of a web set,
  /// nil for an ordinary output.
  mutating func readHDR(
    _ field: Field, _ reader: inout ObjectReader, of formats: [any OutputFormat.Type]?
  ) {
    hdr = reader.read(HDRTransfer.key, as: HDRTransfer.kind)
    guard hdr != nil else { return }
    if field["profile"] == nil { profile = usualProfile(profile) }
    let type = Swift.type(of: format)
    guard type.holdsHDR else {
      reader.report(
        .contradiction(
          "phbatch writes no pictures for HDR displays as \(type.name)",
          remedy: Self.remedy(HDRTransfer.key, of: formats) { $0.holdsHDR }),
        HDRTransfer.key)
      return
    }
    func refuse(_ key: String, if isWrong: Bool, _ problem: String, _ remedy: String) {
      if isWrong { reader.report(.contradiction(problem, remedy: remedy), key) }
    }
    refuse(
      "profile", if: !Self.hdrProfiles.contains(profile),
      "pictures for HDR displays are written in rec2020, display-p3 or srgb", "remove 'profile'")
    refuse(
      "bitDepth", if: format.bitDepth(forSource: 16) == 8,
      "light above white needs more than 8 bits", "remove 'bitDepth'")
    refuse(
      GainMapTreatment.key, if: gainMap != nil && gainMap != .drop,
      "a picture for HDR displays has no gain map", "remove 'gainMap' or 'hdr'")
    refuse(
      GamutMapping.key, if: gamut == .perceptual,
      "colours of a picture for HDR displays are clipped to its space", "remove 'gamut'")
    refuse(
      HighlightRolloff.key, if: rolloff != nil,
      "a picture for HDR displays keeps light above white", "remove 'highlights'")
  }
}
