import PhotoRecipes

extension WhiteBalance {
  /// The temperature that makes a photo warmer by a number of mireds than the neutral 6500 K.
  ///
  /// Changes beyond the warmest light give a temperature above the range of the filter.
  static func temperature(warmerBy mireds: Double) -> Double {
    1e6 / max(1, 1e6 / 6_500 - mireds)
  }
}
