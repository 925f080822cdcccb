/// The picture for which a look is computed.
struct LookUse: Sendable, Hashable {
  /// True for pictures for HDR displays.
  var isHDR = false
  /// The factor by which the steps before the look multiply the scene's light.
  var gain = 1.0
}

/// The tone curve of a look, which is applied to each channel.
struct LookTone: Sendable, Hashable {
  /// The rising values of the picture at even steps of the scene's values 0…`reach`, the first of
  /// which is 0; all are display-encoded.
  let samples: [Double]
  let reach: Double

  /// The number of steps of the curve between the two ways to brighten a photo.
  private static let steps = 1024
  /// The display-encoded values of a channel between which its darkness falls from 1 to 0.
  ///
  /// The darkness of a colour is the product of that of its channels.
  private static let (dark, bright) = (0.25, 0.95)
  /// The least gain that counts as brightening.
  private static let least = 1.005

  /// The curve, odd-symmetric about 0: colours outside sRGB have negative values and stay outside.
  private var curves: [Curve] {
    let mirrored = samples.dropFirst().reversed().map { -$0 }
    return [.linear(slope: 0.5 / reach, offset: 0.5), .sampled(mirrored + samples)]
  }

  /// The look as a program, with a factor by which the distance of each channel from the luma is
  /// multiplied.
  func program(_ use: LookUse, saturation: Double = 1) -> PointProgram {
    let tone = use.isHDR ? unlimited : self
    let colours: [PointProgram.Instruction] =
      saturation == 1 ? [] : [.matrix(.saturation(saturation))]
    let unedited = [.same(tone.curves)] + colours
    var program = PointProgram(
      use.gain > Self.least ? tone.brightened(by: use.gain) + colours : unedited)
    program.unedited = unedited
    if use.gain > Self.least {
      program.brightestInput = Curve.encode(use.gain * Curve.decode(reach))
    }
    return program
  }

  /// The curve with light above its knee in proportion to the scene's light.
  ///
  /// The knee is where the picture's light is half of white; above it the curve of a picture for
  /// standard displays gets flatter. In proportion to linear light is a straight line of encoded
  /// values.
  private var unlimited: LookTone {
    let (middle, offset) = (Curve.encode(0.5), 0.055)
    guard let knee = samples.firstIndex(where: { $0 >= middle }), knee > 0 else { return self }
    let step = reach / Double(samples.count - 1)
    let slope = (samples[knee] + offset) / (Double(knee) * step + offset)
    let rising = samples.enumerated().map { index, value in
      index <= knee ? value : max(value, (Double(index) * step + offset) * slope - offset)
    }
    return LookTone(samples: rising, reach: reach)
  }

  /// The instructions for a photo that was brightened by `gain` before the look.
  ///
  /// Dark colours get the curve as they are. For bright channels, the curve is flat and would change
  /// the hue, so bright colours get the curve at their light before the gain, and then the gain. The
  /// colours of the picture are thus those that it had before, brighter; they may be above white.
  private func brightened(by gain: Double) -> [PointProgram.Instruction] {
    let dimmed = Self.multiplied(by: 1 / gain)
    let bright = dimmed + curves + Self.multiplied(by: gain)
    let next = PointProgram.Instruction.matrix(ColourMatrix([0, 1, 0], [0, 0, 1], [1, 0, 0]))
    let isDark = PointProgram.Instruction.cover(
      Cover(.range(0...Self.dark, feather: Self.bright - Self.dark)))
    let dark = Curve.sampled(tones(gain))
    return [
      .same(bright), .save, isDark, next, isDark, .combine(.intersect), next, isDark,
      .combine(.intersect), .restore,
      .save, .same([dark]), .mix(opacity: 1, isMasked: true),
    ]
  }

  /// The tones that dark colours get, at even steps 0…1 of the tones that bright colours get.
  ///
  /// Where the mixture of both would fall, because the gain is large and the curve steep, they are
  /// lower, so that brighter greys stay brighter.
  private func tones(_ gain: Double) -> [Double] {
    let back: [Curve] = [.inverseSampled(samples), .linear(slope: reach, offset: 0)]
    let scene =
      Self.multiplied(by: 1 / gain) + back + Self.multiplied(by: gain) + curves
    var most = Double.infinity
    let tones = (0...Self.steps).reversed().map { step in
      let bright = Double(step) / Double(Self.steps)
      let darkness = 1 - ((bright - Self.dark) / (Self.bright - Self.dark)).smoothstep
      let part = darkness * darkness * darkness
      let tone = scene.reduce(bright) { $1($0) }
      if part < 1e-3 { return tone }
      most = min(most, bright + part * (tone - bright))
      return bright + (most - bright) / part
    }
    return tones.reversed()
  }

  private static func multiplied(by gain: Double) -> [Curve] {
    [.decode, .linear(slope: gain, offset: 0), .encode]
  }
}

extension ColourMatrix {
  /// The matrix that multiplies the distance of each channel from the luma by `factor`.
  fileprivate static func saturation(_ factor: Double) -> ColourMatrix {
    let luma = Grade.luma * (1 - factor)
    return ColourMatrix(
      luma + Vector(factor, 0, 0), luma + Vector(0, factor, 0), luma + Vector(0, 0, factor))
  }
}

extension PointProgram.Instruction {
  /// The same curves for all channels.
  fileprivate static func same(_ curves: [Curve]) -> Self {
    .channels(red: curves, green: curves, blue: curves)
  }
}
