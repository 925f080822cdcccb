import PhotoRecipes

/// What a piece of metadata is about.
enum MetadataKind: Sendable, Hashable {
  /// How the picture is stored, or where things stand in it: a rendition has its own.
  case structure
  case group(MetadataGroup)
}

extension EXIF {
  /// Whether there are only tags of how the picture is stored.
  var saysNothing: Bool {
    Directory.allCases.allSatisfy { directory in
      self[directory].allSatisfy { Self.kind(of: $0.tag, in: directory) == .structure }
    }
  }

  /// What a tag is about.
  ///
  /// - Source: CIPA DC-008-2023 (Exif 3.0), tables 4 to 16; ExifTool 12.57 for tags of others.
  static func kind(of tag: UInt16, in directory: Directory) -> MetadataKind {
    switch directory {
    case .gps: return .group(.gps)
    // Which standard the colours follow: not that of the rendition.
    case .interoperability: return .structure
    case .primary, .photo: break
    }
    if directory == .primary && isStructure(tag) { return .structure }
    return structure.contains(tag) ? .structure : .group(groups[tag] ?? .other)
  }

  /// Orientation, resolution, pixels, colour space; places in the picture; offsets.
  private static let structure: Set<UInt16> = [
    0x0100, 0x0101, 0x0112, 0x011A, 0x011B, 0x0128, 0x0201, 0x0202, 0x0213, 0x9000, 0x9101, 0x9102,
    0x9214, 0xA000, 0xA001, 0xA002, 0xA003, 0xA004, 0xA20E, 0xA20F, 0xA210, 0xA214, 0xA500, 0xEA1C,
    0xEA1D,
  ]

  private static let groups: [UInt16: MetadataGroup] = {
    let lists: KeyValuePairs<MetadataGroup, [UInt16]> = [
      .copyright: [0x8298],
      .creator: [0x013B, 0x9C9D, 0xA437, 0xA438, 0xA439],
      .title: [0x9C9B, 0x010D, 0x011D, 0xA436],
      .description: [0x010E, 0x9C9F],
      .keywords: [0x9C9E],
      .rating: [0x4746, 0x4749],
      .date: [
        0x0132, 0x882A, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9290, 0x9291, 0x9292, 0xC71B,
      ],
      .camera: [0x010F, 0x0110, 0xC614],
      .lens: [0xA432, 0xA433, 0xA434],
      .serials: [0xA420, 0xA430, 0xA431, 0xA435, 0xC62F],
      .makerNote: [0x927C, 0xC634],
      .comment: [0x9286, 0x9C9C],
      .software: [0x000B, 0x0131, 0x013C, 0xA43A, 0xA43B, 0xA43C],
      .exposure: [
        0x829A, 0x829D, 0x8822, 0x8824, 0x8827, 0x8828, 0x8830, 0x8831, 0x8832, 0x8833, 0x8834,
        0x8835, 0x9201, 0x9202, 0x9203, 0x9204, 0x9205, 0x9206, 0x9207, 0x9208, 0x9209, 0x920A,
        0x9400, 0x9401, 0x9402, 0x9403, 0x9404, 0x9405, 0xA20B, 0xA20C, 0xA215, 0xA217, 0xA300,
        0xA301, 0xA302, 0xA401, 0xA402, 0xA403, 0xA404, 0xA405, 0xA406, 0xA407, 0xA408, 0xA409,
        0xA40A, 0xA40B, 0xA40C, 0xA460, 0xA461, 0xA462,
      ],
    ]
    var groups: [UInt16: MetadataGroup] = [:]
    for (group, tags) in lists { for tag in tags { groups[tag] = group } }
    return groups
  }()
}
