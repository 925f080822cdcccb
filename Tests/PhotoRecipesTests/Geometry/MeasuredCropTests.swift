import TestRandom
import Testing

@testable import PhotoRecipes

/// Tests filters that search a photo for the part to keep, on small synthetic pictures.
@Suite struct MeasuredCropTests {
  /// The reduced picture of a photo that a filter measures: one colour, except where `pixel`
  /// returns another.
  private static func view(
    _ width: Int, _ height: Int, full: Int = 1, alpha: Bool = false,
    focal: Placement.Point? = nil, faces: [Face] = [], _ pixel: (Int, Int) -> SIMD3<Float>?
  ) -> PhotoView {
    var pixels: [SIMD3<Float>] = []
    var coverage: [Float] = []
    for y in 0..<height {
      for x in 0..<width {
        let value = pixel(x, y)
        pixels.append(value ?? SIMD3(0.9, 0.9, 0.9))
        coverage.append(value == nil ? 0 : 1)
      }
    }
    return PhotoView(
      size: Size(width, height), full: Size(width * full, height * full), pixels: pixels,
      alpha: alpha ? coverage : nil, focal: focal, faces: faces)
  }

  private static func crop(_ filter: any MeasuringFilter, _ view: PhotoView) -> Rectangle? {
    var graph = Graph()
    let input = graph.append(.original(shrink: 1))
    let node = filter.append(to: &graph, after: input, seeing: view)
    guard case .crop(.pixels(let rectangle)) = graph.nodes[node].operation else { return nil }
    return rectangle
  }

  private static func isInside(_ x: Int, _ y: Int) -> SIMD3<Float>? {
    (10..<30).contains(x) && (5..<17).contains(y) ? SIMD3(0.2, 0.3, 0.5) : nil
  }

  @Test(arguments: [false, true]) func trimIsExactAtFullSize(_ alpha: Bool) {
    let view = Self.view(40, 30, alpha: alpha, Self.isInside)
    #expect(
      Self.crop(Trim(), view) == Rectangle(left: 10, top: 5, size: Size(20, 12)))
  }

  /// A reduced picture locates the border only to within one of its pixels, so the crop is moved
  /// inwards by up to one pixel of the reduced picture.
  @Test func trimOfAReducedViewLeavesNoBorder() {
    let view = Self.view(40, 30, full: 8, Self.isInside)
    #expect(
      Self.crop(Trim(), view) == Rectangle(left: 88, top: 48, size: Size(144, 80)))
  }

  /// Opposite sides lose the same amount, that of the narrower border.
  ///
  /// The subject is nearer to the left and upper edges of the photo than to the others.
  @Test(arguments: [(true, false), (false, true), (true, true)])
  func trimCutsOppositeSidesAlike(_ isAcross: Bool, _ isDown: Bool) {
    var trim = Trim()
    (trim.isEvenAcross, trim.isEvenDown) = (isAcross, isDown)
    let view = Self.view(44, 30, Self.isInside)
    let size = Size(isAcross ? 24 : 20, isDown ? 20 : 12)
    #expect(Self.crop(trim, view) == Rectangle(left: 10, top: 5, size: size))
  }

  @Test func trimDoesNotChangeAPhotoOfOneColour() {
    #expect(Self.crop(Trim(), Self.view(8, 8) { _, _ in nil }) == nil)
  }

  @Test func trimRemovesOnlyBordersOfTheGivenColour() {
    var trim = Trim()
    trim.colour = Colour(red: 51, green: 77, blue: 128)
    let view = Self.view(40, 30) { x, y in
      Self.isInside(x, y) == nil ? SIMD3(0.2, 0.3, 0.5) : SIMD3(1, 1, 1)
    }
    #expect(Self.crop(trim, view) == Rectangle(left: 10, top: 5, size: Size(20, 12)))
  }

  @Test(arguments: [(0.0, 0), (0.5, 100), (0.75, 200), (1, 200)])
  func aFocalCropKeepsItsFocalPoint(_ x: Double, _ left: Int) {
    var filter = SmartCrop()
    filter.aspect = Ratio(width: 1, height: 1)
    filter.strategy = .focal
    filter.focus = MaskPoint(Placement.Point(x, 0.5))
    let view = Self.view(40, 20, full: 10) { _, _ in nil }
    #expect(Self.crop(filter, view) == Rectangle(left: left, top: 0, size: Size(200, 200)))
  }

  @Test func thePhotosOwnFocalPointIsKept() {
    var filter = SmartCrop()
    filter.aspect = Ratio(width: 1, height: 1)
    filter.strategy = .focal
    let view = Self.view(40, 20, full: 10, focal: .init(0.75, 0.5)) { _, _ in nil }
    #expect(Self.crop(filter, view) == Rectangle(left: 200, top: 0, size: Size(200, 200)))
    filter.focus = MaskPoint(Placement.Point(0.5, 0.5))
    #expect(Self.crop(filter, view) == Rectangle(left: 100, top: 0, size: Size(200, 200)))
    filter.strategy = .attention
    filter.focus = nil
    let plain = Self.view(40, 20, full: 10) { _, _ in nil }
    let wanted = Self.crop(filter, plain)
    filter.strategy = .focal
    #expect(Self.crop(filter, plain) == wanted)
  }

  /// If the recipe names no strategy, the crop keeps the focal point that the photo's metadata
  /// state; an explicit other strategy ignores this point.
  @Test func thePhotosOwnFocalPointReplacesTheDefault() {
    var filter = SmartCrop()
    filter.aspect = Ratio(width: 1, height: 1)
    let view = Self.view(40, 20, full: 10, focal: .init(0.75, 0.5)) { _, _ in nil }
    let kept = Rectangle(left: 200, top: 0, size: Size(200, 200))
    #expect(Self.crop(filter, view) == kept)
    #expect(filter.usesFocalPoint)
    for strategy in [SmartCrop.Strategy.attention, .entropy] {
      filter.strategy = strategy
      #expect(Self.crop(filter, view) != kept)
      #expect(!filter.usesFocalPoint)
    }
  }

  /// A face is kept even if all edges and colours are elsewhere; a focal point in the photo's
  /// metadata has priority over a face.
  @Test(arguments: [SmartCrop.Strategy.attention, .entropy, nil])
  func aSmartCropKeepsFaces(_ strategy: SmartCrop.Strategy?) throws {
    var filter = SmartCrop()
    filter.aspect = Ratio(width: 1, height: 1)
    filter.strategy = strategy
    var generator = SeededGenerator(seed: 9)
    func noise(_ x: Int, _ y: Int) -> SIMD3<Float>? {
      x < 28 ? SIMD3(repeating: Float.random(in: 0...1, using: &generator)) : nil
    }
    let face = Face(left: 0.8, top: 0.3, width: 0.1, height: 0.3)
    let kept = try #require(
      Self.crop(filter, Self.view(90, 30, full: 10, faces: [face], noise)))
    #expect(kept.left <= 720 && kept.left + 300 >= 810, "\(kept)")
    #expect(filter.seesFaces)
    guard strategy == nil else { return }
    let focal = Self.view(90, 30, full: 10, focal: .init(0.2, 0.5), faces: [face], noise)
    #expect(Self.crop(filter, focal)?.left == 30)
    filter.strategy = .focal
    filter.focus = MaskPoint(Placement.Point(0.2, 0.5))
    #expect(!filter.seesFaces)
  }

  /// The crop keeps the part with noise; the rest of the photo has one colour.
  @Test(arguments: [SmartCrop.Strategy.attention, .entropy], [false, true])
  func aSmartCropKeepsThePartWithNoise(_ strategy: SmartCrop.Strategy, _ isRight: Bool) throws {
    var filter = SmartCrop()
    filter.aspect = Ratio(width: 1, height: 1)
    filter.strategy = strategy
    var generator = SeededGenerator(seed: 7)
    let view = Self.view(90, 30, full: 10) { x, _ in
      let isBusy = isRight ? x >= 62 : x < 28
      return isBusy ? SIMD3(repeating: Float.random(in: 0...1, using: &generator)) : nil
    }
    let kept = try #require(Self.crop(filter, view))
    #expect(kept.size == Size(300, 300))
    #expect(isRight ? kept.left >= 560 : kept.left <= 40)
  }

  @Test func aPlainPhotoIsCroppedInTheMiddle() throws {
    var filter = SmartCrop()
    filter.aspect = Ratio(width: 1, height: 1)
    for strategy in [SmartCrop.Strategy.attention, .entropy] {
      filter.strategy = strategy
      let kept = try #require(Self.crop(filter, Self.view(90, 30) { _, _ in nil }))
      #expect(abs(kept.left - 30) <= 1)
    }
  }
}
