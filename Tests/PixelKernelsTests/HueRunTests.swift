import Foundation
import Testing
import Vips

/// Runs of pixels whose hues are not turned, or not even made stronger, are computed in fewer steps.
@Suite struct HueRunTests {
  /// A quarter of the circle each stays, fades and grows, an eighth each is turned, and turned and lit.
  private static let hues: [Float] =
    [64]
    + (0...64).flatMap { knot -> [Float] in
      let weight = Float(sin(Double.pi * Double(knot % 16) / 16))
      let half = Float(sin(Double.pi * Double(knot % 8) / 8))
      return switch knot / 8 {
      case 2, 3: [1, 0, -0.8 * weight, 0]
      case 4, 5: [1, 0, 0.9 * weight, 0]
      case 6: [cos(0.5 * half), -sin(0.5 * half), 0.3 * half, 0]
      case 7: [cos(0.5 * half), sin(0.5 * half), 0.3 * half, -0.4 * half]
      default: [1, 0, 0, 0]
      }
    }

  /// Colours of OKLab, the hue by one place and lightness and chroma by the other.
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

  @Test func eachQuarterDoesWhatItSays() throws {
    let raster = Raster(192, 192, bands: 3) { Self.colour($1, $0, $2) }
    let found = try Self.changed(raster)
    let stored = raster.stored(as: .float)
    func chroma(_ values: ArraySlice<Double>) -> Double {
      hypot(values[values.startIndex + 1], values[values.startIndex + 2])
    }
    // The diamond's places 0, 1, 2, 3 are the angles 0, 90, 180, 270°.
    for (hue, isExpected) in [
      (24, { (before: Double, after: Double) in before == after }), (72, { $0 > 1.5 * $1 }),
    ] {
      for shade in 0..<192 {
        let at = 3 * (hue * 192 + shade)
        #expect(isExpected(chroma(stored.values[at..<at + 3]), chroma(found[at..<at + 3])))
      }
    }
    // Dull colours of middle lightness grow.
    let dull = 3 * (120 * 192 + 98)
    #expect(chroma(found[dull..<dull + 3]) > 1.5 * chroma(stored.values[dull..<dull + 3]))
  }
}
