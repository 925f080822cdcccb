import PhotoRecipes

extension CameraRawImport {
  /// Converts the colours, or the greys of a black-and-white photo.
  ///
  /// Camera Raw keeps the settings of the other treatment in the file, where they have no effect.
  mutating func colour() {
    let isMonochrome = settings.take("Treatment") == "Monochrome"
    if settings.flag("ConvertToGrayscale") || isMonochrome {
      let coloured = ["Vibrance", "Saturation", "HueAdjustment", "LuminanceAdjustment"]
      settings.ignore { name in coloured.contains { name.hasPrefix($0) } }
      greys()
    } else {
      settings.ignore { $0.hasPrefix("GrayMixer") }
      scale("Vibrance", by: 0.01, Vibrance.self, \.amount)
      scale("Saturation", by: 0.01, Saturation.self, \.amount)
      hsl(["HueAdjustment", "SaturationAdjustment", "LuminanceAdjustment"])
    }
  }

  private static let colours: [(name: String, path: Setting<HSL>.Path<HSL.Change>)] =
    [
      ("Red", \.red), ("Orange", \.orange), ("Yellow", \.yellow), ("Green", \.green),
      ("Aqua", \.aqua), ("Blue", \.blue), ("Purple", \.purple), ("Magenta", \.magenta),
    ]

  /// Converts the hue, saturation and luminance of eight colours.
  ///
  /// phbatch's filter `hsl` has the same eight colours. The exact hues of these colours are taken
  /// from `hsl`, not from Camera Raw.
  private mutating func hsl(_ groups: [String]) {
    var filter = HSL()
    var used: [(name: String, value: Double)] = []
    for colour in Self.colours {
      let values = groups.map { settings.number($0 + colour.name) ?? 0 }
      for (group, value) in zip(groups, values) where value != 0 {
        used.append((group + colour.name, value))
      }
      let amounts = Array(repeating: 0, count: 3 - values.count) + values.map { $0 / 100 }
      filter[keyPath: colour.path] = HSL.Change(
        hue: amounts[0], saturation: amounts[1], luminance: amounts[2])
    }
    guard !used.isEmpty else { return }
    let held = draft.add(HSL.self) { $0 = filter }
    for (name, value) in used {
      draft.approximate(name, value.brief, HSL.name, Self.alike + held)
    }
  }

  /// Converts a black-and-white photo: first sets how bright each colour becomes in grey, then
  /// removes the colour.
  private mutating func greys() {
    hsl(["GrayMixer"])
    draft.add(BlackAndWhite.self) { _ in }
    draft.approximate("ConvertToGrayscale", "True", BlackAndWhite.name, Self.alike)
  }

  mutating func grading() {
    func number(_ name: String) -> Double { settings.number(name) ?? 0 }
    let shadows = (number("SplitToningShadowHue"), number("SplitToningShadowSaturation"))
    let highlights = (number("SplitToningHighlightHue"), number("SplitToningHighlightSaturation"))
    let newShadows = (number("ColorGradeShadowHue"), number("ColorGradeShadowSat"))
    let newHighlights = (number("ColorGradeHighlightHue"), number("ColorGradeHighlightSat"))
    let balance = number("SplitToningBalance") + number("ColorGradeBalance")
    let dark = newShadows.1 != 0 ? newShadows : shadows
    let bright = newHighlights.1 != 0 ? newHighlights : highlights
    if dark.1 != 0 || bright.1 != 0 {
      let held = draft.add(SplitTone.self) {
        ($0.shadowsHue, $0.shadowsSaturation) = (dark.0, dark.1 / 100)
        ($0.highlightsHue, $0.highlightsSaturation) = (bright.0, bright.1 / 100)
        $0.balance = balance / 100
      }
      let value = "\(dark.0.brief)° \(dark.1.brief), \(bright.0.brief)° \(bright.1.brief)"
      draft.approximate("SplitToning", value, SplitTone.name, Self.alike + held)
    }
    let midtones = (number("ColorGradeMidtoneHue"), number("ColorGradeMidtoneSat"))
    let levels = ["Shadow", "Midtone", "Highlight"].map { number("ColorGrade\($0)Lum") / 100 }
    guard midtones.1 != 0 || levels.contains(where: { $0 != 0 }) else { return }
    let held = draft.add(ColourBalance.self) {
      ($0.midtones.hue, $0.midtones.strength) = (midtones.0, midtones.1 / 200)
      ($0.shadows.level, $0.midtones.level) = (levels[0] / 2, levels[1] / 2)
      $0.highlights.level = levels[2] / 2
    }
    let value = "\(midtones.0.brief)° \(midtones.1.brief), \(levels.map(\.brief))"
    draft.approximate("ColorGrade", value, ColourBalance.name, Self.alike + held)
  }
}
