import Notation

/// One entry in Photos' list of changes to a photo, such as a crop or a white balance.
struct PhotosAdjustment {
  let name: String
  let isEnabled: Bool
  let settings: JSON

  init?(_ json: JSON) {
    guard let name = json["identifier"]?.string else { return nil }
    self.name = name
    isEnabled = json["enabled"]?.bool ?? true
    settings = json["settings"] ?? .object(JSON.Object())
  }

  func number(_ key: String) -> Double? { settings[key]?.number }

  /// The settings that are texts.
  var texts: [(key: String, text: String)] {
    (settings.object?.members ?? []).compactMap { member in
      member.value.string.map { (member.key, $0) }
    }
  }

  /// The settings that are numbers or texts, as text to show.
  var summary: String {
    let members = settings.object?.members ?? []
    let texts = members.compactMap { member -> String? in
      switch member.value.value {
      case .number, .string, .bool: "\(member.key) \(member.value.compactText.prefix(20))"
      case .null, .array, .object: nil
      }
    }
    return texts.isEmpty ? "on" : texts.joined(separator: ", ")
  }

  /// The rank that determines the position of the adjustment's filter in the recipe.
  ///
  /// The order of Photos' list has no meaning.
  var rank: Int {
    let order = [
      "Orientation", "Crop", "CropStraighten", "NoiseReduction", "WhiteBalance", "SmartTone",
      "SmartColor", "Levels", "Curves", "SelectiveColor", "SmartBlackAndWhite", "Definition",
      "Sharpen", "Effect", "Effect3D", "Vignette", "Grain",
    ]
    return order.firstIndex(of: name) ?? order.count
  }
}
