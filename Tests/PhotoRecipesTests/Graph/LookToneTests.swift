import Glibc
import Testing

@testable import PhotoRecipes

/// Raw photos that are brightened before their look.
@Suite struct LookToneTests {
  private static let fitted = FittedLook(
    knots: [
      [0, 0], [0.05, 0.01], [0.15, 0.12], [0.3, 0.4], [0.6, 0.9], [0.8, 1], [1.6, 1.02],
    ],
    saturation: 1.1)

  /// The looks as programs.
  private static let looks: [@Sendable (LookUse) -> PointProgram] = [
    { NeutralTone.program($0) }, { fitted.program($0) },
  ]

  private static func shown(
    _ look: (LookUse) -> PointProgram, _ light: ColourMatrix.Vector, _ gain: Double
  ) throws -> ColourMatrix.Vector {
    let brightened = (light * gain).mapped(Curve.encode)
    return try #require(look(LookUse(gain: gain))(brightened))
  }

  /// A colour outside sRGB, such as that of a blue lamp, stays outside; noise about black keeps its
  /// mean.
  @Test(arguments: [1, 2.83]) func coloursOutsideSRGBStayOutside(_ gain: Double) throws {
    for look in Self.looks {
      let lamp = try Self.shown(look, [-0.05, 0.1, 0.8], gain)
      #expect(lamp.x < -0.02)
      let dark = try Self.shown(look, [-0.001, -0.001, -0.001], gain)
      let light = try Self.shown(look, [0.001, 0.001, 0.001], gain)
      #expect(abs((dark + light).x) < 0.002)
    }
  }

  /// With a shoulder at the end, blue skies and skin keep the hues that they have without the gain.
  @Test(arguments: [0.5, 1, 1.5, 2.5])
  func skiesAndSkinKeepTheirHues(_ stops: Double) throws {
    let colours: [ColourMatrix.Vector] = [
      [0.08, 0.15, 0.3], [0.15, 0.28, 0.5], [0.3, 0.4, 0.55], [0.3, 0.18, 0.12], [0.5, 0.33, 0.25],
    ]
    for look in Self.looks {
      for colour in colours {
        let (before, gain) = (try Self.shown(look, colour, 1), exp2(stops))
        let after = Rolloff(peak: gain)(try Self.shown(look, colour, gain))
        #expect(after.max() <= 1 + 1e-9)
        let turn = OKLab.hue(ofEncoded: after) - OKLab.hue(ofEncoded: before)
        let turned = abs(turn - (turn / 360).rounded() * 360)
        #expect(turned < 3, "\(colour) turns by \(turned)°")
      }
    }
  }

  /// Greys stay grey and rise with the light, and the curve of dark tones is the same as without the
  /// gain.
  @Test(arguments: [1.004, 1.006, 1.4, 2.83, 8, 32])
  func greysRiseAndDarkTonesKeepTheirCurve(_ gain: Double) throws {
    for look in Self.looks {
      var last = -1.0
      for step in 0...2000 {
        let light = Double(step) / 2000 * 1.5
        let tone = try Self.shown(look, .init(repeating: light), gain)
        #expect(tone.max() - tone.min() < 1e-9)
        #expect(tone.x >= last - 1e-6, "\(light) × \(gain)")
        last = tone.x
        let usual = try #require(look(LookUse())(.init(repeating: Curve.encode(light * gain)))).x
        if usual < 0.15 { #expect(abs(tone.x - usual) < 0.002, "\(light) × \(gain)") }
      }
    }
  }

  /// The brighter a photo is made, the brighter are its tones, without a jump where the gain starts
  /// to count.
  @Test func tonesRiseWithTheGain() throws {
    for look in Self.looks {
      for light in [0.01, 0.05, 0.2, 0.5, 0.9] {
        let tones = try [1, 1.0049, 1.0051, 1.1, 1.5, 2, 3, 6].map {
          try Self.shown(look, .init(repeating: light), $0).x
        }
        #expect(zip(tones, tones.dropFirst()).allSatisfy { $0 <= $1 + 1e-3 }, "\(tones)")
        #expect(abs(tones[2] - tones[1]) < 0.004)
      }
    }
  }

  /// Light above the scene's white is limited at the end with all channels together, however small the
  /// gain is, so that no channel is clipped alone.
  @Test(arguments: [0.1, 0.3, 0.65, 0.7, 1.5]) func brightLightIsLimitedWithItsHue(
    _ stops: Double
  ) throws {
    let gain = exp2(stops)
    let fitted = FittedLook(
      knots: [[0, 0], [0.1, 0.1], [0.5, 0.5], [1, 0.8], [1.6, 1]], saturation: 1.1)
    var graph = Graph()
    let exposed = graph.append(
      .program(
        PointProgram([
          .channels(red: [.decode], green: [.decode], blue: [.decode]),
          .matrix(.diagonal(.init(repeating: gain))),
          .channels(red: [.encode], green: [.encode], blue: [.encode]),
        ])), graph.append(.original(shrink: 1)))
    let look = graph.append(.program(fitted.program(LookUse(gain: gain))), exposed)
    graph.addOutput("out", graph.append(.rolloff(within: .sRGB), look))
    let end = try #require(graph.withShoulders.outputs.first?.node)
    guard case .program(let program) = graph.withShoulders.nodes[end].operation,
      case .colour(.rolloff)? = program.instructions.first
    else {
      Issue.record("no limit at \(stops) stops")
      return
    }
  }

  /// More light makes no vivid colour darker, with a shoulder at the end, and changes it without a
  /// jump, also in pictures for HDR displays.
  @Test func vividColoursRiseWithTheGain() throws {
    let colours: [ColourMatrix.Vector] = [
      [0.02, 0.02, 0.99], [0.99, 0.02, 0.02], [0.02, 0.02, 0.47], [0.02, 0.024, 0.24],
      [0.3, 0.01, 0.2],
    ]
    for look in Self.looks {
      for colour in colours {
        var last = (most: 0.0, bright: 0.0)
        for gain in stride(from: 1.0, through: 12, by: 0.02) {
          let shown = try Self.shown(look, colour, gain)
          let most = Rolloff(peak: gain)(shown).max()
          let encoded = (colour * gain).mapped(Curve.encode)
          let hdr = try #require(look(LookUse(isHDR: true, gain: gain))(encoded)).max()
          #expect(most >= last.most - 0.004, "\(colour) × \(gain): \(most) after \(last.most)")
          #expect(hdr >= last.bright - 0.004)
          if gain > 1 { #expect(hdr < last.bright * 1.05) }
          last = (most, hdr)
        }
      }
    }
  }
}
