import Glibc
import PhotoMetadata
import PhotoRecipes

extension PhotoHeader {
  /// The header with the description of the photo's gain map, if outputs for HDR displays need it,
  /// and if its gains are for the photo's own colours.
  func withGains(of photo: PhotoFile, for outputs: [Output]) -> PhotoHeader {
    // A numbered picture may be another one than that to which the map belongs.
    if case .number = inputs.frames { return self }
    let isNeeded = outputs.contains { $0.hdr != nil || $0.rebuildsGainMap }
    guard isNeeded, raw == nil, dynamicRange == nil,
      let map = GainMap(of: photo.byteSource),
      // Gains in other colours than the photo's would give wrong colours.
      map.description.usesBaseColours
    else { return self }
    var header = self
    header.gains = map
    header.gains?.picture = []
    return header
  }
}

extension GainMap {
  /// The instructions that apply the gains of the map, which are image 0 of the program, to linear
  /// light of the photo's colours.
  ///
  /// - Source: ISO 21496-1:2025.
  var program: [PointProgram.Instruction] {
    func vector(_ value: (GainMapDescription.Channel) -> Double) -> ColourMatrix.Vector {
      let channels = description.channels
      return .init(
        value(channels[0]), value(channels[min(1, channels.count - 1)]),
        value(channels[channels.count - 1]))
    }
    let one = ColourMatrix.Vector(repeating: 1)
    let curves = description.channels.map(curve)
    return [
      .matrix(.diagonal(one, offset: vector(\.baseOffset))), .save, .layer(0),
      .channels(
        red: [curves[0]], green: [curves[min(1, curves.count - 1)]],
        blue: [curves[curves.count - 1]]),
      .multiply, .matrix(.diagonal(one, offset: -vector(\.alternateOffset))),
    ]
  }

  /// The curve from the samples of a channel to its gains.
  private func curve(_ channel: GainMapDescription.Channel) -> Curve {
    let count = 4_096
    return .sampled(
      (0...count).map { index in
        let level = described(Double(index) / Double(count))
        let part = pow(min(1, max(0, level)), 1 / channel.gamma)
        return exp2(channel.minimum + (channel.maximum - channel.minimum) * part)
      })
  }
}
