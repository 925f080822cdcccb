import PhotoRecipes

extension CameraRawImport {
  /// Converts the white balance; numbers without a name count as "Custom".
  mutating func whiteBalance() {
    let mode = settings.take("WhiteBalance")
    let warmth = settings.number("IncrementalTemperature")
    let temperature = warmth ?? 0
    let tint = settings.number("IncrementalTint") ?? 0
    let kelvin = (settings.take("Temperature"), settings.take("Tint"))
    if temperature != 0 || tint != 0 {
      let held = draft.add(WhiteBalance.self) {
        $0.temperature = WhiteBalance.temperature(warmerBy: 0.7 * temperature)
        $0.tint = tint
      }
      draft.approximate(
        "IncrementalTemperature, IncrementalTint", "\(temperature), \(tint)", WhiteBalance.name,
        Self.alike + held)
    } else if mode == "As Shot" {
      return
    } else if let value = kelvin.0 {
      cameraLight(value, kelvin.1)
    } else {
      let reason =
        mode == "Auto"
        ? "Camera Raw does not state the light that it has found"
        : "the file does not state the temperature of this light"
      // The custom white balance of a photo that is not raw is incremental.
      if let mode, mode != "Custom" || warmth == nil { draft.drop("WhiteBalance", mode, reason) }
      if let shift = kelvin.1, !shift.isNeutralSetting { draft.drop("Tint", shift, reason) }
    }
  }

  mutating func tone() {
    scale(
      "Exposure2012", by: 1, Exposure.self, \.stops,
      "the same change in stops; Camera Raw also compresses the highlights")
    scale("Contrast2012", by: .contrast(0.006), Contrast.self, \.amount)
    scale("Highlights2012", by: 0.01, Highlights.self, \.amount)
    scale("Shadows2012", by: 0.01, Shadows.self, \.amount)
    scale("Whites2012", by: 0.01, Whites.self, \.amount)
    scale("Blacks2012", by: 0.01, Blacks.self, \.amount)
    earlierTone()
  }

  /// Converts the settings of process versions 1 and 2 (before 2012), which newer ones ignore.
  private mutating func earlierTone() {
    guard isOfEarlierProcess else {
      return settings.ignore {
        [
          "Exposure", "HighlightRecovery", "FillLight", "Shadows", "Brightness", "Contrast",
          "Clarity",
        ].contains($0)
      }
    }
    scale("Exposure", by: 1, Exposure.self, \.stops)
    scale("HighlightRecovery", by: -0.01, Highlights.self, \.amount)
    scale("FillLight", by: 0.01, Shadows.self, \.amount)
    // The defaults of raw photos are a part of Camera Raw's own look.
    let (shadows, brightness, contrast): (Double, Double, Double) =
      isOfRawPhoto ? (5, 50, 25) : (0, 0, 0)
    let reason =
      isOfRawPhoto ? "relative to Camera Raw's default for raw photos; \(Self.alike)" : Self.alike
    scale("Shadows", by: -0.01, from: shadows, Blacks.self, \.amount, reason)
    scale("Brightness", by: 0.002, from: brightness, Brightness.self, \.amount, reason)
    scale("Contrast", by: .contrast(0.006), from: contrast, Contrast.self, \.amount, reason)
  }

  mutating func curves() {
    parametricCurve()
    let suffix = lists.keys.contains { $0.hasPrefix("ToneCurvePV2012") } ? "PV2012" : ""
    let names = ["", "Red", "Green", "Blue"].map { "ToneCurve\(suffix)\($0)" }
    // A raw photo's default in process versions before 2012 is a part of Camera Raw's own look.
    let isStandard =
      isOfRawPhoto && isOfEarlierProcess && settings.rest["ToneCurveName"] == "Medium Contrast"
    let curves = names.map { name in
      isStandard && name == "ToneCurve" ? nil : CurvePoints(points(name))
    }
    for name in names where points(name).count != lists[name]?.array?.count ?? 0 {
      draft.drop(name, "some points", "each point must have two numbers")
    }
    guard curves.contains(where: { $0 != nil }) else { return }
    draft.add(Curves.self) {
      $0.rgb = curves[0] ?? .identity
      $0.red = curves[1] ?? .identity
      $0.green = curves[2] ?? .identity
      $0.blue = curves[3] ?? .identity
    }
    for (name, curve) in zip(names, curves) where curve != nil {
      draft.approximate(
        name, "\(points(name).count) points", Curves.name,
        "the same points; Camera Raw applies the curve in its own wide colour space")
    }
  }

  private func points(_ name: String) -> [(x: Double, y: Double)] {
    (lists[name]?.array ?? []).compactMap { item in
      let parts = item.text?.split(separator: ",") ?? []
      let numbers = parts.compactMap { Double($0.filter { !$0.isWhitespace }) }
      return numbers.count == 2 ? (numbers[0] / 255, numbers[1] / 255) : nil
    }
  }

  /// Converts the parametric curve: four ranges between three splits, each raised or lowered in its
  /// middle.
  private mutating func parametricCurve() {
    let names = ["Shadows", "Darks", "Lights", "Highlights"].map { "Parametric\($0)" }
    let amounts = names.map { settings.number($0) ?? 0 }
    let splits = zip(["Shadow", "Midtone", "Highlight"], [25.0, 50, 75]).map { name, standard in
      (settings.number("Parametric\(name)Split") ?? standard) / 100
    }
    guard amounts.contains(where: { $0 != 0 }) else { return }
    let bounds = [0] + splits + [1]
    var points: [(x: Double, y: Double)] = [(0, 0)]
    for (index, amount) in amounts.enumerated() {
      let x = (bounds[index] + bounds[index + 1]) / 2
      points.append((x, x + 0.0012 * amount))
    }
    points.append((1, 1))
    guard let curve = CurvePoints(points) else { return }
    draft.add(Curves.self) { $0.rgb = curve }
    for (name, amount) in zip(names, amounts) where amount != 0 {
      draft.approximate(name, "\(amount.brief)", Curves.name, Self.alike)
    }
  }
}
