import PhotoRecipes
import TestSupport
import Testing

/// The filter removes coloured fringes; objects of the same colours, greys and the luminance stay
/// unchanged.
@Suite struct DefringeTests {
  /// A dark and a bright half; `fringe` has the colours of the pixels from x = 60 on.
  private static func edge(_ fringe: [[Int]], dark: [Int] = [30, 30, 30]) -> Samples {
    Samples(120, 40) { x, _ in
      if (60..<60 + fringe.count).contains(x) { return fringe[x - 60] }
      return x < 60 ? dark : [230, 230, 230]
    }
  }

  private static func range(_ colour: [Int]) -> Int { (colour.max() ?? 0) - (colour.min() ?? 0) }

  private static func light(_ colour: [Int]) -> Double {
    zip(colour, [0.2126, 0.7152, 0.0722])
      .reduce(0) { $0 + PointFormulas.light(Double($1.0) / 255) * $1.1 }
  }

  @Test(arguments: [
    [[90, 40, 140], [150, 90, 200]], [[120, 60, 160]], [[40, 120, 60], [120, 200, 140]],
  ])
  func fringesAreRemovedAndLuminanceStays(_ fringe: [[Int]]) throws {
    let photo = Self.edge(fringe)
    let found = try Defringe.applied(to: photo, #""purple": 1, "green": 1"#)
    for x in 0..<120 {
      let (old, new) = (photo[x, 20], found[x, 20])
      if Self.range(old) > 0 { #expect(Self.range(new) <= 2, "\(x): \(old) \(new)") }
      #expect(abs(Self.light(new) - Self.light(old)) < 0.006, "\(x): \(old) \(new)")
      if Self.range(old) == 0 { #expect(new == old, "\(x)") }
    }
  }

  /// A flower or a leaf keeps its colour up to its edge against the sky.
  @Test(arguments: [[110, 40, 160], [60, 140, 70]]) func colouredObjectsKeepTheirColourUpToTheEdge(
    _ colour: [Int]
  ) throws {
    let photo = Self.edge([], dark: colour)
    let found = try Defringe.applied(to: photo, #""purple": 1, "green": 1"#)
    #expect(found == photo)
  }

  /// Narrow leaves side by side are not treated as fringes, although each leaf is as narrow as a
  /// fringe.
  @Test func narrowLeavesSideBySideStayUnchanged() throws {
    let photo = Samples(120, 40) { x, _ in x % 4 < 2 ? [70, 170, 60] : [20, 60, 20] }
    #expect(try Defringe.applied(to: photo, #""green": 1"#).difference(from: photo) <= 10)
  }

  /// A purple line without an edge of high contrast is not treated as a fringe; lines of other hues
  /// never are.
  @Test func purpleLinesWithoutAStrongEdgeStayUnchanged() throws {
    let line = Samples(120, 40) { x, _ in x == 60 ? [150, 120, 170] : [130, 130, 130] }
    #expect(try Defringe.applied(to: line, #""purple": 1, "green": 1"#) == line)
    let red = Self.edge([[200, 60, 40]])
    #expect(try Defringe.applied(to: red, #""purple": 1, "green": 1"#) == red)
    let purple = Self.edge([[120, 60, 160]])
    #expect(try Defringe.applied(to: purple, #""purple": 0, "green": 1"#) == purple)
    let shifted = #""purple": 1, "purpleFrom": 10, "purpleTo": 20"#
    #expect(try Defringe.applied(to: purple, shifted) == purple)
    let around = #""purple": 1, "purpleFrom": 350, "purpleTo": 20"#
    #expect(try Defringe.applied(to: red, around) != red)
  }

  /// The colour of a fringe against a blue sky becomes that of the sky and the branch, not grey.
  @Test func fringesGetTheColourOfTheirNeighbours() throws {
    let photo = Samples(120, 40) { x, _ in
      x < 60 ? [30, 30, 30] : x < 62 ? [140, 80, 190] : [150, 190, 235]
    }
    let found = try Defringe.applied(to: photo, #""purple": 1"#)
    let colour = found[60, 20]
    #expect(colour[0] < colour[1] && colour[1] < colour[2], "\(colour)")
  }

  @Test func invalidSettingsOfDefringeAreRefused() throws {
    Defringe.expectRefusal(of: #""radius": 0"#, "from 1 to 16")
    Defringe.expectRefusal(of: #""radius": 17"#, "from 1 to 16")
    Defringe.expectRefusal(of: #""purpleFrom": -1"#, "from 0 to 360")
    try Defringe.expectNoChange(#""purple": 0, "green": 0"#)
  }
}
