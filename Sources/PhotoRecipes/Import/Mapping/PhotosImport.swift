/// The adjustments of Apple's Photos as a recipe.
///
/// Photos' formulas are not published. Ranges are those of its own schema; a slider of the program
/// goes from −1 to 1 in them.
/// - Source: the adjustment schemas that NeutrinoCore describes itself with (macOS 11).
struct PhotosImport {
  private var draft = RecipeDraft()
  private let metadata: JSON?

  static func draft(of file: AdjustmentFile) throws(ForeignFileError) -> RecipeDraft {
    switch try file.payload() {
    case .opaque: throw .unknownEditor(file.formatIdentifier)
    case .propertyList:
      guard file.isFilm else { throw .unknownEditor(file.formatIdentifier) }
      var draft = RecipeDraft()
      draft.drop(
        file.formatIdentifier, file.formatVersion, "an edit of a film, not of a photo")
      return draft
    case .json(let json):
      guard file.isPhotos else { throw .unknownEditor(file.formatIdentifier) }
      guard let adjustments = json["adjustments"]?.array else {
        throw .missing("adjustments", in: "the adjustment data")
      }
      var reader = PhotosImport(metadata: json["metadata"])
      let sorted = adjustments.compactMap(PhotosAdjustment.init).sorted { $0.rank < $1.rank }
      for adjustment in sorted where adjustment.isEnabled { reader.add(adjustment) }
      return reader.draft
    }
  }

  private init(metadata: JSON?) { self.metadata = metadata }

  private static let alike = "Photos' own formula is not known"

  private mutating func add(_ adjustment: PhotosAdjustment) {
    switch adjustment.name {
    case "Orientation": orientation(adjustment)
    case "Crop", "CropStraighten": crop(adjustment)
    case "WhiteBalance": whiteBalance(adjustment)
    case "SmartTone": tone(adjustment)
    case "SmartColor": colour(adjustment)
    case "SmartBlackAndWhite": greys(adjustment)
    case "Levels": levels(adjustment)
    case "Curves": curves(adjustment)
    case "SelectiveColor": selectiveColour(adjustment)
    case "Effect", "Effect3D": look(adjustment)
    case "Definition":
      scale(adjustment, "intensity", 0.5, Clarity.self, \.amount)
    case "NoiseReduction": denoise(adjustment)
    case "Sharpen": sharpen(adjustment)
    case "Vignette": vignette(adjustment)
    case "Grain": grain(adjustment)
    default:
      draft.drop(
        adjustment.name, adjustment.summary, Self.reasons[adjustment.name] ?? Self.other)
    }
  }

  private static let other = "no filter does this"

  private static let reasons: [String: String] = {
    let families = [
      ("Retouch RedEye ApertureRedEye", "phbatch does not retouch"),
      ("DepthEffect PortraitEffect Portrait", "phbatch does not read depth"),
      ("RAW RawNoiseReduction", "this applies to raw data only"),
      (
        "Trim SlowMotion Mute AutoLoop LivePhotoKeyFrame VideoPosterFrame VideoReframe",
        "an edit of a film, not of a photo"
      ),
      ("HighResolutionFusion HighResFusion SourceSelect", "the photo holds one picture only"),
    ]
    var reasons: [String: String] = [:]
    for (names, reason) in families {
      for name in names.split(separator: " ") { reasons[String(name)] = reason }
    }
    return reasons
  }()

  private mutating func scale<F: Filter>(
    _ adjustment: PhotosAdjustment, _ key: String, _ factor: Double, _ type: F.Type,
    _ path: WritableKeyPath<F, Double>
  ) {
    guard let value = adjustment.number(key), value != 0 else { return }
    let held = draft.add(type) { $0[keyPath: path] = value * factor }
    approximate(adjustment, key, value, F.name, Self.alike + held)
  }

  private mutating func approximate(
    _ adjustment: PhotosAdjustment, _ key: String, _ value: Double, _ filter: String,
    _ reason: String = alike
  ) {
    draft.approximate("\(adjustment.name).\(key)", value.short, filter, reason)
  }

  // MARK: Geometry

  /// The photo's orientation and the one it has after the edit.
  private mutating func orientation(_ adjustment: PhotosAdjustment) {
    let before = metadata?["orientation"]?.integer ?? 1
    guard let after = adjustment.settings["value"]?.integer, after != before else { return }
    guard before == 1, let orientation = Orientation(rawValue: after) else {
      return draft.drop(
        adjustment.name, "\(before) to \(after)",
        "a change of an orientation that the camera wrote cannot be told from it")
    }
    let (flip, turns) = orientation.correction
    if flip { draft.add(Flip.self) { _ in } }
    draft.add(Rotate.self) { $0.angle = 90 * turns }
    draft.keep(
      adjustment.name, "\(before) to \(after)", Rotate.name, "the same quarter turns")
  }

  /// A rectangle in pixels of the original, from its lower left corner, as Core Image counts.
  private mutating func crop(_ adjustment: PhotosAdjustment) {
    for key in ["pitch", "yaw"] {
      guard let value = adjustment.number(key), value != 0 else { continue }
      draft.drop(
        "\(adjustment.name).\(key)", value.short,
        "the crop after a change of perspective is not known")
    }
    let angle = adjustment.number("straightenAngle") ?? adjustment.number("angle") ?? 0
    let frame = (
      width: metadata?["masterWidth"]?.number ?? 0, height: metadata?["masterHeight"]?.number ?? 0
    )
    guard let x = adjustment.number("xOrigin"), let y = adjustment.number("yOrigin"),
      let width = adjustment.number("width"), let height = adjustment.number("height"),
      frame.width >= 1, frame.height >= 1, width > 0, height > 0
    else {
      return draft.drop(
        adjustment.name, adjustment.summary, "the size of the original is not in the file"
      )
    }
    let value = "\(x.short) \(y.short) \(width.short) × \(height.short)"
    if angle != 0 {
      draft.add(Straighten.self) { $0.angle = angle }
      return draft.approximate(
        adjustment.name, "\(value), \(angle.short)°", Straighten.name,
        "turned alike; the crop is the largest that fits, not Photos' own")
    }
    var crop = TurnedCrop(
      left: x / frame.width, top: 1 - (y + height) / frame.height, right: (x + width) / frame.width,
      bottom: 1 - y / frame.height, slant: 0, aspect: frame.width / frame.height)
    crop.left = max(0, crop.left)
    crop.top = max(0, crop.top)
    guard crop.isUsable, crop.left < 1, crop.top < 1 else {
      return draft.drop(adjustment.name, value, "the rectangle is outside of the photo")
    }
    crop.append(to: &draft)
    if y == 0, height >= frame.height {
      draft.keep(adjustment.name, value, CropFilter.name, "the same part of the photo")
    } else {
      draft.approximate(
        adjustment.name, value, CropFilter.name,
        "taken to count from the lower edge, as Core Image does")
    }
  }

  // MARK: Light and colour

  private mutating func whiteBalance(_ adjustment: PhotosAdjustment) {
    let mode = adjustment.settings["colorType"]
    switch mode?.string
      ?? ["neutralGray", "faceBalance", "tempTint", "warmTint"][
        safe: mode?.integer ?? 1]
    {
    case "tempTint":
      let temperature = adjustment.number("temperature") ?? 5_000
      let tint = adjustment.number("tint") ?? 0
      guard temperature > 0, temperature != 5_000 || tint != 0 else { return }
      let held = draft.add(WhiteBalance.self) {
        // The same step in mireds from our neutral light as from Photos'.
        $0.temperature = 1e6 / max(1, 1e6 / 6_500 + 1e6 / temperature - 200)
        $0.tint = tint
      }
      approximate(adjustment, "temperature", temperature, WhiteBalance.name, Self.alike + held)
    case "warmTint":
      let warmth = adjustment.number("warmTemp") ?? 0
      let tint = adjustment.number("warmTint") ?? 0
      guard warmth != 0 || tint != 0 else { return }
      let held = draft.add(WhiteBalance.self) {
        $0.temperature = 1e6 / (1e6 / 6_500 - 40 * min(max(warmth, -2), 2))
        $0.tint = 50 * tint
      }
      approximate(adjustment, "warmTemp", warmth, WhiteBalance.name, Self.alike + held)
    case let other:
      draft.drop(
        adjustment.name, other ?? "unknown",
        "it depends on a face or a point that Photos found in the photo")
    }
  }

  private mutating func tone(_ adjustment: PhotosAdjustment) {
    sum(adjustment, ["inputExposure", "offsetExposure"], 1, Exposure.self, \.stops)
    sum(
      adjustment, ["inputLight", "inputLocalLight", "offsetLocalLight"], 1, Light.self, \.amount)
    let highlights = ["inputHighlights", "inputRawHighlights", "offsetHighlights"]
    sum(adjustment, highlights, 1, Highlights.self, \.amount)
    sum(adjustment, ["inputShadows", "offsetShadows"], 1, Shadows.self, \.amount)
    sum(adjustment, ["inputBrightness", "offsetBrightness"], 0.15, Brightness.self, \.amount)
    sum(adjustment, ["inputContrast", "offsetContrast"], 0.5, Contrast.self, \.amount)
    let blacks = ["inputBlack", "inputBlackPoint", "offsetBlack", "offsetBlackPoint"]
    sum(adjustment, blacks, -1, Blacks.self, \.amount)
  }

  private mutating func colour(_ adjustment: PhotosAdjustment) {
    let saturation = ["inputColor", "inputSaturation", "offsetSaturation"]
    sum(adjustment, saturation, 0.6, Saturation.self, \.amount)
    sum(adjustment, ["inputContrast", "offsetContrast"], 0.6, Vibrance.self, \.amount)
    for key in ["inputCast", "offsetCast"] {
      guard let value = adjustment.number(key), value != 0 else { continue }
      draft.drop(
        "\(adjustment.name).\(key)", value.short,
        "it depends on the cast that Photos found in the photo")
    }
  }

  /// A slider is kept in two parts: what Photos chose and what the person added.
  private mutating func sum<F: Filter>(
    _ adjustment: PhotosAdjustment, _ keys: [String], _ factor: Double, _ type: F.Type,
    _ path: WritableKeyPath<F, Double>
  ) {
    let parts = keys.compactMap { key in adjustment.number(key).map { (key, $0) } }
    let used = parts.filter { $0.1 != 0 }
    guard !used.isEmpty else { return }
    let value = used.reduce(0) { $0 + $1.1 }
    let held = draft.add(type) { $0[keyPath: path] = value * factor }
    for (key, value) in used { approximate(adjustment, key, value, F.name, Self.alike + held) }
  }

  private mutating func greys(_ adjustment: PhotosAdjustment) {
    draft.add(BlackAndWhite.self) { _ in }
    let strength = adjustment.number("strength") ?? 0.5
    approximate(adjustment, "strength", strength, BlackAndWhite.name)
    scale(adjustment, "tone", 0.5, Contrast.self, \.amount)
    scale(adjustment, "neutral", 0.15, Brightness.self, \.amount)
    scale(adjustment, "grain", 1, GrainFilter.self, \.amount)
    guard let hue = adjustment.number("hue"), hue != 0 else { return }
    draft.drop(
      "\(adjustment.name).hue", hue.short, "how it weighs the colours is not known")
  }

  /// Five tones from black to white and what they become, for all channels and for each.
  private mutating func levels(_ adjustment: PhotosAdjustment) {
    let tones = [("black", 0.0), ("shadow", 0.25), ("mid", 0.5), ("hilight", 0.75), ("white", 1)]
    let curves = ["RGB", "Red", "Green", "Blue"].map { channel in
      CurvePoints(
        tones.map { tone in
          (
            x: adjustment.number("\(tone.0)Src\(channel)") ?? tone.1,
            y: adjustment.number("\(tone.0)Dst\(channel)") ?? tone.1
          )
        })
    }
    bend(adjustment, curves, "five points joined by our curve; Photos' may bend otherwise")
  }

  private mutating func curves(_ adjustment: PhotosAdjustment) {
    let curves = ["L", "R", "G", "B"].map { channel in
      CurvePoints(
        (adjustment.settings["points\(channel)"]?.array ?? []).compactMap { point in
          guard let x = point["x"]?.number, let y = point["y"]?.number else { return nil }
          return (x, y)
        })
    }
    bend(adjustment, curves, "the same points; beyond white they are left out")
  }

  private mutating func bend(
    _ adjustment: PhotosAdjustment, _ curves: [CurvePoints?], _ reason: String
  ) {
    guard curves.contains(where: { $0 != nil }) else { return }
    draft.add(Curves.self) {
      $0.rgb = curves[0] ?? .identity
      $0.red = curves[1] ?? .identity
      $0.green = curves[2] ?? .identity
      $0.blue = curves[3] ?? .identity
    }
    draft.approximate(adjustment.name, adjustment.summary, Curves.name, reason)
  }

  /// Changes of single colours, each given by a sample; ours are eight fixed ones.
  private mutating func selectiveColour(_ adjustment: PhotosAdjustment) {
    var filter = HSL()
    var isUsed = false
    for correction in adjustment.settings["corrections"]?.array ?? [] {
      func number(_ key: String) -> Double { correction[key]?.number ?? 0 }
      let change = HSL.Change(
        hue: number("hueShift") / 60, saturation: number("saturation") / 100,
        luminance: number("luminance") / 70)
      guard change != HSL.Change() else { continue }
      let colour = (number("red"), number("green"), number("blue"))
      filter[keyPath: Self.nearest(to: Self.hue(colour))] = change
      isUsed = true
    }
    guard isUsed else { return }
    draft.add(HSL.self) { $0 = filter }
    draft.approximate(
      adjustment.name, adjustment.summary, HSL.name,
      "each colour's change went to the nearest of our eight")
  }

  private static func nearest(to hue: Double) -> WritableKeyPath<HSL, HSL.Change> {
    let colours: [(Double, WritableKeyPath<HSL, HSL.Change>)] = [
      (0, \.red), (30, \.orange), (60, \.yellow), (120, \.green), (180, \.aqua), (240, \.blue),
      (280, \.purple), (320, \.magenta), (360, \.red),
    ]
    return colours.min { abs($0.0 - hue) < abs($1.0 - hue) }?.1 ?? \.red
  }

  /// Degrees of the HSV wheel.
  private static func hue(_ colour: (red: Double, green: Double, blue: Double)) -> Double {
    let top = max(colour.red, colour.green, colour.blue)
    let range = top - min(colour.red, colour.green, colour.blue)
    guard range > 0 else { return 0 }
    let sextant =
      if top == colour.red {
        (colour.green - colour.blue) / range
      } else if top == colour.green {
        (colour.blue - colour.red) / range + 2
      } else {
        (colour.red - colour.green) / range + 4
      }
    return sextant < 0 ? 60 * sextant + 360 : 60 * sextant
  }

  // MARK: Looks, detail and effects

  private static let looks: [String: Look] = [
    "Mono": .mono, "Tonal": .tonal, "Noir": .noir, "Fade": .fade, "Chrome": .chrome,
    "Process": .process, "Transfer": .transfer, "Instant": .instant, "3DMono": .mono,
    "3DSilverplate": .tonal, "3DNoir": .noir,
  ]

  private mutating func look(_ adjustment: PhotosAdjustment) {
    let settings = adjustment.settings
    let name = settings["effectName"]?.string ?? settings["kind"]?.string ?? ""
    let intensity =
      adjustment.number("intensity") ?? adjustment.number("effectIntensity") ?? 1
    if let look = Self.looks[name.replacing("CIPhotoEffect", with: "")] {
      draft.add(LookFilter.self) { ($0.look, $0.intensity) = (look, intensity) }
      return draft.approximate(
        adjustment.name, name, LookFilter.name,
        "our own look of that kind; Apple's is not published")
    }
    guard name.hasPrefix("3DVivid") || name.hasPrefix("3DDramatic") else {
      return draft.drop(adjustment.name, name, "a look that is not known")
    }
    let isVivid = name.hasPrefix("3DVivid")
    draft.add(Contrast.self) { $0.amount = (isVivid ? 0.15 : 0.3) * intensity }
    draft.add(Vibrance.self) { $0.amount = (isVivid ? 0.4 : -0.25) * intensity }
    let warmth = name.hasSuffix("Warm") ? 12.0 : name.hasSuffix("Cool") ? -12 : 0
    draft.add(WhiteBalance.self) { $0.temperature = 1e6 / (1e6 / 6_500 - warmth * intensity) }
    draft.approximate(
      adjustment.name, name, Vibrance.name,
      "contrast, vibrance and warmth alike; Apple's look is not published")
  }

  private mutating func denoise(_ adjustment: PhotosAdjustment) {
    guard let radius = adjustment.number("radius"), radius != 0 else { return }
    let edges = adjustment.number("edgeDetail") ?? 1.5
    let held = draft.add(Denoise.self) {
      ($0.luma, $0.chroma, $0.detail) = (radius / 10, radius / 10, edges / 6)
    }
    approximate(adjustment, "radius", radius, Denoise.name, Self.alike + held)
  }

  private mutating func sharpen(_ adjustment: PhotosAdjustment) {
    guard let intensity = adjustment.number("intensity"), intensity != 0 else { return }
    let held = draft.add(Sharpen.self) {
      $0.amount = intensity
      $0.edges = adjustment.number("edges") ?? 1
      $0.falloff = adjustment.number("falloff") ?? 1
    }
    approximate(adjustment, "intensity", intensity, Sharpen.name, Self.alike + held)
  }

  private mutating func vignette(_ adjustment: PhotosAdjustment) {
    guard let intensity = adjustment.number("intensity"), intensity != 0 else { return }
    let held = draft.add(Vignette.self) {
      // Photos' vignette darkens as it grows.
      $0.intensity = -intensity
      $0.radius = adjustment.number("radius") ?? 0.5
      $0.falloff = adjustment.number("falloff") ?? 0.7
    }
    approximate(adjustment, "intensity", intensity, Vignette.name, Self.alike + held)
  }

  private mutating func grain(_ adjustment: PhotosAdjustment) {
    guard let amount = adjustment.number("amount"), amount != 0 else { return }
    let held = draft.add(GrainFilter.self) {
      $0.amount = amount
      $0.size = 1 + (adjustment.number("iso") ?? 800) / 800
      $0.seed = Int(65_535 * min(max(adjustment.number("seed") ?? 0, 0), 1))
    }
    approximate(adjustment, "amount", amount, GrainFilter.name, Self.alike + held)
  }
}

/// One adjustment of Photos' list.
private struct PhotosAdjustment {
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

  /// The settings that are numbers or texts, for a person.
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

  /// The place among the steps: Photos keeps its list in no order that would tell.
  var rank: Int {
    let order = [
      "Orientation", "Crop", "CropStraighten", "NoiseReduction", "WhiteBalance", "SmartTone",
      "SmartColor", "Levels", "Curves", "SelectiveColor", "SmartBlackAndWhite", "Definition",
      "Sharpen", "Effect", "Effect3D", "Vignette", "Grain",
    ]
    return order.firstIndex(of: name) ?? order.count
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
