import Foundation
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoRender

/// The conversions of light above white to PQ and HLG, and back.
@Suite struct HDRColourTests {
  private typealias Vector = ColourMatrix.Vector

  /// Light of BT.2020 relative to white, and the same light as unlimited display-encoded sRGB.
  private static let colours: [(light: [Double], code: [Double])] = [
    [0.0, 0, 0], [0.001, 0.002, 0.0015], [0.18, 0.18, 0.18], [1, 1, 1], [0.3, 0.9, 0.2],
    [4.5, 4.5, 4.5], [2, 0.5, 0.25], [0.1, 0.2, 3],
  ].map { light in
    // The matrix from linear BT.2020 to linear sRGB: Report ITU-R BT.2407-0, 2.2, to more digits.
    let linear = PointFormulas.times(
      [
        [1.660491, -0.587641, -0.072850], [-0.124550, 1.132900, -0.008349],
        [-0.018151, -0.100579, 1.118730],
      ], light)
    return (light, linear.map { PointFormulas.signed($0, PointFormulas.display) })
  }

  /// BT.2100-2, table 4, for light relative to 203 cd/m².
  private static func pq(_ light: Double) -> Double {
    let power = pow(light * 203 / 10_000, 0.1593017578125)
    return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
  }

  /// BT.2100-2, table 5, for light relative to 203 cd/m² on a display of 1,000 cd/m²: the system
  /// gamma 1.2 acts on luminance.
  private static func hlg(_ light: [Double]) -> [Double] {
    let display = light.map { $0 * 0.203 }
    let luminance = 0.2627 * display[0] + 0.6780 * display[1] + 0.0593 * display[2]
    if luminance == 0 { return [0, 0, 0] }
    return display.map { value in
      let scene = value * pow(luminance, 1 / 1.2 - 1)
      return scene <= 1.0 / 12
        ? sqrt(3 * scene) : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
    }
  }

  @Test func samplesFollowTheStandard() throws {
    for (light, code) in Self.colours {
      for transfer in [HDRTransfer.pq, .hlg] {
        let program = PointProgram(HighDynamicRange.fromSRGB(transfer, .rec2020))
        let found = try #require(program(Vector(code[0], code[1], code[2])))
        let wanted = transfer == .pq ? light.map(Self.pq) : Self.hlg(light)
        for channel in 0..<3 {
          // Light that is brighter than HLG's peak is clipped later.
          let isClipped = wanted[channel] > 1
          #expect(
            isClipped || abs(found[channel] - wanted[channel]) < 2e-4,
            "\(transfer) of \(light): \(found)")
        }
      }
    }
  }

  /// The conversion from samples is the inverse.
  @Test(arguments: [Primaries.rec2020, .displayP3, .srgb]) func samplesComeBack(
    _ primaries: Primaries
  ) throws {
    for (transfer, name) in [(HighDynamicRange.Transfer.pq, HDRTransfer.pq), (.hlg, .hlg)] {
      let range = HighDynamicRange(transfer, primaries, peak: nil)
      let there = PointProgram(range.unlimited)
      let back = PointProgram(HighDynamicRange.fromSRGB(name, primaries))
      for sample in [[0.3, 0.3, 0.3], [0.55, 0.6, 0.5], [0.75, 0.75, 0.75], [0.9, 0.7, 0.8]] {
        let light = try #require(there(Vector(sample[0], sample[1], sample[2])))
        let found = try #require(back(light))
        for channel in 0..<3 {
          #expect(abs(found[channel] - sample[channel]) < 3e-4, "\(transfer): \(sample), \(found)")
        }
      }
    }
  }

  /// White is 203 cd/m²: 58.07 % in PQ, 75 % in HLG.
  ///
  /// - Source: Report ITU-R BT.2408-5, table 1.
  @Test func whiteIsTheReference() throws {
    for (transfer, wanted) in [(HDRTransfer.pq, 0.580_689), (.hlg, 0.7500)] {
      let program = PointProgram(HighDynamicRange.fromSRGB(transfer, .displayP3))
      let found = try #require(program(Vector(1, 1, 1)))
      for channel in 0..<3 { #expect(abs(found[channel] - wanted) < 2e-4, "\(transfer)") }
    }
  }
}
