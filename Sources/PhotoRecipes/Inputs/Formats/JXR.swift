extension InputFormat {
  /// A JPEG XR picture.
  ///
  /// - Source: ITU-T T.832, A.5.
  public static let jxr = InputFormat("jxr", "a JPEG XR picture", .picture, "jxr wdp hdp") {
    $0.starts([0x49, 0x49, 0xBC])
  }
}
