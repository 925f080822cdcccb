extension PhotoView {
  /// The visible, unclipped pixels on the skin of all faces.
  private var skin: [SIMD3<Float>] {
    let coverage = FaceMap(.skin).levels(of: faces, in: size)
    return pixels.indices.compactMap { index in
      let isVisible = coverage[index] >= 0.5 && alpha?[index] ?? 1 >= 0.5
      return isVisible && pixels[index].max() < Self.clipped ? pixels[index] : nil
    }
  }

  /// The mean colour of the skin of all faces, in linear light; nil if there is no face.
  var skinLight: ColourMatrix.Vector? {
    let skin = skin
    if skin.isEmpty { return nil }
    let sum = skin.reduce(ColourMatrix.Vector.zero) { $0 + ColourMatrix.Vector($1).decoded }
    return sum / Double(skin.count)
  }

  /// The median of a number for the display-encoded pixels on the skin of all faces; nil if there
  /// is no face.
  func skinMedian(of number: (ColourMatrix.Vector) -> Double) -> Double? {
    let values = skin.map { number(ColourMatrix.Vector($0)) }.sorted()
    return values.isEmpty ? nil : values[values.count / 2]
  }
}
