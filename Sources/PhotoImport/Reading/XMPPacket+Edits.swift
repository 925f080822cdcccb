import Notation

extension XMPPacket {
  /// A program whose edit a packet may contain.
  public enum Editor: Sendable {
    case darktable
    case cameraRaw
  }

  /// The program whose edit in the packet counts; nil if the packet contains no edit.
  ///
  /// darktable keeps the settings of Camera Raw in a file to which it adds its own history.
  public var editor: Editor? {
    hasDarktableHistory ? .darktable : hasCameraRawSettings ? .cameraRaw : nil
  }

  /// True if the packet contains steps of darktable that are active.
  ///
  /// `darktable:history_end` is the number of active steps; 0 means that all steps were undone.
  public var hasDarktableHistory: Bool {
    guard
      let steps = self[XMPNamespace.darktable, "history"]?.array
        ?? self[XMPNamespace.darktable, "history_operation"]?.array, !steps.isEmpty
    else { return false }
    return self[XMPNamespace.darktable, "history_end"]?.text.flatMap { Int($0) } != 0
  }

  /// The version of darktable's format; empty if the file does not state it.
  public var darktableVersion: String { self[XMPNamespace.darktable, "xmp_version"]?.text ?? "" }

  /// True if the packet contains settings of Camera Raw (`crs:HasSettings`).
  public var hasCameraRawSettings: Bool { isTrue("HasSettings") }

  /// True if the settings are a preset, which may be applied to any photo.
  public var isPreset: Bool { self[XMPNamespace.cameraRaw, "PresetType"] != nil }

  /// True if the settings are already applied to the pixels, as in an export.
  public var isAlreadyApplied: Bool { isTrue("AlreadyApplied") }

  /// Camera Raw's process version; empty if the file does not state it.
  public var cameraRawVersion: String {
    self[XMPNamespace.cameraRaw, "ProcessVersion"]?.text ?? ""
  }

  /// The extension, without a dot, of the photo to which this sidecar belongs; nil if the file does
  /// not state it.
  public var sidecarExtension: String? {
    self[XMPNamespace.photoshop, "SidecarForExtension"]?.text
  }

  private func isTrue(_ name: String) -> Bool {
    self[XMPNamespace.cameraRaw, name]?.text?.lowercased() == "true"
  }
}
