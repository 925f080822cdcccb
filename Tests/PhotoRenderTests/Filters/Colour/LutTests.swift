import Foundation
import PhotoRecipes
import PhotoRender
import TestRandom
import TestSupport
import Testing
import Vips

/// Lookup tables from files, in whole renders.
@Suite struct LutTests {
  private static func photo(_ maximum: Int = 255) -> Samples {
    var random = SeededGenerator(seed: 8)
    let values = (0..<50 * 40 * 3).map { _ in Int.random(in: 0...maximum, using: &random) }
    return Samples(width: 50, height: 40, bands: 3, maximum: maximum, values: values)
  }

  /// A HaldCLUT of level 4 that applies a function to each level 0…15 of R, G and B.
  private static func hald(_ value: (Int) -> Int, _ maximum: Int) throws -> [UInt8] {
    let values = (0..<4096).flatMap { [value($0 % 16), value($0 / 16 % 16), value($0 / 256)] }
    return try Samples(width: 64, height: 64, bands: 3, maximum: maximum, values: values).file()
  }

  private static func developed(
    _ photo: Samples, _ settings: String, _ file: [UInt8], _ name: String = "look.png"
  ) throws -> Samples {
    let step = #"[{"filter": "lut", "file": "\#(name)"\#(settings)}]"#
    return try Samples(file: Studio.develop(photo.file(), step, files: [name: file]))
  }

  @Test(arguments: [255, 65_535]) func anIdentityTableDoesNotChangeThePhoto(_ maximum: Int) throws {
    let photo = Self.photo(maximum)
    let file = try Self.hald({ $0 * maximum / 15 }, maximum)
    #expect(try photo.difference(from: Self.developed(photo, "", file)) == 0)
  }

  /// An incomplete table would otherwise render a black photo.
  @Test(arguments: [60, 2_000, -20]) func anIncompleteTableIsRefused(_ count: Int) throws {
    let whole = try Self.hald({ $0 * 4_369 }, 65_535)
    let file = Array(whole.prefix(count < 0 ? whole.count + count : count))
    #expect(throws: RenderError.self) { try Self.developed(Self.photo(), "", file) }
  }

  @Test(arguments: [0.0, 0.25, 1]) func strengthMixesTheResultWithThePhoto(
    _ strength: Double
  ) throws {
    let photo = Self.photo()
    let result = try Self.developed(
      photo, #", "strength": \#(strength)"#, Self.hald({ 255 - $0 * 17 }, 255))
    for (found, value) in zip(result.values, photo.values.map(Double.init)) {
      let expected = value + strength * (255 - value - value)
      try #require(abs(Double(found) - expected) <= 0.501)
    }
  }

  /// The table halves the light; its values are linear light or BT.709 signals.
  @Test(arguments: ["linear", "rec709"]) func aTableIsAppliedInTheStatedColourSpace(
    _ space: String
  ) throws {
    func signal(_ light: Double) -> Double {
      if space == "linear" { return light }
      return light < 0.018 ? 4.5 * light : 1.099 * pow(light, 0.45) - 0.099
    }
    func light(_ signal: Double) -> Double {
      if space == "linear" { return signal }
      return signal < 0.081 ? signal / 4.5 : pow((signal + 0.099) / 1.099, 1 / 0.45)
    }
    let photo = Self.photo()
    let text = "LUT_1D_SIZE 3\n0 0 0\n.25 .25 .25\n.5 .5 .5\n"
    let result = try Self.developed(
      photo, #", "space": "\#(space)""#, Array(text.utf8), "half.cube")
    for (found, value) in zip(result.values, photo.values) {
      let before = PointFormulas.light(Double(value) / 255)
      let expected = 255 * PointFormulas.display(light(signal(before) / 2))
      try #require(abs(Double(found) - expected) <= 0.51, "\(value)")
    }
  }

  private static let identity = Array(
    "LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n".utf8)

  @Test(arguments: GradingSpace.allCases) func anIdentityTableChangesNothingInAnyColourSpace(
    _ space: GradingSpace
  ) throws {
    let photo = Self.photo(65_535)
    let result = try Self.developed(
      photo, #", "space": "\#(space.rawValue)""#, Self.identity, "identity.cube")
    // The rounded constants of BT.709 and N-Log leave a step where their two formulas meet.
    let tolerance = [.rec709: 16, .rec2020: 16, .nLog: 64][space] ?? 4
    #expect(photo.difference(from: result) <= tolerance)
  }

  /// A table may expect V-Log and give BT.709, like tables from the maker of the camera.
  ///
  /// - Source: Panasonic, V-Log/V-Gamut Reference Manual, 2014. The test uses greys, which V-Log's
  ///   primaries do not change, so only the curves matter.
  @Test func theResultIsConvertedFromTheTablesOutputSpace() throws {
    func vLog(_ light: Double) -> Double {
      light < 0.01 ? 5.6 * light + 0.125 : 0.241514 * log10(light + 0.00873) + 0.598206
    }
    func light(_ signal: Double) -> Double {
      signal < 0.081 ? signal / 4.5 : pow((signal + 0.099) / 1.099, 1 / 0.45)
    }
    let greys = [0, 1, 5, 20, 60, 128, 200, 255].flatMap { [$0, $0, $0] }
    let photo = Samples(width: 8, height: 1, bands: 3, maximum: 255, values: greys)
    let result = try Self.developed(
      photo, #", "space": "vLog", "resultSpace": "rec709""#, Self.identity, "identity.cube")
    for (found, value) in zip(result.values, photo.values) {
      let encoded = vLog(PointFormulas.light(Double(value) / 255))
      let expected = 255 * PointFormulas.display(light(encoded))
      try #require(abs(Double(found) - expected) <= 0.6, "\(value)")
    }
  }

  @Test func aFileThatIsNotALookupTableIsRefused() throws {
    let photo = Self.photo()
    let odd = try Self.photo().file()
    #expect(throws: RenderError.self) { try Self.developed(photo, "", odd) }
    #expect(throws: RenderError.self) { try Self.developed(photo, "", Array("x".utf8)) }
    #expect(throws: RenderError.self) {
      try Self.developed(photo, "", Array("LUT_3D_SIZE 2\n".utf8), "a.cube")
    }
  }
}
