import Notation

extension XMPPacket {
  /// The settings that change the photo's look, as one text.
  ///
  /// The text stays the same if only a rating, a label, a title or a date changes. It contains the
  /// properties of darktable and Camera Raw, and the orientation.
  public var settingsText: String {
    Value.structure(properties.filter(\.key.saysHowThePhotoLooks)).json.compactText
  }
}

extension ProcessingProfile {
  /// The settings that change the photo's look, as one text.
  ///
  /// The text stays the same if only the rank, a label or metadata change.
  public var settingsText: String {
    let settings = groups.filter { !Self.descriptive.contains($0.key) }
    let members = settings.map { name, values in
      JSON.Object.Member(
        name, .object(JSON.Object(values.map { JSON.Object.Member($0.key, .string($0.value)) })))
    }
    return JSON.object(JSON.Object(members)).compactText
  }
}

extension MarkupName {
  /// Properties of darktable and Camera Raw that concern the file, not the picture.
  ///
  /// - Source: darktable 4.2, `src/common/exif.cc`.
  private static let silent: Set = [
    "auto_presets_applied", "change_timestamp", "colorlabels", "export_timestamp",
    "import_timestamp", "print_timestamp", "xmp_version", "RawFileName", "Version",
  ]

  fileprivate var saysHowThePhotoLooks: Bool {
    switch namespace {
    case XMPNamespace.darktable: !Self.silent.contains(local) && !local.hasSuffix("_hash")
    case XMPNamespace.cameraRaw: !Self.silent.contains(local)
    case XMPNamespace.tiff: local == "Orientation"
    default: false
    }
  }
}

extension XMPPacket.Value {
  fileprivate var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .array(let items): .array(items.map(\.json))
    case .structure(let members):
      .object(
        JSON.Object(
          members.map { name, value in
            JSON.Object.Member("\(name.namespace)\(name.local)", value.json)
          }))
    }
  }
}
