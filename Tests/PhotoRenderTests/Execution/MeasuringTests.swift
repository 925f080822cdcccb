import PhotoRecipes
import PhotoRender
import Synchronization
import TestSupport
import Testing
import Vips

/// Filters whose operations depend on a measurement of the photo.
@Suite struct MeasuringTests {
  private static func render(
    _ photo: [UInt8], _ steps: [any Filter], before: String = "[]", output: [any Filter] = [],
    rendering: String
  ) throws -> Samples {
    var recipe = try Studio.recipe(
      before, output: #""format": "png", "bitDepth": "16""#, rendering: rendering)
    recipe.steps += steps.map { Step($0) }
    recipe.outputs[0].steps += output.map { Step($0) }
    return try Samples(file: #require(try Studio.render(photo, recipe).files["out"]))
  }

  @Test(arguments: ["exact", "balanced"])
  func aFilterChangesThePhotoByItsMeasurement(_ rendering: String) throws {
    for (bands, maximum) in [(3, 255), (3, 65_535), (4, 255)] {
      let colour = [0.2, 0.4, 0.6, 1].prefix(bands).map { Int($0 * Double(maximum)) }
      let photo = try Samples.flat(colour, 700, 300, maximum: maximum).file()
      let result = try Self.render(photo, [Centring(target: 0.5)], rendering: rendering)
      let pixel = result[350, 150].prefix(3)
      #expect(pixel.allSatisfy { abs($0 - 32_768) <= 40 }, "\(bands) × \(maximum): \(pixel)")
    }
  }

  @Test(arguments: ["exact", "balanced"])
  func filtersMeasureTheResultOfEarlierFilters(_ rendering: String) throws {
    let photo = try Samples.noise(640, 400).file()
    let seen = Views()
    let result = try Self.render(
      photo, [Centring(target: 0.7), Watching(views: seen), Centring(target: 0.3)],
      output: [Watching(views: seen), Centring(target: 0.6)], rendering: rendering)
    let means = seen.all.map { view in
      view.pixels.map { Double($0.x) }.reduce(0, +) / Double(view.pixels.count)
    }
    #expect(means.count == 2)
    #expect(zip(means, [0.7, 0.3]).allSatisfy { abs($0 - $1) < 0.002 }, "\(means)")
    // The last filter sets the mean before values are clipped to 0…1; in the file, only a few
    // values are clipped.
    let mean = Double(result.values.reduce(0, +)) / Double(result.values.count) / 65_535
    #expect(abs(mean - 0.6) < 0.05)
  }

  /// A filter measures the photo as the previous steps left it, upright and reduced to 512 pixels.
  @Test(arguments: ["exact", "balanced"], ["png", "jpeg", "tiff"])
  func filtersMeasureTheReducedUprightResultOfEarlierSteps(
    _ rendering: String, _ format: String
  ) throws {
    let waves = Samples.waves(1500, 1000, maximum: 255)
    let fields: [String: Vips.Field?] = format == "png" ? [:] : ["orientation": .integer(6)]
    let photo = try waves.file("\(format)save_target", fields: fields)
    let before =
      #"[{"filter": "exposure", "stops": 0.4}, {"filter": "crop", "left": 0.1, "width": 0.8}, {"filter": "vignette", "intensity": -0.5}, {"filter": "flip"}, {"filter": "blur", "radius": 1}]"#
    let seen = Views()
    let full = try Self.render(
      photo, [Watching(views: seen)], before: before, rendering: rendering)
    let view = try #require(seen.all.first)
    #expect(seen.all.count == 1)
    #expect(view.full == Size(full.width, full.height))
    #expect(view.size.longEdge == 512)
    #expect(view.pixels.count == view.size.pixels && view.alpha == nil)
    // Compares with the nearest pixels of the full-size rendition; this is possible because the
    // waves are broad.
    for y in stride(from: 0, to: view.size.height, by: 5) {
      for x in stride(from: 0, to: view.size.width, by: 5) {
        let pixel = view.pixels[y * view.size.width + x]
        let column = (2 * x + 1) * full.width / (2 * view.size.width)
        let row = (2 * y + 1) * full.height / (2 * view.size.height)
        let other = full[column, row].map { Double($0) / 65_535 }
        for band in 0..<3 {
          #expect(abs(Double(pixel[band]) - other[band]) < 0.02, "\(x), \(y)")
        }
      }
    }
  }

  @Test(arguments: ["exact", "balanced"]) func smallPhotosAreMeasuredAtFullSize(
    _ rendering: String
  ) throws {
    let photo = Samples.noise(40, 30, bands: 4)
    let seen = Views()
    _ = try Self.render(photo.file(), [Watching(views: seen)], rendering: rendering)
    let view = try #require(seen.all.first)
    #expect(view.size == Size(40, 30) && view.full == view.size)
    for (index, pixel) in view.pixels.enumerated() {
      let wanted = photo[index % 40, index / 40].map { Float($0) / 255 }
      #expect((0..<3).allSatisfy { abs(pixel[$0] - wanted[$0]) < 1e-5 })
      #expect(abs((view.alpha?[index] ?? -1) - wanted[3]) < 1e-5)
    }
  }

  /// Opacity, blend mode and mask apply to a measured step like to any other step.
  @Test func masksAndOpacityApplyToMeasuredSteps() throws {
    let photo = Samples.noise(60, 40, maximum: 65_535)
    var recipe = try Studio.recipe("[]", output: #""format": "png", "bitDepth": "16""#)
    var step = Step(Centring(target: 0.9))
    step.mask = Mask(
      .radial(centre: .init(0.5, 0.5), radii: .init(0.3, 0.3), angle: 0, feather: 0))
    recipe.steps = [step]
    let result = try Samples(file: #require(try Studio.render(photo.file(), recipe).files["out"]))
    #expect(result[2, 2] == photo[2, 2])
    #expect(result[30, 20, 0] > photo[30, 20, 0])
  }

  @Test func aMeasurementCanBeCancelled() throws {
    let photo = try Samples.noise(800, 800).file()
    var recipe = try Studio.recipe("[]")
    recipe.steps = [Step(Centring(target: 0.5))]
    let monitor = Monitor()
    monitor.cancel()
    let target = try TemporaryFile()
    #expect(throws: RenderError.cancelled) {
      try Renderer(recipe).render(
        .bytes(photo), into: ["out": target.descriptor], monitor: monitor)
    }
  }

  /// The pass that measures also reports a truncated photo.
  @Test func aTruncatedPhotoIsReportedByTheMeasurement() throws {
    let photo = try Samples.noise(800, 800).file("jpegsave_target")
    var recipe = try Studio.recipe("[]")
    recipe.steps = [Step(Centring(target: 0.5))]
    #expect {
      try Studio.render(Array(photo.prefix(photo.count / 2)), recipe)
    } throws: { error in
      guard case RenderError.truncated = error else { return false }
      return true
    }
  }
}

/// A filter that measures the mean of each channel, and shifts this mean to a target.
private struct Centring: MeasuringFilter {
  static let name = "centring"
  static let summary = "Shifts the mean to a target."
  static let category = FilterCategory.tone
  static let space = WorkingSpace.encoded
  static let settings: [Setting<Self>] = []

  var target = 0.5

  func append(to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView) -> Graph.ID {
    let sum = view.pixels.reduce(SIMD3<Double>.zero) { $0 + SIMD3<Double>($1) }
    let shift = target - sum / Double(view.pixels.count)
    let lines = (0..<3).map { [Curve.linear(slope: 1, offset: shift[$0])] }
    return graph.append(
      [.channels(red: lines[0], green: lines[1], blue: lines[2])], in: Self.space, after: input)
  }
}

/// A filter that records the reduced photo that it measures, and changes nothing.
private struct Watching: MeasuringFilter {
  static let name = "watching"
  static let summary = "Keeps what it sees."
  static let category = FilterCategory.tone
  static let space = WorkingSpace.encoded
  static let settings: [Setting<Self>] = []

  var views = Views()

  func append(to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView) -> Graph.ID {
    views.add(view)
    return input
  }
}

/// The reduced photos that filters measured in one render, in order.
private final class Views: Sendable, Hashable {
  private let seen = Mutex<[PhotoView]>([])

  var all: [PhotoView] { seen.withLock { $0 } }

  func add(_ view: PhotoView) { seen.withLock { $0.append(view) } }

  static func == (a: Views, b: Views) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
