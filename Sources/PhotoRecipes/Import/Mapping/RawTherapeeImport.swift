import Foundation

/// A RawTherapee profile as a recipe.
///
/// Steps stand in the order of RawTherapee's pipeline: geometry, exposure, Lab adjustments, detail.
/// Scales are those of the least mean ΔE2000 to what rawtherapee-cli 5.9 makes of a photo, one
/// setting at a time: 0.1 for exposure, 0.6 for chromaticity, 1.3 to 3.2 for the others, but 4.2 for
/// contrasts of −60, and 4.0 for local contrast of 0.5, which no amount of `clarity` comes nearer to.
/// - Source: RawTherapee 5.9, `rtengine/procparams.cc`, for groups, keys and defaults.
struct RawTherapeeImport {
  private var groups: [String: ForeignSettings]
  private var draft = RecipeDraft()

  static func draft(of profile: ProcessingProfile) throws(ForeignFileError) -> RecipeDraft {
    guard profile.hasSettings else { throw .noSettings }
    var reader = RawTherapeeImport(profile)
    reader.geometry()
    reader.whiteBalance()
    reader.exposure()
    reader.lab()
    reader.colour()
    reader.greys()
    reader.detail()
    reader.vignette()
    reader.leftovers()
    return reader.draft
  }

  private init(_ profile: ProcessingProfile) {
    groups = profile.groups.mapValues(ForeignSettings.init)
  }

  private static let alike = "RawTherapee's formula is another"

  /// The settings of a group, if the group is there and not switched off; they then count as used.
  private mutating func take(_ name: String) -> ForeignSettings? {
    guard var group = groups.removeValue(forKey: name) else { return nil }
    guard let enabled = group.take("Enabled") else { return group }
    return enabled.lowercased() == "true" ? group : nil
  }

  private mutating func scale<F: Filter>(
    _ group: String, _ name: String, _ settings: inout ForeignSettings, by factor: SliderScale,
    _ type: F.Type, _ path: WritableKeyPath<F, Double>, _ reason: String = alike
  ) {
    settings.scale(
      name, by: factor, type, path, into: &draft, as: "\(group).\(name)", reason)
  }

  /// What of a group no filter has taken.
  private mutating func drop(_ group: String, _ settings: ForeignSettings, standard: [String]) {
    for (name, value) in settings.rest.sorted(by: { $0.key < $1.key })
    where !value.isNeutralSetting && !standard.contains(name) && !value.isNeutralCurve {
      draft.drop("\(group).\(name)", value, "no filter does this")
    }
  }

  private mutating func geometry() {
    if var coarse = take("Coarse Transformation") {
      let angle = coarse.number("Rotate") ?? 0
      let flips = (coarse.flag("HorizontalFlip"), coarse.flag("VerticalFlip"))
      draft.add(Rotate.self) {
        $0.angle = 90 * Int((angle.truncatingRemainder(dividingBy: 360) / 90).rounded())
      }
      if flips.0 { draft.add(Flip.self) { $0.direction = .horizontal } }
      if flips.1 { draft.add(Flip.self) { $0.direction = .vertical } }
      if angle != 0 || flips.0 || flips.1 {
        draft.keep(
          "Coarse Transformation", "\(angle.short)°, \(flips.0), \(flips.1)", Rotate.name,
          "the same quarter turns")
      }
    }
    if var rotation = take("Rotation"), let angle = rotation.number("Degree"), angle != 0 {
      draft.add(Straighten.self) { $0.angle = -angle }
      draft.approximate(
        "Rotation.Degree", angle.short, Straighten.name,
        "turned alike; what comes out empty is cropped")
    }
    guard var crop = take("Crop") else { return }
    let numbers = ["X", "Y", "W", "H"].map { crop.number($0) ?? -1 }
    guard numbers.allSatisfy({ (0...1e6).contains($0) }), numbers[2] >= 1, numbers[3] >= 1 else {
      return
    }
    draft.add(CropFilter.self) {
      ($0.left, $0.top) = (.pixels(Int(numbers[0])), .pixels(Int(numbers[1])))
      ($0.width, $0.height) = (.pixels(Int(numbers[2])), .pixels(Int(numbers[3])))
    }
    draft.keep(
      "Crop", numbers.map(\.short).joined(separator: " "), CropFilter.name,
      "the same pixels")
  }

  private mutating func whiteBalance() {
    guard var settings = take("White Balance"),
      let mode = settings.take("Setting"), mode != "Camera"
    else { return }
    draft.drop(
      "White Balance", mode,
      "a raw file's white balance counts from the camera's own, which the file does not say")
  }

  private mutating func exposure() {
    guard var settings = take("Exposure") else { return }
    let group = "Exposure"
    let compression = settings.number("HighlightCompr") ?? 0
    _ = (settings.take("HighlightComprThreshold"), settings.take("ShadowCompr"))
    if let stops = settings.number("Compensation"), stops != 0 {
      light(stops, compression: compression)
    }
    black(settings.number("Black") ?? 0)
    if let value = settings.number("Brightness"), value != 0 {
      let held = draft.add(Gamma.self) { $0.gamma = exp2(0.02 * value) }
      draft.approximate("Exposure.Brightness", value.short, Gamma.name, Self.alike + held)
    }
    scale(
      group, "Contrast", &settings, by: SliderScale(0.015, below: 0.025), Contrast.self, \.amount)
    scale(group, "Saturation", &settings, by: 0.01, Saturation.self, \.amount)
    for name in ["Curve", "Curve2"] {
      curve(
        "\(group).\(name)", settings.take(name), "RawTherapee bends its own colour space along it")
    }
    drop(group, settings, standard: ["Clip", "CurveMode", "CurveMode2", "ClampOOG"])
  }

  /// Without compression both are the same gain of linear light.
  private mutating func light(_ stops: Double, compression: Double) {
    let held = draft.add(Exposure.self) { $0.stops = stops }
    guard compression != 0 else {
      return draft.keep(
        "Exposure.Compensation", stops.short, Exposure.name, "the same stops" + held)
    }
    draft.add(Highlights.self) { $0.amount = -compression / 500 }
    draft.approximate(
      "Exposure.Compensation, Exposure.HighlightCompr", "\(stops.short), \(compression.short)",
      Highlights.name, "the same stops; the highlights are compressed by another curve" + held)
  }

  /// 65,535 is white.
  private mutating func black(_ value: Double) {
    guard value != 0 else { return }
    if value > 0 {
      let held = draft.add(Levels.self) { $0.black = value / 30_000 }
      draft.approximate("Exposure.Black", value.short, Levels.name, Self.alike + held)
    } else {
      let held = draft.add(Blacks.self) { $0.amount = -value / 5_000 }
      draft.approximate("Exposure.Black", value.short, Blacks.name, Self.alike + held)
    }
  }

  private mutating func lab() {
    guard var settings = take("Luminance Curve") else { return }
    let group = "Luminance Curve"
    scale(group, "Brightness", &settings, by: 0.005, Brightness.self, \.amount)
    scale(
      group, "Contrast", &settings, by: SliderScale(0.012, below: 0.02), Contrast.self, \.amount)
    scale(group, "Chromaticity", &settings, by: 0.01, Saturation.self, \.amount)
    curve("\(group).LCurve", settings.take("LCurve"), "it bends L*, ours red, green and blue")
    drop(group, settings, standard: ["LCredsk", "AvoidColorShift", "Gamutmunselmethod"])
  }

  private mutating func colour() {
    if var settings = take("Vibrance") {
      scale("Vibrance", "Pastels", &settings, by: 0.016, Vibrance.self, \.amount)
      scale("Vibrance", "Saturated", &settings, by: 0.005, Saturation.self, \.amount)
      drop(
        "Vibrance", settings,
        standard: ["PSThreshold", "ProtectSkins", "AvoidColorShift", "PastSatTog"])
    }
    if var settings = take("RGB Curves") {
      let names = ["rCurve", "gCurve", "bCurve"]
      let written = names.map { settings.take($0) ?? "" }
      let curves = written.map { CurvePoints(profile: $0) }
      if curves.contains(where: { $0 != nil }) {
        draft.add(Curves.self) {
          $0.red = curves[0] ?? .identity
          $0.green = curves[1] ?? .identity
          $0.blue = curves[2] ?? .identity
        }
      }
      for (name, text) in zip(names, written) where !text.isNeutralCurve {
        noteCurve("RGB Curves.\(name)", text, Self.alike)
      }
    }
    guard var settings = take("Channel Mixer") else { return }
    // Per cent, or tenths of it in profiles since version 350.
    let rows = ["Red", "Green", "Blue"].map { settings.numbers($0) ?? [] }
    guard rows.allSatisfy({ $0.count == 3 }) else { return }
    let unit = rows.joined().contains { abs($0) > 200 } ? 1_000.0 : 100
    func mixture(_ row: Int) -> ChannelMixer.Mixture {
      ChannelMixer.Mixture(
        red: rows[row][0] / unit, green: rows[row][1] / unit, blue: rows[row][2] / unit)
    }
    let held = draft.add(ChannelMixer.self) {
      ($0.red, $0.green, $0.blue) = (mixture(0), mixture(1), mixture(2))
    }
    let value = rows.map { $0.map(\.short).joined(separator: " ") }.joined(separator: ", ")
    draft.approximate(
      "Channel Mixer", value, ChannelMixer.name,
      "the same factors, on sRGB's primaries and not the camera's" + held)
  }

  private mutating func greys() {
    guard var settings = take("Black & White") else { return }
    let method = settings.take("Method") ?? "Desaturation"
    let names = ["MixerRed", "MixerGreen", "MixerBlue"]
    let weights = names.map { settings.number($0) ?? 0 }
    let sum = weights.reduce(0, +)
    let usesWeights = method == "ChannelMixer" && sum >= 10
    let held = draft.add(BlackAndWhite.self) {
      guard usesWeights else { return }
      ($0.red, $0.green, $0.blue) = (weights[0] / sum, weights[1] / sum, weights[2] / sum)
    }
    draft.approximate(
      "Black & White", method, BlackAndWhite.name,
      (usesWeights || method == "Desaturation" ? Self.alike : "its weights are not taken over")
        + held)
    let others = ["Orange", "Yellow", "Cyan", "Magenta", "Purple"].map { "Mixer\($0)" }
    drop(
      "Black & White", settings,
      standard: others + [
        "Setting", "Filter", "Algorithm", "ComplementaryColors", "BeforeCurveMode",
        "AfterCurveMode",
      ])
  }

  private mutating func detail() {
    if var settings = take("Shadows & Highlights") {
      let group = "Shadows & Highlights"
      scale(group, "Highlights", &settings, by: -0.012, Highlights.self, \.amount)
      scale(group, "Shadows", &settings, by: 0.01, Shadows.self, \.amount)
    }
    if var settings = take("Dehaze") {
      scale("Dehaze", "Strength", &settings, by: 0.012, Dehaze.self, \.amount)
    }
    if var settings = take("Directional Pyramid Denoising") {
      let luma = settings.number("Luma") ?? 0
      let chroma = settings.number("Chroma") ?? 15
      let detail = settings.number("Ldetail") ?? 50
      let held = draft.add(Denoise.self) {
        ($0.luma, $0.chroma, $0.detail) = (luma / 200, chroma / 200, detail / 100)
      }
      draft.approximate(
        "Directional Pyramid Denoising", "luma \(luma.short), chroma \(chroma.short)",
        Denoise.name, Self.alike + held)
    }
    if var settings = take("Local Contrast") {
      scale("Local Contrast", "Amount", &settings, by: 1.5, Clarity.self, \.amount)
    }
    if var settings = take("SharpenMicro") {
      scale("SharpenMicro", "Strength", &settings, by: 0.01, Texture.self, \.amount)
    }
    guard var settings = take("Sharpening") else { return }
    let method = settings.take("Method") ?? "usm"
    let radius = settings.number("Radius") ?? 0.5
    let amount = settings.number("Amount") ?? 200
    guard method == "usm" else {
      draft.drop("Sharpening", method, "no filter sharpens by deconvolution")
      return
    }
    let held = draft.add(Sharpen.self) { ($0.amount, $0.radius) = (amount / 100, radius) }
    draft.approximate(
      "Sharpening", "\(amount.short), radius \(radius.short)", Sharpen.name,
      Self.alike + held)
  }

  /// `Strength` is in stops at the corners, positive darker.
  private mutating func vignette() {
    guard var settings = take("PCVignette"), let stops = settings.number("Strength"), stops != 0
    else { return }
    let feather = settings.number("Feather") ?? 50
    let held = draft.add(Vignette.self) {
      $0.intensity = exp2(-stops) - 1
      $0.falloff = 0.2 + 0.8 * feather / 100
    }
    draft.approximate(
      "PCVignette.Strength", stops.short, Vignette.name,
      "the same stops in the corners, along another curve" + held)
  }

  private mutating func curve(_ setting: String, _ text: String?, _ reason: String) {
    guard let text, !text.isNeutralCurve else { return }
    if let curve = CurvePoints(profile: text) { draft.add(Curves.self) { $0.rgb = curve } }
    noteCurve(setting, text, reason)
  }

  private mutating func noteCurve(_ setting: String, _ text: String, _ reason: String) {
    if text.first == "2" {
      draft.drop(setting, text, "a parametric curve has no points")
    } else if CurvePoints(profile: text) != nil {
      draft.approximate(setting, text, Curves.name, "the same points; " + reason)
    }
  }

  /// Groups that decode raw data or describe the file, and those that are settings of others.
  private static let silent: Set = [
    "Version", "General", "Exif", "IPTC", "MetaData", "Color Management", "RAW", "RAW Bayer",
    "RAW X-Trans", "RAW Preprocess WB", "HLRecovery", "Common Properties for Transformations",
    "Gamma", "Output Sharpening", "PostDemosaicSharpening", "PostResizeSharpening",
  ]

  /// Groups that are on without saying so, by the key that makes them do something.
  private static let undeclared = [
    "Distortion": "Amount", "CACorrection": "Red", "Vignetting Correction": "Amount",
    "LensProfile": "LcMode",
  ]

  private mutating func leftovers() {
    for (name, group) in groups.sorted(by: { $0.key < $1.key }) where !Self.silent.contains(name) {
      var settings = group
      let isOn: Bool
      if let enabled = settings.take("Enabled") {
        isOn = enabled.lowercased() == "true"
      } else if let key = Self.undeclared[name] {
        isOn = !(settings.take(key) ?? "").isNeutralSetting
      } else {
        isOn = settings.rest.contains { !$0.value.isNeutralSetting && !$0.value.isNeutralCurve }
      }
      if isOn { draft.drop(name, "on", "no filter does this") }
    }
  }
}

extension CurvePoints {
  /// A curve of a profile: its kind, then x and y in turn.
  ///
  /// Kinds 1 and 4 pass through their points; 3 is a quadratic B-spline that they pull, from the
  /// first to the last, and is taken at a few places.
  fileprivate init?(profile text: String) {
    let numbers = text.split(separator: ";").compactMap { Double($0) }
    guard let kind = numbers.first, [1, 3, 4].contains(kind), numbers.count < 200 else {
      return nil
    }
    let values = Array(numbers.dropFirst())
    let pairs = stride(from: 0, to: values.count - 1, by: 2).map { index in
      (x: values[index], y: values[index + 1])
    }
    self.init(kind == 3 ? Self.pulled(by: pairs) : pairs)
  }

  /// Points on Bézier arcs that meet in the middle between two inner points.
  private static func pulled(by points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
    guard points.count > 2 else { return points }
    func middle(_ index: Int) -> (x: Double, y: Double) {
      let (a, b) = (points[index], points[index + 1])
      return ((a.x + b.x) / 2, (a.y + b.y) / 2)
    }
    var curve = [points[0]]
    for index in 1..<points.count - 1 {
      let start = index == 1 ? points[0] : middle(index - 1)
      let end = index == points.count - 2 ? points[index + 1] : middle(index)
      for t in [0.25, 0.5, 0.75, 1] {
        let weights = (a: (1 - t) * (1 - t), b: 2 * t * (1 - t), c: t * t)
        curve.append(
          (
            x: weights.a * start.x + weights.b * points[index].x + weights.c * end.x,
            y: weights.a * start.y + weights.b * points[index].y + weights.c * end.y
          ))
      }
    }
    return curve
  }
}

extension String {
  /// Whether this is a profile's curve that changes nothing.
  fileprivate var isNeutralCurve: Bool {
    let parts = split(separator: ";")
    guard let kind = parts.first else { return true }
    if kind == "0" { return true }
    return contains(";") && kind != "2" && CurvePoints(profile: self) == nil
  }
}
