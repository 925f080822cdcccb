import Notation

/// The settings that are common to AVIF and HEIC, which are two codings in one container.
public enum HEIFCoding {
  /// The longest edge in pixels; most decoders refuse more.
  static let longestEdge = 16_384
  static let saver = "phbatch_heifsave"

  /// The measure of quality that an encoder optimises.
  public enum Tune: String, Choice {
    /// Structural similarity (SSIM), which is close to human perception.
    case ssim
    /// The signal-to-noise ratio of the values (PSNR).
    case psnr
  }

  static func contradiction(lossless: Bool, _ subsampling: ChromaSubsampling) -> Problem? {
    guard lossless, subsampling != .auto, subsampling != .full else { return nil }
    return .contradiction(
      "a lossless file has full colour resolution", remedy: "remove 'subsampling'")
  }
}

/// The resolution of colour relative to the resolution of brightness.
public enum ChromaSubsampling: String, Choice {
  case auto
  case full = "4:4:4"
  /// Half the resolution horizontally.
  case wide = "4:2:2"
  /// Half the resolution horizontally and vertically.
  case half = "4:2:0"

  /// The encoders' name for this value.
  ///
  /// If the value is `auto`, `isFull` selects full resolution.
  func name(isFull: Bool) -> String {
    switch self {
    case .auto: isFull ? "444" : "420"
    case .full: "444"
    case .wide: "422"
    case .half: "420"
    }
  }
}

/// The bits per channel for formats that support 8, 10 or 12 bits.
public enum DeepBitDepth: String, Choice {
  case auto
  case eight = "8"
  case ten = "10"
  case twelve = "12"

  /// The bits per sample in the encoder's input: 8 or 16; `depth` is the number of bits per sample
  /// of the photo.
  func sampleBits(forSource depth: Int) -> Int {
    switch self {
    case .auto: depth > 8 ? 16 : 8
    case .eight: 8
    case .ten, .twelve: 16
    }
  }

  /// The bits per sample in the file; `depth` is the number of bits per sample in the encoder's
  /// input, 8 or 16.
  func bits(forSamples depth: Int) -> Int {
    switch self {
    case .auto: depth > 8 ? 10 : 8
    case .eight: 8
    case .ten: 10
    case .twelve: 12
    }
  }
}
