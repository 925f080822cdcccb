import PixelKernels

extension VipsRuntime {
  /// A way to code pictures that libheif writes with an encoder of others, if it has one.
  public enum HEIFCoding: String, Sendable {
    case av1, hevc
  }

  /// Whether this machine's libheif has an encoder; libvips need not have been started.
  public static func canEncode(_ coding: HEIFCoding) -> Bool {
    phbatch_can_encode(coding.rawValue) != 0
  }
}
