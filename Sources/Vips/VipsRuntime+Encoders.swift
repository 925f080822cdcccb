import Codecs

extension VipsRuntime {
  /// Whether this machine's libheif has an encoder for HEVC; libvips need not have been started.
  public static var canEncodeHEVC: Bool { phbatch_can_encode_hevc() != 0 }
}
