import PhotoRecipes
import TestRandom
import TestSupport
import Testing

/// The table of expected values covers all point filters, and an opacity has the right effect on
/// each of these filters.
///
/// Each filter's own tests check its formula.
@Suite struct PointOracleTests {
  private static let cases = (try? PointOracle.table.get().cases) ?? []

  /// True if a filter works on single pixels and does not measure the photo.
  private static func isPoint<F: Filter>(_ type: F.Type) -> Bool {
    var graph = Graph()
    let input = graph.append(.original(shrink: 1))
    _ = type.init().append(to: &graph, after: input)
    return graph.nodes.dropFirst().allSatisfy {
      if case .program = $0.operation { true } else { false }
    }
  }

  @Test func theTableOfExpectedValuesCoversAllPointFilters() throws {
    let known = Set(Self.cases.map(\.name))
    #expect(known.isSubset(of: Catalog.filters.map { $0.name }))
    let missing = Catalog.filters.filter { [.tone, .colour].contains($0.category) }
      .filter { Self.isPoint($0) }.map { $0.name }.filter { !known.contains($0) }
    // The expected values of these two filters are in other tables, which colour-science computed;
    // other tests check them.
    #expect(missing == ["lut", "whiteBalance"])
  }

  @Test(arguments: TestVolume.one(of: 2, cases))
  func anOpacityOfZeroRemovesTheStep(_ test: PointOracle.Case) throws {
    let photo = try PointOracle.table.get().samples(maximum: 255).file()
    let step = test.step.dropLast() + #", "opacity": 0}"#
    #expect(try Studio.develop(photo, "[\(step)]") == Studio.develop(photo, "[]"))
  }

  @Test(arguments: TestVolume.one(of: 2, cases)) func anOpacityOfOneEqualsAStepWithoutOpacity(
    _ test: PointOracle.Case
  ) throws {
    let photo = try PointOracle.table.get().samples(maximum: 65_535).file()
    let step = test.step.dropLast() + #", "opacity": 1}"#
    #expect(try Studio.develop(photo, "[\(step)]") == Studio.develop(photo, "[\(test.step)]"))
  }
}
