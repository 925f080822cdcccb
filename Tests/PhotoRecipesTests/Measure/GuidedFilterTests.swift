import Testing

@testable import PhotoRecipes

/// The guided filter against NumPy in double precision.
@Suite struct GuidedFilterTests {
  private func compare(_ map: MapValues, with name: String) throws {
    let rows = try MeasuredPicture.rows(name, of: "guided.txt")
    #expect(rows.count > 60)
    for row in rows {
      let place = 2 * (Int(row[1]) * 64 + Int(row[0]))
      #expect(abs(Double(map.values[place]) - row[2]) < 1e-5, "\(name) a at \(row)")
      #expect(abs(Double(map.values[place + 1]) - row[3]) < 1e-5, "\(name) b at \(row)")
    }
  }

  @Test(arguments: [("self", 2, 0.01), ("wide", 60, 0.0025)])
  func smoothsByItself(_ name: String, _ radius: Int, _ epsilon: Double) throws {
    let luma = MeasuredPicture.view().luma
    let filter = GuidedFilter(radius: radius, epsilon: epsilon)
    let map = filter.coefficients(
      of: luma, guide: luma, weights: nil, size: MeasuredPicture.size)
    try compare(map, with: name)
  }

  @Test func edgesAreKeptMoreWhereAware() throws {
    let luma = MeasuredPicture.view().luma
    let map = GuidedFilter(radius: 3, epsilon: 0.01, isEdgeAware: true).coefficients(
      of: luma, guide: luma, weights: nil, size: MeasuredPicture.size)
    try compare(map, with: "edges")
  }

  @Test func pixelsCountByTheirWeights() throws {
    let luma = MeasuredPicture.view().luma
    let map = GuidedFilter(radius: 3, epsilon: 0.01).coefficients(
      of: luma, guide: luma, weights: MeasuredPicture.weights, size: MeasuredPicture.size)
    try compare(map, with: "weighted")
  }

  @Test func smoothsAnotherPlane() throws {
    let view = MeasuredPicture.view()
    let map = GuidedFilter(radius: 4, epsilon: 0.001).coefficients(
      of: view.pixels.map(\.z), guide: view.luma, weights: nil, size: view.size)
    try compare(map, with: "other")
  }

  /// Nothing to fit a line to: no division by zero.
  @Test(arguments: [Size(1, 1), Size(1, 9), Size(9, 1), Size(3, 2)], [0, 0.5, 1] as [Float])
  func flatPlanesStayFlat(_ size: Size, _ level: Float) {
    let plane = [Float](repeating: level, count: size.pixels)
    for weights in [nil, [Float](repeating: 0, count: size.pixels)] {
      let map = GuidedFilter(radius: 5, epsilon: 0.01).coefficients(
        of: plane, guide: plane, weights: weights, size: size)
      let expected = weights == nil ? level : 0
      for i in 0..<size.pixels {
        #expect(map.values[2 * i] == 0 && abs(map.values[2 * i + 1] - expected) < 1e-6)
      }
    }
  }
}
