import Notation
import PhotoRecipes

extension PhotosImport {
  /// Converts changes of single colours.
  ///
  /// Photos defines each colour by a sample; phbatch has eight fixed colours.
  mutating func selectiveColour(_ adjustment: PhotosAdjustment) {
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
    let held = draft.add(HSL.self) { $0 = filter }
    draft.approximate(
      adjustment.name, adjustment.summary, HSL.name,
      "each colour's change was assigned to the nearest of phbatch's eight colours" + held)
  }

  private static func nearest(to hue: Double) -> WritableKeyPath<HSL, HSL.Change> {
    let colours: [(Double, WritableKeyPath<HSL, HSL.Change>)] = [
      (0, \.red), (30, \.orange), (60, \.yellow), (120, \.green), (180, \.aqua), (240, \.blue),
      (280, \.purple), (320, \.magenta), (360, \.red),
    ]
    return colours.min { abs($0.0 - hue) < abs($1.0 - hue) }?.1 ?? \.red
  }

  /// The hue in degrees of the HSV colour wheel.
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
}
