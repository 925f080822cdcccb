import Foundation
import TestReference
import Testing
import Vips

/// For each piece of a row, the kernel computes only those colour changes that the hues in the
/// piece need.
@Suite struct HueRunTests {
  /// The changes in the eight equal arcs of the hue circle, in order: unchanged, lighter, less
  /// chroma, less chroma and another lightness, more chroma, rotated, rotated with more chroma, and
  /// changed in every way.
  private static let hues = HuePayload.of(
    (0...64).map { knot in
      let weight = Float(sin(Double.pi * Double(knot % 8) / 8))
      let turn = 0.5 * weight
      return switch knot / 8 {
      case 1: [1, 0, 0, 0.5 * weight]
      case 2: [1, 0, -0.8 * weight, 0]
      case 3: [1, 0, -0.5 * weight, -0.4 * weight]
      case 4: [1, 0, 0.9 * weight, 0]
      case 5: [cos(turn), sin(turn), 0, 0]
      case 6: [cos(turn), -sin(turn), 0.3 * weight, 0]
      case 7: [cos(turn), sin(turn), 0.3 * weight, -0.4 * weight]
      default: [1, 0, 0, 0]
      }
    })

  /// OKLab colours: `hue` is the hue, and `shade` determines lightness and chroma.
  private static func colour(_ hue: Int, _ shade: Int, _ band: Int) -> Double {
    let angle = 2 * Double.pi * Double(hue) / 192
    let chroma = 0.02 + 0.3 * Double(shade % 7) / 7
    return switch band {
    case 0: 0.1 + 0.8 * Double(shade) / 192
    case 1: chroma * cos(angle)
    default: chroma * sin(angle)
    }
  }

  private static func changed(_ raster: Raster) throws -> [Double] {
    let program = PointProgram(instructions: [.init(.hues, hues)])
    let image = try raster.image(as: .float).applying(
      "phbatch_point", ["program": .blob(program.bytes), "format": .choice("float")])
    return Raster.values(of: try image.pixels(), as: .float)
  }

  @Test func aColourDoesNotDependOnItsNeighbours() throws {
    let alike = try Self.changed(Raster(192, 192, bands: 3) { Self.colour($1, $0, $2) })
    let mixed = try Self.changed(Raster(192, 192, bands: 3) { Self.colour($0, $1, $2) })
    for hue in 0..<192 {
      for shade in 0..<192 {
        let (a, b) = (3 * (hue * 192 + shade), 3 * (shade * 192 + hue))
        #expect(alike[a..<a + 3] == mixed[b..<b + 3], "hue \(hue), shade \(shade)")
      }
    }
  }

  @Test func eachHueRangeIsChangedByItsSettings() throws {
    let raster = Raster(192, 192, bands: 3) { Self.colour($1, $0, $2) }
    let found = try Self.changed(raster)
    let stored = raster.stored(as: .float).values
    func colours(_ hue: Int, _ shade: Int) -> (before: SIMD3<Double>, after: SIMD3<Double>) {
      let at = 3 * (hue * 192 + shade)
      return (
        SIMD3(stored[at], stored[at + 1], stored[at + 2]),
        SIMD3(found[at], found[at + 1], found[at + 2])
      )
    }
    func chroma(_ colour: SIMD3<Double>) -> Double { hypot(colour.y, colour.z) }
    func hue(_ colour: SIMD3<Double>) -> Double { atan2(colour.z, colour.y) }
    // Colours of low chroma and medium lightness, one in the middle of each eighth of the hue
    // circle.
    let dull = (0..<8).map { colours(12 + 24 * $0, 98) }
    #expect(dull[0].before == dull[0].after)
    for (eighth, colour) in dull.enumerated() {
      let isLit = colour.before.x != colour.after.x
      #expect(isLit == [1, 3, 7].contains(eighth))
      let isTurned = abs(hue(colour.before) - hue(colour.after)) > 0.2
      #expect(isTurned == (eighth >= 5))
    }
    #expect(chroma(dull[2].after) < chroma(dull[2].before) / 1.5)
    #expect(chroma(dull[3].after) < chroma(dull[3].before) / 1.5)
    #expect(chroma(dull[4].after) > chroma(dull[4].before) * 1.5)
    #expect(abs(chroma(dull[5].after) - chroma(dull[5].before)) < 1e-4)
  }
}
