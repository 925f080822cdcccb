import PhotoRecipes

extension StandardProfile {
  /// The space of a profile of linear light with sRGB's curve; nil for a profile with other curves.
  init?(encoding profile: ICCProfile) {
    guard case .matrix(let red, let green, let blue, let toSRGB) = profile,
      [red, green, blue].allSatisfy(Self.isLinear)
    else { return nil }
    let white = Primaries.xyz(Primaries.d65)
    let connection = Self.srgb.xyz50FromRGB.after(toSRGB)
    let matrix = Bradford.adaptation(from: .init(0.9642, 1, 0.8249), to: white).after(connection)
    func point(_ column: Int) -> SIMD2<Double> {
      let xyz = matrix.rows.map { $0[column] }
      return SIMD2(xyz[0], xyz[1]) / xyz.reduce(0, +)
    }
    self.init(
      description: "Linear primaries with sRGB's curve",
      primaries: Primaries(red: point(0), green: point(1), blue: point(2), white: Primaries.d65),
      tone: Self.srgb.tone)
  }

  private static func isLinear(_ curve: Curve) -> Bool {
    stride(from: 0.0, through: 1, by: 0.125).allSatisfy { abs(curve($0) - $0) < 0.0001 }
  }
}
