/// A named chain of filters.
public enum Look: String, Choice {
  /// Greyscale as through a yellow filter, with slightly more contrast.
  case mono
  /// Greyscale with low contrast and open shadows.
  case tonal
  /// Greyscale with high contrast, as through a red filter.
  case noir
  /// Pale, with lifted blacks, cool shadows and warm highlights.
  case fade
  /// Strong colours and contrast.
  case chrome
  /// Cross-processed film: blue shadows, green midtones, yellow highlights.
  case process
  /// A warm print.
  case transfer
  /// An instant print: pale, with teal shadows and cream highlights.
  case instant

  var filters: [any Filter] {
    switch self {
    case .mono: [grey(0.35, 0.5, 0.15), contrast(0.15)]
    case .tonal: [grey(0.25, 0.6, 0.15), light(0.35), blacks(0.35)]
    case .noir: [grey(0.6, 0.35, 0.05), contrast(0.5), blacks(-0.3), whites(0.2)]
    case .fade: [saturation(-0.3), contrast(-0.15), tone((220, 0.15), (45, 0.12)), blacks(0.7)]
    case .chrome: [vibrance(0.35), saturation(0.1), contrast(0.3), whites(0.15)]
    case .process: [contrast(0.2), balance((220, 0.3), (165, 0.15), (60, 0.3))]
    case .transfer: [saturation(-0.1), balance((350, 0.2), (30, 0.2), (45, 0.25)), blacks(0.25)]
    case .instant: [saturation(-0.25), tone((200, 0.35), (45, 0.45)), blacks(0.5), whites(-0.3)]
    }
  }

  /// A hue of the HSV wheel in degrees, and its strength.
  private typealias Hue = (angle: Double, strength: Double)

  private func grey(_ red: Double, _ green: Double, _ blue: Double) -> BlackAndWhite {
    var filter = BlackAndWhite()
    (filter.red, filter.green, filter.blue) = (red, green, blue)
    return filter
  }

  private func contrast(_ amount: Double) -> Contrast {
    var filter = Contrast()
    filter.amount = amount
    return filter
  }

  private func light(_ amount: Double) -> Light {
    var filter = Light()
    filter.amount = amount
    return filter
  }

  private func whites(_ amount: Double) -> Whites {
    var filter = Whites()
    filter.amount = amount
    return filter
  }

  private func blacks(_ amount: Double) -> Blacks {
    var filter = Blacks()
    filter.amount = amount
    return filter
  }

  private func saturation(_ amount: Double) -> Saturation {
    var filter = Saturation()
    filter.amount = amount
    return filter
  }

  private func vibrance(_ amount: Double) -> Vibrance {
    var filter = Vibrance()
    filter.amount = amount
    return filter
  }

  private func tone(_ shadows: Hue, _ highlights: Hue) -> SplitTone {
    var filter = SplitTone()
    (filter.shadowsHue, filter.shadowsSaturation) = shadows
    (filter.highlightsHue, filter.highlightsSaturation) = highlights
    return filter
  }

  private func balance(_ shadows: Hue, _ midtones: Hue, _ highlights: Hue) -> ColourBalance {
    func change(_ hue: Hue) -> ColourBalance.Change {
      ColourBalance.Change(hue: hue.angle, strength: hue.strength)
    }
    var filter = ColourBalance()
    (filter.shadows, filter.midtones) = (change(shadows), change(midtones))
    filter.highlights = change(highlights)
    return filter
  }
}
