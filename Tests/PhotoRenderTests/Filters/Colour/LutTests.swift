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

  @Test(arguments: [255, 65_535]) func anIdentityChangesNothing(_ maximum: Int) throws {
    let photo = Self.photo(maximum)
    let file = try Self.hald({ $0 * maximum / 15 }, maximum)
    #expect(try photo.difference(from: Self.developed(photo, "", file)) == 0)
  }

  /// An incomplete table would otherwise render a black photo.
  @Test(arguments: [60, 2_000, -20]) func aDamagedTableIsRefused(_ count: Int) throws {
    let whole = try Self.hald({ $0 * 4_369 }, 65_535)
    let file = Array(whole.prefix(count < 0 ? whole.count + count : count))
    #expect(throws: RenderError.self) { try Self.developed(Self.photo(), "", file) }
  }

  @Test(arguments: [0.0, 0.25, 1]) func strengthMixes(_ strength: Double) throws {
    let photo = Self.photo()
    let result = try Self.developed(
      photo, #", "strength": \#(strength)"#, Self.hald({ 255 - $0 * 17 }, 255))
    for (found, value) in zip(result.values, photo.values.map(Double.init)) {
      let expected = value + strength * (255 - value - value)
      try #require(abs(Double(found) - expected) <= 0.501)
    }
  }

  /// The table halves the light; its values are linear light or BT.709 signals.
  @Test(arguments: ["linear", "rec709"]) func spacesHold(_ space: String) throws {
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

  @Test func filesThatAreNoTablesThrow() throws {
    let photo = Self.photo()
    let odd = try Self.photo().file()
    #expect(throws: RenderError.self) { try Self.developed(photo, "", odd) }
    #expect(throws: RenderError.self) { try Self.developed(photo, "", Array("x".utf8)) }
    #expect(throws: RenderError.self) {
      try Self.developed(photo, "", Array("LUT_3D_SIZE 2\n".utf8), "a.cube")
    }
  }
}
