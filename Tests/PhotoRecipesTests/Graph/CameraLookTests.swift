import TestRandom
import Testing

@testable import PhotoRecipes

@Suite struct CameraLookTests {
  private static func scene() -> [SIMD3<Float>] {
    var random = SeededGenerator(seed: 5)
    return (0..<4000).map { _ in
      let light = Float.random(in: 0.01...0.9, using: &random)
      return SIMD3(light, light * 0.9, light * Float.random(in: 0.7...0.9, using: &random))
    }
  }

  /// The point program that makes `scene` look like `target`, as a function of a display-encoded
  /// colour.
  private static func program(
    _ target: [SIMD3<Float>], _ scene: [SIMD3<Float>]
  ) throws -> (ColourMatrix.Vector) -> ColourMatrix.Vector {
    let look = CameraLook(target: try #require(PictureTones(target)))
    var graph = Graph()
    let start = graph.append(.original(shrink: 1))
    let size = Size(scene.count, 1)
    let end = look.append(
      to: &graph, after: start, seeing: PhotoView(size: size, full: size, pixels: scene))
    guard case .program(let program) = graph.nodes[end].operation else {
      throw CancellationError()
    }
    return { program($0) ?? .zero }
  }

  /// If a camera applies one curve to each channel, the look that is fitted to its picture
  /// reproduces this curve.
  @Test func theToneCurveOfACameraIsFound() throws {
    let scene = Self.scene()
    func tone(_ x: Float) -> Float { x * (1.9 - 0.9 * x) }
    let target = scene.map { SIMD3(tone($0.x), tone($0.y), tone($0.z)) }
    let program = try Self.program(target, scene)
    for light in [0.1, 0.3, 0.5, 0.8] {
      let found = program(.init(repeating: light))
      #expect(abs(found.x - Double(tone(Float(light)))) < 0.01)
      #expect(abs(found.x - found.z) < 0.01)
    }
    // Black stays black, values below it are mirrored, and the curve rises above the brightest tone
    // of the scene too.
    let (dark, light) = (program(.init(repeating: -0.1)), program(.init(repeating: 0.1)))
    #expect(program(.zero).x == 0 && abs(dark.x + light.x) < 1e-9)
    #expect(program(.init(repeating: 1.5)).x > program(.init(repeating: 0.9)).x)
  }

  @Test func theFittedLookComesNearerToTheCamerasSaturation() throws {
    let scene = Self.scene()
    let target = scene.map { pixel in
      let luma = 0.2126 * pixel.x + 0.7152 * pixel.y + 0.0722 * pixel.z
      return SIMD3(repeating: luma) + (pixel - SIMD3(repeating: luma)) * 1.3
    }
    let program = try Self.program(target, scene)
    let colour = program(.init(0.6, 0.5, 0.4))
    #expect(colour.x - colour.z > 0.21)
  }

  /// A spot that is healed first changes neither the light for which white is balanced nor the
  /// place of the look.
  @Test func healingComesBeforeTheLook() throws {
    let recipe = try RecipeText(
      filters: """
        [{"filter": "heal", "spots": [{"at": [0.2, 0.3], "radius": "1%"}]},
         {"filter": "whiteBalance", "kelvin": 4000}, {"filter": "exposure", "stops": -1}]
        """
    ).recipe()
    #expect(recipe.cameraLight != nil)
    let graph = recipe.withoutCameraLight.graph
    let developed = graph.developed(with: .neutral)
    // The nodes before the look are the photo, its orientation, the heal and the exposure.
    #expect(developed.nodes.firstIndex { $0.operation == .program(NeutralTone.program()) } == 4)
    let masked = try RecipeText(
      filters: """
        [{"filter": "heal", "spots": [{"at": [0.2, 0.3], "radius": "1%"}], "opacity": 0.5},
         {"filter": "whiteBalance", "kelvin": 4000}]
        """
    ).recipe()
    #expect(masked.cameraLight == nil)
  }

  @Test func theLookComesAfterTheStepsOnSceneLight() throws {
    let recipe = try RecipeText(
      filters: #"[{"filter": "exposure", "stops": -1}, {"filter": "saturation", "amount": 0.2}]"#
    ).recipe()
    let graph = recipe.graph
    let developed = graph.developed(with: .neutral)
    #expect(developed.nodes.count == graph.nodes.count + 1)
    let place = developed.nodes.firstIndex { $0.operation == .program(NeutralTone.program()) }
    // The nodes before the look are the photo, its orientation and the exposure.
    #expect(place == 3)
    #expect(graph.developed(with: nil) == graph)
  }
}
