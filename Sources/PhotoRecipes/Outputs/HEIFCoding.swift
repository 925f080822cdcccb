import Notation

/// The settings that AVIF and HEIC, two codings in one container, have in common.
public enum HEIFCoding {
  /// Most decoders refuse more.
  static let longestEdge = 16_384
  static let saver = "phbatch_heifsave"

  /// The property that an encoder tries to keep.
  public enum Tune: String, Choice {
    /// Structures, as people see them.
    case ssim
    /// Values, as numbers.
    case psnr
  }

  static func contradiction(lossless: Bool, _ subsampling: ChromaSubsampling) -> Problem? {
    guard lossless, subsampling != .auto, subsampling != .full else { return nil }
    return .contradiction(
      "a lossless file keeps all colour", remedy: "leave 'subsampling' out")
  }
}

/// The resolution of colour against that of brightness.
public enum ChromaSubsampling: String, Choice {
  case auto
  case full = "4:4:4"
  /// Half across.
  case wide = "4:2:2"
  /// Half across and down.
  case half = "4:2:0"

  /// As encoders call it; `isFull` decides for `auto`.
  func name(isFull: Bool) -> String {
    switch self {
    case .auto: isFull ? "444" : "420"
    case .full: "444"
    case .wide: "422"
    case .half: "420"
    }
  }
}

/// Bits a channel of a format that can hold 8, 10 or 12.
public enum DeepBitDepth: String, Choice {
  case auto
  case eight = "8"
  case ten = "10"
  case twelve = "12"

  /// Bits of the samples that the encoder is given: 8 or 16.
  func sampleBits(forSource depth: Int) -> Int {
    switch self {
    case .auto: depth > 8 ? 16 : 8
    case .eight: 8
    case .ten, .twelve: 16
    }
  }

  /// Bits in the file, of samples of 8 or 16.
  func bits(forSamples depth: Int) -> Int {
    switch self {
    case .auto: depth > 8 ? 10 : 8
    case .eight: 8
    case .ten: 10
    case .twelve: 12
    }
  }
}
