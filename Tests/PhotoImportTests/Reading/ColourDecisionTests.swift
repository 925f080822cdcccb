import Testing

@testable import PhotoImport

@Suite struct ColourDecisionTests {
  private static let bare =
    "<ColorCorrection><SOPNode><Slope>2 2 2</Slope></SOPNode></ColorCorrection>"

  private func input(_ space: String) -> String {
    "<InputDescription>\(space)</InputDescription>"
  }

  private func spaces(_ root: String, _ content: String) throws -> [String?] {
    try ColourDecision.all(in: Array("<\(root)>\(content)</\(root)>".utf8)).map(\.input)
  }

  @Test func theNearestDescriptionOfTheInputCounts() throws {
    let own = Self.bare.replacing("<SOPNode>", with: input("logC3") + "<SOPNode>")
    for root in ["ColorDecisionList", "ColorCorrectionCollection"] {
      #expect(try spaces(root, input("acescct") + Self.bare + own) == ["acescct", "logC3"])
      #expect(try spaces(root, Self.bare + input("acescct")) == ["acescct"])
      #expect(try spaces(root, Self.bare) == [nil])
    }
    let first = "<ColorDecision>\(input("sLog3"))\(Self.bare)\(own)</ColorDecision>"
    let second = "<ColorDecision>\(Self.bare)</ColorDecision>"
    let list = input("acescct") + first + second
    #expect(try spaces("ColorDecisionList", list) == ["sLog3", "logC3", "acescct"])
  }
}
