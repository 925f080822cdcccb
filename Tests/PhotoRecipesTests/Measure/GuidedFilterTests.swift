import Testing

@testable import PhotoRecipes

/// Compares the guided filter with NumPy in double precision.
@Suite struct GuidedFilterTests {
  @Test(arguments: [("self", 2, 0.01), ("wide", 60, 0.0025)])
  func smoothsByItself(_ name: String, _ radius: Int, _ epsilon: Double) throws {
    let luma = MeasuredPicture.view().luma
    let filter = GuidedFilter(radius: radius, epsilon: epsilon)
    let map = filter.coefficients(
      of: luma, guide: luma, weights: nil, size: MeasuredPicture.size)
    try MeasuredPicture.expect(map, toBe: name)
  }

  @Test func pixelsCountByTheirWeights() throws {
    let luma = MeasuredPicture.view().luma
    let map = GuidedFilter(radius: 3, epsilon: 0.01).coefficients(
      of: luma, guide: luma, weights: MeasuredPicture.weights, size: MeasuredPicture.size)
    try MeasuredPicture.expect(map, toBe: "weighted")
  }

  @Test func smoothsAnotherPlane() throws {
    let view = MeasuredPicture.view()
    let map = GuidedFilter(radius: 4, epsilon: 0.001).coefficients(
      of: view.pixels.map(\.z), guide: view.luma, weights: nil, size: view.size)
    try MeasuredPicture.expect(map, toBe: "other")
  }

  /// A flat plane has no variance: the filter must not divide by zero.
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
