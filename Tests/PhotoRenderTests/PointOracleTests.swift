import PhotoRecipes
import Testing

/// Point filters through the whole renderer against formulas computed in Python.
@Suite struct PointOracleTests {
  private static let cases = (try? PointOracle.table.get().cases) ?? []

  /// The largest difference, in levels of 16 bits.
  private static func worst(
    _ filters: String, _ wanted: [[ClosedRange<Int>]], maximum: Int
  ) throws -> Int {
    let table = try PointOracle.table.get()
    let bits = maximum == 255 ? 8 : 16
    let file = try Studio.develop(
      table.samples(maximum: maximum).file(), filters,
      output: #""format": "png", "bitDepth": "\#(bits)""#)
    let result = try Samples(file: file)
    try #require(result.maximum == maximum && result.width == wanted.count)
    var worst = 0
    for (x, pixel) in wanted.enumerated() {
      for (value, exact) in zip(result[x, 0], pixel) {
        let level = value * (65_535 / maximum)
        worst = max(worst, exact.lowerBound - level, level - exact.upperBound)
      }
    }
    return worst
  }

  /// Whether a filter works on pixels by themselves, and needs to see no photo for it.
  private static func isPoint<F: Filter>(_ type: F.Type) -> Bool {
    var graph = Graph()
    let input = graph.append(.original(shrink: 1))
    _ = type.init().append(to: &graph, after: input)
    return graph.nodes.dropFirst().allSatisfy {
      if case .program = $0.operation { true } else { false }
    }
  }

  @Test func theTableCoversThePointFilters() throws {
    let known = Set(Self.cases.map(\.name))
    #expect(known.isSubset(of: Catalog.filters.map { $0.name }))
    let missing = Catalog.filters.filter { [.tone, .colour].contains($0.category) }
      .filter { Self.isPoint($0) }.map { $0.name }.filter { !known.contains($0) }
    // These have tables of their own, of colour-science.
    #expect(missing == ["lut", "whiteBalance"])
  }

  @Test(arguments: cases) func eightBits(_ test: PointOracle.Case) throws {
    let worst = try Self.worst("[\(test.step)]", test.results, maximum: 255)
    #expect(worst <= 257, "off by \(worst) of 65535")
  }

  @Test(arguments: cases) func sixteenBits(_ test: PointOracle.Case) throws {
    let worst = try Self.worst("[\(test.step)]", test.results, maximum: 65_535)
    #expect(worst <= 4, "off by \(worst) of 65535")
  }

  /// At a quarter of its size the bound of 4 levels is one, and the roundings of both are another.
  @Test(arguments: cases) func outOfGamut(_ test: PointOracle.Case) throws {
    let filters = "[\(PointOracle.Case.spread), \(test.step), \(PointOracle.Case.back)]"
    let worst = try Self.worst(filters, test.wideResults, maximum: 65_535)
    #expect(worst <= 2, "off by \(worst) of 65535 at a quarter")
  }

  @Test(arguments: cases) func opacityZeroIsAbsence(_ test: PointOracle.Case) throws {
    let photo = try PointOracle.table.get().samples(maximum: 255).file()
    let step = test.step.dropLast() + #", "opacity": 0}"#
    #expect(try Studio.develop(photo, "[\(step)]") == Studio.develop(photo, "[]"))
  }

  @Test(arguments: cases) func opacityOneIsNoOpacity(_ test: PointOracle.Case) throws {
    let photo = try PointOracle.table.get().samples(maximum: 65_535).file()
    let step = test.step.dropLast() + #", "opacity": 1}"#
    #expect(try Studio.develop(photo, "[\(step)]") == Studio.develop(photo, "[\(test.step)]"))
  }
}
