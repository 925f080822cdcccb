import Notation
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoImport

/// Light and colours of other programs at the ends of their ranges and at their defaults.
@Suite struct ImportedLightTests {
  private func imported(_ bytes: [UInt8], _ name: String = "a.xmp") throws -> ImportedRecipe {
    let result = try Import.recipe(from: bytes, named: name, identifier: "org.example.imported")
    _ = try RecipeDocument(SourceText(name: "recipe", text: result.text)) {
      file throws(Problem) in throw .missingFile(file.path)
    }.recipe()
    return result
  }

  private func crs(_ settings: String, _ elements: String = "") -> [UInt8] {
    ForeignText.xmp(#"crs:HasSettings="True" \#(settings)"#, elements)
  }

  @Test(arguments: [("29900", 0.9967), ("30000", 0.999), ("1e9", 0.999), ("15000", 0.5)])
  func theBlackPointOfRawTherapeeIsBelowWhite(_ value: String, _ black: Double) throws {
    let result = try imported(Array("[Exposure]\nBlack=\(value)".utf8), "a.jpg.pp3")
    #expect(result.filters.map { $0["black"]?.number } == [black])
    #expect(result.notes.first?.reason.contains("limited to 0.999") == (black == 0.999))
  }

  @Test func warmthBeyondTheRangeIsTheWarmestLight() throws {
    func temperature(_ bytes: [UInt8]) throws -> (Double?, String?) {
      let result = try imported(bytes)
      let step = result.filters.first { $0["filter"]?.string == "whiteBalance" }
      return (step?["temperature"]?.number, result.notes.first?.reason)
    }
    for value in [200, 220, 300, 100_000] {
      let (found, reason) = try temperature(crs(#"crs:IncrementalTemperature="\#(value)""#))
      #expect(found == 32_000 && reason?.contains("limited to the range") == true)
    }
    let effect = #"{"effectName":"3DVividWarm","effectIntensity":20}"#
    let (found, reason) = try temperature(ForeignText.photos(["Effect3D": effect]))
    #expect(found == 32_000 && reason?.contains("limited to the range") == true)
  }

  @Test(arguments: ["autitcgreen", "autold", "Auto", "autedg"])
  func anAutomaticWhiteBalanceOfRawTherapeeIsDropped(_ mode: String) throws {
    let text = "[White Balance]\nSetting=\(mode)\nTemperature=6504\nGreen=1"
    let result = try imported(Array(text.utf8), "a.CR2.pp3")
    #expect(result.filters.isEmpty && result.notes.map(\.fidelity) == [.dropped])
  }

  private static let medium = """
    <crs:ToneCurve><rdf:Seq><rdf:li>0, 0</rdf:li><rdf:li>64, 56</rdf:li><rdf:li>192, 196</rdf:li>\
    <rdf:li>255, 255</rdf:li></rdf:Seq></crs:ToneCurve>
    """

  /// Process versions before 2012 had other defaults for raw photos, which were a part of the look.
  @Test(arguments: [#"crs:ProcessVersion="5.7""#, ""])
  func theDefaultsOfEarlierProcessVersionsAreNoEdit(_ version: String) throws {
    let raw = #"crs:RawFileName="a.CR2" \#(version) "#
    let defaults = #"""
      crs:Exposure="0.00" crs:Shadows="5" crs:Brightness="+50" crs:Contrast="+25"
      crs:ToneCurveName="Medium Contrast"
      """#
    let none = try imported(crs(raw + defaults, Self.medium))
    #expect(none.filters.isEmpty && none.notes.isEmpty, "\(none.notes)")
    let changed = try imported(crs(raw + #"crs:Shadows="15" crs:Brightness="0" crs:Contrast="75""#))
    #expect(changed.filters.map { $0["amount"]?.number } == [-0.1, -0.1, 0.3])
    let plain = try imported(crs(version + #" crs:Shadows="5" crs:Brightness="50""#))
    #expect(plain.filters.map { $0["amount"]?.number } == [-0.05, 0.1])
  }

  @Test func newerProcessVersionsIgnoreTheEarlierSettings() throws {
    let settings = #"crs:Exposure="1.00" crs:Shadows="25" crs:Brightness="+50" crs:FillLight="9""#
    for version in [#"crs:ProcessVersion="6.7" "#, #"crs:ProcessVersion="11.0" "#, ""] {
      let result = try imported(crs(version + #"crs:Exposure2012="0.50" "# + settings))
      #expect(result.filters.map { $0["stops"]?.number } == [0.5], "\(version)")
      #expect(result.notes.count == 1)
    }
  }

  @Test func controlCharactersOfTheFileAreEscapedInNotes() throws {
    let result = try imported(crs(#"crs:Foo="&#27;[31mred&#10;exact: fake = 1&#x202E;""#))
    let text = try #require(result.notes.first.map { "\($0)" })
    #expect(text.contains("red") && text.contains("fake"))
    let isPlain = text.unicodeScalars.allSatisfy {
      ![.control, .format].contains($0.properties.generalCategory)
    }
    #expect(isPlain, "\(text.debugDescription)")
  }
}
