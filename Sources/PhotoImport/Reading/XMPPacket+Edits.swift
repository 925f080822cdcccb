import Notation

extension XMPPacket {
  /// True if it holds steps of darktable that are switched on.
  ///
  /// `darktable:history_end` counts the steps that are; 0 means that all were taken back.
  public var hasDarktableHistory: Bool {
    guard
      let steps = self[XMPNamespace.darktable, "history"]?.array
        ?? self[XMPNamespace.darktable, "history_operation"]?.array, !steps.isEmpty
    else { return false }
    return self[XMPNamespace.darktable, "history_end"]?.text.flatMap { Int($0) } != 0
  }

  /// The version of darktable's format; empty where the file does not say.
  public var darktableVersion: String { self[XMPNamespace.darktable, "xmp_version"]?.text ?? "" }

  /// True if it holds settings of Camera Raw, `crs:HasSettings`.
  public var hasCameraRawSettings: Bool { isTrue("HasSettings") }

  /// True if the settings are for any photo.
  public var isPreset: Bool { self[XMPNamespace.cameraRaw, "PresetType"] != nil }

  /// True if the settings are in the pixels already, as in an export.
  public var isAlreadyApplied: Bool { isTrue("AlreadyApplied") }

  /// Camera Raw's process version; empty where the file does not say.
  public var cameraRawVersion: String {
    self[XMPNamespace.cameraRaw, "ProcessVersion"]?.text ?? ""
  }

  /// The extension of the file that this is the sidecar of, without a dot.
  public var sidecarExtension: String? {
    self[XMPNamespace.photoshop, "SidecarForExtension"]?.text
  }

  private func isTrue(_ name: String) -> Bool {
    self[XMPNamespace.cameraRaw, name]?.text?.lowercased() == "true"
  }
}
