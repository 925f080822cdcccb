/// Bradford's chromatic adaptation.
public enum Bradford {
  static let cones = ColourMatrix(
    .init(0.8951, 0.2664, -0.1614), .init(-0.7502, 1.7135, 0.0367), .init(0.0389, -0.0685, 1.0296))

  /// The matrix that adapts XYZ under one white to XYZ under another white.
  public static func adaptation(
    from source: ColourMatrix.Vector, to destination: ColourMatrix.Vector
  ) -> ColourMatrix {
    let gains = cones(destination) / cones(source)
    return (cones.inverse ?? .identity).after(.diagonal(gains)).after(cones)
  }
}
