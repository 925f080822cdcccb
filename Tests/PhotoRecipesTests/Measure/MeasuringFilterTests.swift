import Foundation
import Testing

@testable import PhotoRecipes

/// Tests filters that measure the photo: their measurements are compared with NumPy.
@Suite struct MeasuringFilterTests {
  /// The instructions that a filter appends after it has measured `view`, the reduced photo.
  private func instructions(
    _ filter: any MeasuringFilter, seeing view: PhotoView
  ) -> [PointProgram.Instruction] {
    var graph = Graph()
    let photo = graph.append(.original(shrink: 1))
    let node = filter.append(to: &graph, after: photo, seeing: view)
    guard case .program(let program) = graph.nodes[node].operation else { return [] }
    return program.instructions
  }

  @Test func quantilesEqualThoseOfNumPy() throws {
    let counts = ToneCounts(MeasuredPicture.view().luma)
    let rows = try MeasuredPicture.rows("quantile", of: "measured.txt")
    #expect(rows.count == 8)
    for row in rows {
      let found = try #require(counts.quantile(row[0]))
      #expect(abs(found - row[1]) < 2e-5, "\(row)")
    }
  }

  @Test func levelsOfEachChannelEqualItsQuantiles() throws {
    let rows = try MeasuredPicture.rows("channels", of: "measured.txt")
    var filter = AutoLevels()
    (filter.blackClip, filter.whiteClip, filter.channels) = (1, 1, .rgb)
    let made = instructions(filter, seeing: MeasuredPicture.view())
    guard case .channels(let red, let green, let blue) = made.first, made.count == 1 else {
      Issue.record("\(made)")
      return
    }
    let black = try #require(rows.first { $0[0] == 0.01 })
    let white = try #require(rows.first { $0[0] == 0.99 })
    for (c, curve) in [red, green, blue].enumerated() {
      let line = try #require(curve.first)
      #expect(abs(line(black[c + 1])) < 1e-4 && abs(line(white[c + 1]) - 1) < 1e-4)
    }
  }

  @Test func strengthMovesBlackAndWhiteByAFractionOfTheWay() throws {
    let view = MeasuredPicture.view()
    let ends = (view.pixels.map { $0.min() }.min() ?? 0, view.pixels.map { $0.max() }.max() ?? 0)
    var filter = Normalize()
    filter.strength = 0.5
    guard case .channels(let red, _, _) = instructions(filter, seeing: view).first,
      let line = red.first
    else {
      Issue.record("no line")
      return
    }
    #expect(abs(line(Double(ends.0) / 2)) < 1e-4)
    #expect(abs(line((1 + Double(ends.1)) / 2) - 1) < 1e-4)
  }

  /// The result of a program for a display-encoded grey; the program's curves are the same for all
  /// channels.
  private func shown(_ grey: Double, _ program: [PointProgram.Instruction]) -> Double {
    program.reduce(grey) { value, instruction in
      guard case .channels(let red, _, _) = instruction else { return value }
      return red.reduce(value) { $1($0) }
    }
  }

  @Test func exposureBringsTheAverageToTheTarget() throws {
    let row = try #require(try MeasuredPicture.rows("logAverage", of: "measured.txt").first)
    var filter = AutoExposure()
    // The filter should make the average 1.1 times as bright, and by the limit not brighter; the
    // picture's highlights may reduce this gain.
    filter.target = min(0.7, 1.1 * row[0])
    filter.limit = log2(1.1)
    let made = instructions(filter, seeing: MeasuredPicture.view())
    let gain = Curve.decode(shown(0.5, made)) / Curve.decode(0.5)
    let brightest = try #require(MeasuredPicture.pixels.map { $0.max() }.max())
    #expect(gain >= 1 && gain <= 1.1 + 1e-5 && (brightest > 0.9 || abs(gain - 1.1) < 1e-5))
  }

  @Test func exposureStaysWithinItsLimit() {
    let black = PhotoView(
      size: Size(2, 2), full: Size(2, 2), pixels: Array(repeating: .zero, count: 4))
    var filter = AutoExposure()
    filter.limit = 1.5
    let gain = Curve.decode(shown(0.4, instructions(filter, seeing: black))) / Curve.decode(0.4)
    #expect(abs(gain - exp2(1.5)) < 1e-9)
  }

  /// The colour of transparent pixels has no effect on a crop by strategy.
  @Test(arguments: [SmartCrop.Strategy.attention, .entropy])
  func transparentPixelsDoNotMoveCrops(_ strategy: SmartCrop.Strategy) {
    let alpha = (0..<64 * 48).map { Float($0 % 64 < 40 ? 1 : 0) }
    func graph(hidesColours: Bool) -> Graph {
      let pixels = zip(MeasuredPicture.pixels, alpha).map { $1 == 1 || hidesColours ? $0 : .one }
      let view = PhotoView(
        size: MeasuredPicture.size, full: MeasuredPicture.size, pixels: pixels, alpha: alpha)
      var graph = Graph()
      let photo = graph.append(.original(shrink: 1))
      let aspect = Ratio(width: 1, height: 2)
      let filter = SmartCrop.with { ($0.aspect, $0.strategy) = (aspect, strategy) }
      graph.addOutput("out", filter.append(to: &graph, after: photo, seeing: view))
      return graph
    }
    #expect(graph(hidesColours: true) == graph(hidesColours: false))
  }

  /// The colour of transparent pixels has no effect on a filter that measures the photo.
  @Test(arguments: Catalog.filters.compactMap { ($0 as? any MeasuringFilter.Type)?.name })
  func transparentPixelsDoNotChangeMeasurements(_ name: String) throws {
    let type = try #require(Catalog.filter(named: name) as? any MeasuringFilter.Type)
    let filter = type.init()
    let alpha = (0..<64 * 48).map { Float($0 % 64 < 40 ? 1 : 0) }
    func view(hidden: SIMD3<Float>) -> PhotoView {
      let pixels = zip(MeasuredPicture.pixels, alpha).map { $1 == 1 ? $0 : hidden }
      return PhotoView(
        size: MeasuredPicture.size, full: MeasuredPicture.size, pixels: pixels, alpha: alpha)
    }
    func graph(hidden: SIMD3<Float>) -> Graph {
      var graph = Graph()
      let photo = graph.append(.original(shrink: 1))
      graph.addOutput(
        "out", filter.append(to: &graph, after: photo, seeing: view(hidden: hidden)))
      return graph
    }
    let dark = graph(hidden: .zero)
    let bright = graph(hidden: .one)
    // Maps may differ at transparent pixels.
    func visible(_ graph: Graph) -> [PhotoRecipes.Operation] {
      graph.nodes.map { node in
        guard case .map(.values(let map)) = node.operation, map.size == MeasuredPicture.size else {
          return node.operation
        }
        let values = map.values.indices.map {
          alpha[$0 / map.bands] == 1 ? map.values[$0] : 0
        }
        return .map(.values(MapValues(size: map.size, bands: map.bands, values: values)))
      }
    }
    #expect(visible(dark) == visible(bright))
  }

  /// Filters that measure the photo give finite settings even if the photo has only one tone, is
  /// black, or has no visible pixel.
  @Test(arguments: Catalog.filters.compactMap { ($0 as? any MeasuringFilter.Type)?.name })
  func emptyPhotosGiveFiniteNumbers(_ name: String) throws {
    let type = try #require(Catalog.filter(named: name) as? any MeasuringFilter.Type)
    for size in [Size(1, 1), Size(5, 1), Size(8, 6)] {
      for level in [0, 0.5, 1] as [Float] {
        for alpha in [nil, 0] as [Float?] {
          let view = PhotoView(
            size: size, full: size,
            pixels: Array(repeating: SIMD3(repeating: level), count: size.pixels),
            alpha: alpha.map { Array(repeating: $0, count: size.pixels) })
          var graph = Graph()
          let photo = graph.append(.original(shrink: 1))
          _ = type.init().append(to: &graph, after: photo, seeing: view)
          for node in graph.nodes {
            if case .map(.values(let map)) = node.operation {
              let isFinite = map.values.allSatisfy { $0.isFinite }
              #expect(isFinite, "\(name) \(size) \(level)")
            }
            #expect(!"\(node.operation.details)".contains("nan"), "\(name) \(size) \(level)")
            #expect(!"\(node.operation.details)".contains("inf"), "\(name) \(size) \(level)")
          }
        }
      }
    }
  }

  /// Consecutive filters that change highlights, shadows and light become one instruction, which
  /// reads one map.
  @Test func neighbouringLocalToneFiltersShareOneMap() throws {
    var graph = Graph()
    var node = graph.append(.original(shrink: 1))
    var (highlights, shadows, light) = (Highlights(), Shadows(), LocalLight())
    (highlights.amount, shadows.amount, light.amount) = (-0.5, 0.5, 0.4)
    for filter in [highlights, shadows, light] as [any MeasuringFilter] {
      node = filter.append(to: &graph, after: node)
    }
    graph.addOutput("out", node)
    let first = try #require(graph.nextView(for: .balanced))
    graph = graph.replacing(first.node, seeing: MeasuredPicture.view())
    for _ in 0..<2 {
      let next = try #require(graph.nextView(for: .balanced))
      graph = try #require(graph.continuing(next.node))
    }
    #expect(graph.nextView(for: .balanced) == nil)
    graph = graph.fused
    #expect(graph.nodes.count == 3)
    let end = try #require(graph.outputs.first?.node)
    guard case .program(let program) = graph.nodes[end].operation,
      case .local(let tone) = program.instructions.first
    else {
      Issue.record("\(graph)")
      return
    }
    #expect(program.instructions.count == 1)
    for base in stride(from: 0.0, through: 1, by: 0.01) {
      let one = highlights.sample(base)
      let two = shadows.sample(one.tone)
      let three = light.sample(two.tone)
      #expect(abs(tone[base].tone - three.tone) < 1e-4)
      #expect(
        abs(tone[base].darker - one.darker * two.darker * three.darker) < 1e-3
          && abs(tone[base].brighter - one.brighter * two.brighter * three.brighter) < 1e-2)
    }
  }

  @Test func filtersWithDifferentBasesMeasureThePhotoTwice() throws {
    var graph = Graph()
    let photo = graph.append(.original(shrink: 1))
    var (clarity, texture) = (Clarity(), Texture())
    (clarity.amount, texture.amount) = (0.4, 0.4)
    let node = clarity.append(to: &graph, after: photo)
    graph.addOutput("out", texture.append(to: &graph, after: node))
    let first = try #require(graph.nextView(for: .balanced))
    graph = graph.replacing(first.node, seeing: MeasuredPicture.view())
    let next = try #require(graph.nextView(for: .balanced))
    #expect(graph.continuing(next.node) == nil)
  }

  /// The new tones of the local base (the smoothed luma) are strictly increasing, and detail keeps
  /// its order, at every setting.
  @Test(arguments: [-1, -0.5, 0.5, 1])
  func localToneFiltersKeepTheOrderOfTones(_ amount: Double) {
    var (highlights, shadows, clarity, texture) = (Highlights(), Shadows(), Clarity(), Texture())
    (highlights.amount, shadows.amount, clarity.amount, texture.amount) = (
      amount, amount, amount, amount
    )
    for filter in [highlights, shadows, clarity, texture] as [any LocalToneFilter] {
      let tone = LocalTone(filter.base) { filter.sample($0) }
      for (a, b) in zip(tone.samples, tone.samples.dropFirst()) { #expect(a.tone < b.tone) }
      #expect(tone.samples.allSatisfy { $0.darker > 0 && $0.brighter > 0 })
      #expect(tone[0].tone == 0 && tone[1].tone == 1)
    }
  }
}
