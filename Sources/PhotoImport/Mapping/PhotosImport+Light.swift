import Glibc
import Notation
import PhotoRecipes

extension PhotosImport {
  mutating func whiteBalance(_ adjustment: PhotosAdjustment) {
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
        // Applies the same change in mireds to phbatch's neutral temperature (6500 K) as Photos
        // applies to its own (5000 K).
        $0.temperature = WhiteBalance.temperature(warmerBy: 200 - 1e6 / temperature)
        $0.tint = tint
      }
      approximate(adjustment, "temperature", temperature, WhiteBalance.name, Self.alike + held)
    case "warmTint":
      let warmth = adjustment.number("warmTemp") ?? 0
      let tint = adjustment.number("warmTint") ?? 0
      guard warmth != 0 || tint != 0 else { return }
      let held = draft.add(WhiteBalance.self) {
        $0.temperature = WhiteBalance.temperature(warmerBy: 40 * min(max(warmth, -2), 2))
        $0.tint = 50 * tint
      }
      approximate(adjustment, "warmTemp", warmth, WhiteBalance.name, Self.alike + held)
    case "faceBalance": faceBalance(adjustment)
    case "neutralGray": neutralGrey(adjustment)
    case let other:
      draft.drop(adjustment.name, other ?? "unknown", "unknown kind of white balance")
    }
  }

  /// Converts a white balance that Photos computed from the skin of a detected face.
  ///
  /// Photos stores the difference of the skin from grey, in YIQ, but not the skin's brightness.
  private mutating func faceBalance(_ adjustment: PhotosAdjustment) {
    guard let i = adjustment.number("faceI"), let q = adjustment.number("faceQ") else {
      draft.drop(
        adjustment.name, "faceBalance",
        "the file does not contain the colour of the face that Photos found")
      return
    }
    let strength = adjustment.number("faceStrength") ?? SkinTone().strength
    guard strength != 0 else { return }
    let held = draft.add(SkinTone.self) {
      $0.sample.colour = Colour(luma: 0.6, i: i, q: q)
      $0.strength = strength
      $0.warmth = 2 * (adjustment.number("faceWarmth") ?? 0.5) - 1
    }
    draft.approximate(
      adjustment.name, adjustment.summary, SkinTone.name,
      "the skin colour comes from Photos, its brightness and the target hue from phbatch" + held)
  }

  /// Converts a white balance that makes the colour at a position neutral grey.
  ///
  /// The user picked the position; Photos stores the colour there, in YIQ.
  private mutating func neutralGrey(_ adjustment: PhotosAdjustment) {
    guard let luma = adjustment.number("grayY"), let i = adjustment.number("grayI"),
      let q = adjustment.number("grayQ")
    else {
      draft.drop(
        adjustment.name, "neutralGray",
        "the file does not contain the colour that was picked in Photos")
      return
    }
    let strength = adjustment.number("grayStrength") ?? GreyPoint().strength
    guard strength != 0, luma > 0 else { return }
    let held = draft.add(GreyPoint.self) {
      $0.sample.colour = Colour(luma: luma, i: i, q: q)
      $0.strength = strength
    }
    draft.approximate(
      adjustment.name, adjustment.summary, GreyPoint.name,
      "the grey point comes from Photos, the correction and its warmth from phbatch" + held)
  }

  mutating func tone(_ adjustment: PhotosAdjustment) {
    sum(adjustment, ["inputExposure", "offsetExposure"], 1, Exposure.self, \.stops)
    light(adjustment)
    sum(adjustment, ["inputLocalLight", "offsetLocalLight"], 1, LocalLight.self, \.amount)
    let highlights = ["inputHighlights", "inputRawHighlights", "offsetHighlights"]
    sum(adjustment, highlights, 1, Highlights.self, \.amount)
    sum(adjustment, ["inputShadows", "offsetShadows"], 1, Shadows.self, \.amount)
    sum(adjustment, ["inputBrightness", "offsetBrightness"], 0.15, Brightness.self, \.amount)
    sum(adjustment, ["inputContrast", "offsetContrast"], .contrast(0.5), Contrast.self, \.amount)
    let blacks = ["inputBlack", "inputBlackPoint", "offsetBlack", "offsetBlackPoint"]
    sum(adjustment, blacks, -1, Blacks.self, \.amount)
  }

  /// Converts the slider for the light of the whole photo.
  ///
  /// A value above 0 brightens the middle tones and darkens black: the constants leave the smallest
  /// mean ΔE2000 to a photo that Photos rendered with the value 0.2328. No photo with a value below
  /// 0 was compared.
  private mutating func light(_ adjustment: PhotosAdjustment) {
    guard let value = adjustment.number("inputLight"), value != 0 else { return }
    if value < 0 { return scale(adjustment, "inputLight", 1, Light.self, \.amount) }
    let strength = min(value, 1)
    draft.add(Levels.self) {
      $0.black = 0.2212 * strength
      $0.gamma = exp(1.07 * strength)
      $0.outShadow = 0.25 - 0.0842 * strength
    }
    approximate(
      adjustment, "inputLight", value, Levels.name, "fitted to a photo that Photos rendered")
  }

  /// The colours whose cast Photos strengthens; vivid colours stay.
  private static let nearlyGrey = Mask(
    .colour(Colour(red: 128, green: 128, blue: 128), tolerance: 0.03, feather: 0.04))

  mutating func colour(_ adjustment: PhotosAdjustment) {
    // The factors are fitted to the same photo as the light.
    let colour = adjustment.number("inputColor") ?? 0
    let isStronger = colour > 0
    if isStronger {
      scale(adjustment, "inputColor", 1.394, Vibrance.self, \.amount)
      draft.add(Cast.self, mask: Self.nearlyGrey) { $0.amount = max(-1, -1.2065 * colour) }
      approximate(
        adjustment, "inputColor", colour, Cast.name,
        "Photos also strengthens the cast of nearly grey areas")
    }
    let saturation = (isStronger ? [] : ["inputColor"]) + ["inputSaturation", "offsetSaturation"]
    sum(adjustment, saturation, 0.6, Saturation.self, \.amount)
    sum(adjustment, ["inputContrast", "offsetContrast"], 0.6, Vibrance.self, \.amount)
    sum(adjustment, ["inputCast", "offsetCast"], 1, Cast.self, \.amount)
  }

  /// Converts a slider that Photos stores in two parts: the value that Photos chose, and the user's
  /// change of this value.
  ///
  /// The filter gets the sum.
  private mutating func sum<F: Filter>(
    _ adjustment: PhotosAdjustment, _ keys: [String], _ factor: SliderScale, _ type: F.Type,
    _ path: WritableKeyPath<F, Double>
  ) {
    let parts = keys.compactMap { key in adjustment.number(key).map { (key, $0) } }
    let used = parts.filter { $0.1 != 0 }
    guard !used.isEmpty else { return }
    let value = used.reduce(0) { $0 + $1.1 }
    let held = draft.add(type) { $0[keyPath: path] = factor(value) }
    for (key, value) in used { approximate(adjustment, key, value, F.name, Self.alike + held) }
  }

  mutating func greys(_ adjustment: PhotosAdjustment) {
    let sliders: [(String, SliderScale, WritableKeyPath<BlackAndWhite, Double>)] = [
      ("tone", .contrast(0.5), \.tone), ("neutral", 0.7, \.neutral), ("grain", 1, \.grain),
    ]
    let held = draft.add(BlackAndWhite.self) {
      for (key, factor, path) in sliders { $0[keyPath: path] = factor(adjustment.number(key) ?? 0) }
    }
    let strength = adjustment.number("strength") ?? 0.5
    approximate(adjustment, "strength", strength, BlackAndWhite.name)
    for (key, _, _) in sliders {
      guard let value = adjustment.number(key), value != 0 else { continue }
      approximate(adjustment, key, value, BlackAndWhite.name, Self.alike + held)
    }
    guard let hue = adjustment.number("hue"), hue != 0 else { return }
    draft.drop(
      "\(adjustment.name).hue", hue.short, "how Photos weights the colours is unknown")
  }

  /// Converts levels: five tones from black to white and their new values, for all channels
  /// together and for each channel.
  mutating func levels(_ adjustment: PhotosAdjustment) {
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
    bend(
      adjustment, curves,
      "five points joined by phbatch's curve; the curve of Photos may differ between them")
  }

  mutating func curves(_ adjustment: PhotosAdjustment) {
    let curves = ["L", "R", "G", "B"].map { channel in
      CurvePoints(
        (adjustment.settings["points\(channel)"]?.array ?? []).compactMap { point in
          guard let x = point["x"]?.number, let y = point["y"]?.number else { return nil }
          return (x, y)
        }, upTo: 2)
    }
    bend(
      adjustment, curves,
      "the same points joined by phbatch's curve; the curve of Photos may differ between them")
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
}

extension Colour {
  /// The colour of a display-encoded YIQ value.
  ///
  /// - Source: the inverse of the FCC's equations for NTSC, 47 CFR 73.682 (1953).
  fileprivate init(luma: Double, i: Double, q: Double) {
    func level(_ value: Double) -> UInt8 { UInt8((255 * min(max(value, 0), 1)).rounded()) }
    self.init(
      red: level(luma + 0.956 * i + 0.621 * q), green: level(luma - 0.272 * i - 0.647 * q),
      blue: level(luma - 1.106 * i + 1.703 * q))
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
