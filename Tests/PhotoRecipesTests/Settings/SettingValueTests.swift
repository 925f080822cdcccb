import Notation
import Testing

@testable import PhotoRecipes

@Suite struct SettingValueTests {
  private func length(_ text: String) -> Length? {
    let json = JSONParser.parse(SourceText(name: "a", text: text)).json ?? .null
    return try? Length.read(json, as: .length).get()
  }

  @Test(arguments: [
    ("0", Length.pixels(0)), ("1600", .pixels(1600)), ("1", .pixels(1)), ("1.0", .fraction(1)),
    ("0.0", .fraction(0)), ("0.25", .fraction(0.25)), ("1600.0", .pixels(1600)),
    ("16e2", .pixels(1600)),
    ("\"50%\"", .fraction(0.5)), ("\"100%\"", .fraction(1)), ("\"12px\"", .pixels(12)),
    ("\"3cm\"", .centimetres(3)), ("\"30mm\"", .centimetres(3)), ("\"1in\"", .centimetres(2.54)),
    ("\"0cm\"", .centimetres(0)),
  ])
  func lengthsWithUnitsAreRead(_ text: String, _ expected: Length) {
    #expect(length(text) == expected)
  }

  @Test(arguments: [
    "-1", "1.5", "1000001", "1e300", "\"101%\"", "\"-5%\"", "\"5\"", "\"px\"", "\"5 px\"",
    "\".5%\"", "\"5.%\"",
    "\"1..2%\"", "\"1000001px\"", "\"0.0001cm\"", "\"99999999999cm\"", "\"1e3px\"", "\"５px\"",
    "true", "null",
    "[1]",
  ])
  func invalidLengthsAreRefused(_ text: String) { #expect(length(text) == nil) }

  private func extent(_ text: String) -> Extent? {
    let json = JSONParser.parse(SourceText(name: "a", text: text)).json ?? .null
    return try? Extent.read(json, as: .extent(0.3...250)).get()
  }

  @Test(arguments: [
    ("0.3", Extent.pixels(0.3)), ("250", .pixels(250)), ("1", .pixels(1)),
    ("\"0.4%\"", .percent(0.4)), ("\"0%\"", .percent(0)), ("\"10%\"", .percent(10)),
    ("\"10.0%\"", .percent(10)), ("\"0.0625%\"", .percent(0.0625)),
    ("\"0.0001%\"", .percent(0.0001)),
  ])
  func radiiInPixelsOrPercentAreRead(_ text: String, _ expected: Extent) throws {
    #expect(extent(text) == expected)
    let json = try #require(expected.json)
    #expect(extent(json.compactText) == expected)
  }

  @Test(arguments: [
    "0.2", "251", "-1", "\"0.4\"", "\"10.1%\"", "\"-1%\"", "\"%\"", "\" 1%\"", "\"nan%\"",
    "\"inf%\"", "\"05%\"", "\"0.00001%\"", "\"1.2.3%\"", "\".5%\"", "\"5.%\"",
    "\"0x1p2%\"", "\"1e0%\"", "\"3px\"", "true", "null", "[1]",
  ])
  func invalidRadiiInPixelsOrPercentAreRefused(_ text: String) { #expect(extent(text) == nil) }

  @Test func veryLongLengthsDoNotOverflow() throws {
    let longest = try #require(length("\"100000cm\""))
    #expect(longest.pixels(of: 1, dpi: 9600) == 377_952_756)
    #expect(Length.fraction(0.5).pixels(of: 333, dpi: 300) == 167)
    #expect(Length.centimetres(2.54).pixels(of: 1, dpi: 300) == 300)
  }

  @Test(arguments: [
    ("#fff", "#ffffff"), ("#F80", "#ff8800"), ("#01020304", "#01020304"), ("#010203ff", "#010203"),
  ])
  func coloursInHexadecimalNotationAreRead(_ text: String, _ canonical: String) {
    #expect(Colour(text)?.json == .string(canonical))
  }

  @Test(arguments: ["", "#", "fff", "#ff", "#ffff", "#fffff", "#ggg", "#ｆｆｆ", "# fff", "white"])
  func invalidColoursAreRefused(_ text: String) { #expect(Colour(text) == nil) }

  @Test(arguments: [
    ("3:2", true), ("9999:1", true), ("0:2", false), ("03:2", false), ("+3:2", false),
    ("3/2", false), ("3:2:1", false), ("10000:1", false), (":", false), ("3", false),
  ])
  func onlyValidAspectRatiosAreRead(_ text: String, _ isOne: Bool) {
    #expect(((try? Ratio.read(.string(text), as: .ratio).get()) != nil) == isOne)
  }

  @Test(arguments: [
    ("[[0,0],[1,1]]", true), ("[[0.2,1],[0.8,0]]", true), ("[[0,0]]", false), ("[]", false),
    ("[[0,0],[0,1]]", false), ("[[0.5,0],[0.4,1]]", false), ("[[0,0],[1.1,1]]", false),
    ("[[0,0,0],[1,1]]", false), ("[[0,\"0\"],[1,1]]", false), ("[0,1]", false), ("{}", false),
  ])
  func onlyValidPointsOfACurveAreRead(_ text: String, _ areSome: Bool) throws {
    let json = try #require(JSONParser.parse(SourceText(name: "a", text: text)).json)
    #expect(((try? CurvePoints.read(json, as: .points(upTo: 1)).get()) != nil) == areSome)
  }

  @Test func numbersOutsideTheirRangeAreRefused() {
    let kind = SettingKind.number(.factor, 0...1)
    #expect((try? Double.read(.number(1), as: kind).get()) == 1)
    #expect((try? Double.read(.number(1.0001), as: kind).get()) == nil)
    let whole = SettingKind.integer(.quality, 1...100)
    #expect((try? Int.read(JSON(.number("1e2")), as: whole).get()) == 100)
    #expect((try? Int.read(JSON(.number("1.5")), as: whole).get()) == nil)
    #expect((try? Int.read(JSON(.number("1e30")), as: whole).get()) == nil)
    #expect((try? Bool.read(.integer(1), as: .flag).get()) == nil)
  }
}
