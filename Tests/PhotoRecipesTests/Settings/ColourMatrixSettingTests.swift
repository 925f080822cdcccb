import Notation
import Testing

@testable import PhotoRecipes

@Suite struct ColourMatrixSettingTests {
  private func matrix(_ text: String) throws -> ColourMatrix? {
    let json = try #require(JSONParser.parse(SourceText(name: "a", text: text)).json)
    return try? ColourMatrix.read(json, as: .matrix).get()
  }

  @Test(arguments: [
    ("[[1,0,0],[0,1,0],[0,0,1]]", true), ("[[1,0,0,0.5],[0,1,0],[-16,16,1]]", true),
    ("[[1,0,0],[0,1,0]]", false), ("[[1,0,0],[0,1,0],[0,0,1],[0,0,0]]", false),
    ("[[1,0],[0,1],[0,0]]", false), ("[[1,0,0,0,0],[0,1,0],[0,0,1]]", false),
    ("[1,0,0,0,1,0,0,0,1]", false), ("[[1,0,\"0\"],[0,1,0],[0,0,1]]", false),
    ("[[1,0,17],[0,1,0],[0,0,1]]", false), ("{}", false), ("\"identity\"", false),
  ])
  func rowsOfAMatrixAreRead(_ text: String, _ areSome: Bool) throws {
    #expect(try (matrix(text) != nil) == areSome)
  }

  @Test func aWrittenMatrixIsReadUnchanged() throws {
    let text = "[[1,0.25,0,0.5],[0,1,0,0],[-0.5,0,1,-0.125]]"
    let read = try #require(try matrix(text))
    #expect(read.json?.compactText == text)
    #expect(read.offset == .init(0.5, 0, -0.125))
    #expect(ColourMatrix.identity.json?.compactText == "[[1,0,0],[0,1,0],[0,0,1]]")
  }
}
