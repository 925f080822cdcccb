extension InputFormat {
  /// Films that only their names tell.
  public static let video = InputFormat("video", "a film", .video, "dv mxf ogv r3d") { _ in false }
}
