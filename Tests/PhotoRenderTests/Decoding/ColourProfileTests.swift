import FileStructure
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// The tables of hue, saturation and value in DNG files.
@Suite struct ColourProfileTests {
  private static let divisions = [6, 3, 4]

  /// The table of `raw-tables.py`.
  private static let table: [Double] = {
    var numbers: [Double] = []
    for v in 0..<4 {
      for h in 0..<6 {
        for s in 0..<3 {
          let (turn, strength) = ((h * 7 + s * 5 + v * 3) % 11, (h + 2 * s + v) % 9)
          let brightness = (2 * h + s + 3 * v) % 8
          numbers.append(Double(turn - 5) * 2)
          numbers.append(0.8 + 0.05 * Double(strength))
          numbers.append(0.9 + 0.03 * Double(brightness))
        }
      }
    }
    return numbers
  }()

  private static func file(_ floats: [Int: [Double]], encoding: Int) -> SyntheticDNG {
    var file = SyntheticDNG(width: 64, height: 64) { x, _, colour in
      [0.5, 1, 0.7][colour] * [0.3, 0.5, 0.2][colour] * (x < 32 ? 1 : 0.5)
    }
    file.numbers = [
      50_937: divisions, 50_981: divisions, 51_107: [encoding], 51_108: [encoding],
    ]
    file.floats = floats
    return file
  }

  @Test func hueSaturationTablesFollowTheDNGSpecification() throws {
    for row in try OracleFile.rows("raw.txt") where row[0] == "huesat" {
      let numbers = row.compactMap { Double($0) }
      let dng = Self.file([50_938: Self.table], encoding: Int(numbers[0])).bytes
      let profile = try ColourProfile(#require(DNGFile(.bytes(dng))))
      let steps = ProfileSteps(profile, part: 0, gain: 1, hasLook: true)
      let colour = try Image(
        samples: numbers[1...3].map { Float($0) }, width: 1, height: 1, bands: 3)
      let found = try steps.applied(to: colour).samples(as: Float.self)
      for channel in 0..<3 {
        let wanted = numbers[4 + channel]
        #expect(abs(Double(found[channel]) - wanted) < 2e-5 * max(1, wanted), "\(row): \(found)")
      }
    }
  }

  /// Numbers of a damaged table that are too large to be turned back do not read outside of it.
  @Test(arguments: [1e12, -1e12, 3e38, -3e38])
  func hugeShiftsOfHueStayInTheTable(_ shift: Double) throws {
    var table = Self.table
    for place in stride(from: 0, to: table.count, by: 6) { table[place] = shift }
    for tag in [50_938, 50_982] {
      let dng = Self.file([tag: table], encoding: 0).bytes
      let profile = try ColourProfile(#require(DNGFile(.bytes(dng))))
      let steps = ProfileSteps(profile, part: 0, gain: 1, hasLook: true)
      let colours = (0..<60).map { Float(($0 * 37) % 61) / 61 }
      let picture = try Image(samples: colours, width: 20, height: 1, bands: 3)
      let found = try steps.applied(to: picture).samples(as: Float.self)
      #expect(found.allSatisfy { $0.isFinite && abs($0) < 10 })
    }
  }

  /// The tables for two lights are mixed by the reciprocal temperature of the photo's light.
  ///
  /// The exposure is applied after the camera's table and before the table of the look.
  @Test func tablesForTwoLightsAreMixedAndAppliedInOrder() throws {
    func constant(_ factor: Double) -> [Double] {
      var numbers: [Double] = []
      for _ in 0..<72 { numbers += [0, 1, factor] }
      return numbers
    }
    var file = Self.file([50_938: constant(0.5), 50_939: constant(0.9)], encoding: 0)
    file.neutral = nil
    file.illuminant = 17
    file.second = (file.matrix, 21)
    let photo = PhotoFile.bytes(file.bytes)
    file.floats = [:]
    let bare = PhotoFile.bytes(file.bytes)
    func brightest(_ photo: PhotoFile, _ kelvin: Double) throws -> Double {
      let light = Illuminant(temperature: kelvin, tint: 0)
      let image = try RawDevelopment(photo, RawSettings(), light: light).image(photo, shrink: 1)
      return try Double(image.samples(as: Float.self).max() ?? 0)
    }
    // The temperature halfway between the reciprocals of both temperatures.
    let middle = 2 / (1 / 2856.0 + 1 / 6504)
    for (kelvin, wanted) in [(6504, 0.9), (2856, 0.5), (middle, 0.7)] {
      let factor = try brightest(photo, kelvin) / brightest(bare, kelvin)
      #expect(abs(factor - wanted) < 0.01, "\(kelvin): \(factor)")
    }
    // The exposure brightens what the camera's table has made.
    file.floats = [50_938: constant(0.5), 50_939: constant(0.5)]
    file.baselineExposure = 1
    let exposed = PhotoFile.bytes(file.bytes)
    let ratio = try brightest(exposed, 6504) / brightest(bare, 6504)
    #expect(abs(ratio - 1) < 0.01, "\(ratio)")
  }

  /// The development `linear` omits the table of the look, which is not a property of the camera.
  @Test func linearDevelopmentOmitsTheTableOfTheLook() throws {
    var dark: [Double] = []
    for _ in 0..<72 { dark += [0, 1, 0.5] }
    let photo = PhotoFile.bytes(Self.file([50_982: dark], encoding: 0).bytes)
    func brightest(_ look: RawSettings.Look) throws -> Float {
      var settings = RawSettings()
      settings.look = look
      let image = try RawDevelopment(photo, settings).image(photo, shrink: 1)
      return try image.samples(as: Float.self).max() ?? 0
    }
    #expect(try abs(brightest(.neutral) / brightest(.linear) - 0.5) < 0.01)
  }
}
