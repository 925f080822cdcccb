extension InputFormat {
  /// Packets of 188 bytes, in AVCHD after four more.
  ///
  /// - Source: ISO/IEC 13818-1, 2.4.3.2.
  public static let mts = InputFormat("mts", "an MPEG transport stream", .video, "m2t m2ts mts") {
    ($0.starts([0x47]) && $0.starts([0x47], at: 188) && $0.starts([0x47], at: 376))
      || ($0.starts([0x47], at: 4) && $0.starts([0x47], at: 196) && $0.starts([0x47], at: 388))
  }
}
