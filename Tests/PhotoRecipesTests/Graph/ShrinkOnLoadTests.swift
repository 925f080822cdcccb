import PhotoRecipes
import Testing

/// Tests plans in which the loader reduces a photo that is then cropped.
@Suite struct ShrinkOnLoadTests {
  private static func crop(
    _ left: Int, _ width: Int, top: Int = 333, kernel: String = "lanczos3"
  ) -> String {
    #"[{"filter": "crop", "left": \#(left), "top": \#(top), "width": \#(width), "height": 700}, "#
      + #"{"filter": "resize", "width": 125, "kernel": "\#(kernel)"}]"#
  }

  /// Rounding the crop to the loader's pixels would shift the picture.
  @Test(arguments: [100, 101, 102, 103, 2900, 2999])
  func aCropOfAReducedPhotoIsNotShifted(_ left: Int) throws {
    let shape = PhotoShape(
      stored: Size(4000, 3000), orientation: .upright, shrinks: [1, 2, 4, 8])
    func frame(_ rendering: RenderingMode) throws -> Homography {
      let graph = try GoldenGraphTests.plan(Self.crop(left, 1000), rendering: rendering)
      #expect("\(graph)".contains("shrink 4") == (rendering == .balanced))
      return try #require(graph.frames(for: shape)["o"])
    }
    let (exact, balanced) = (try frame(.exact), try frame(.balanced))
    for point in [Homography.Point(0.1, 0.2), [0.6, 0.9]] {
      let distance = exact(point) - balanced(point)
      #expect(max(abs(distance.x), abs(distance.y)) < 1e-9, "\(distance)")
    }
  }

  /// A part of the loader's pixels is taken only if the crop does not begin and end between them,
  /// and only by a resize that averages.
  @Test func otherCropsAreResizedWhole() throws {
    func plan(_ width: Int, _ crop: String) throws -> String {
      "\(try GoldenGraphTests.plan(crop, width))"
    }
    #expect(try plan(4000, Self.crop(101, 1000)).contains(" of 0.996×0.9943+0.001+0.0014"))
    #expect(try !plan(4000, Self.crop(101, 1000, kernel: "nearest")).contains(" of "))
    let whole = try plan(4000, Self.crop(100, 1000, top: 332))
    #expect(whole.contains("crop %0  250×175+25+83") && !whole.contains(" of "))
    // The loader leaves out the last three columns of the photo.
    let edge = try plan(4003, Self.crop(3000, 1003, top: 332))
    #expect(edge.contains("crop %0  250×175+750+83") && !edge.contains(" of "))
  }
}
