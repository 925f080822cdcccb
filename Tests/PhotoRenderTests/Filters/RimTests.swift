import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing

/// Filters that must not create halos: compares pixels beside an edge with pixels far from the
/// edge, in levels of 255.
@Suite struct RimTests {
  private static let (width, height) = (512, 96)

  /// A step from dark on the left to bright on the right, display-encoded; the edge is `soft`
  /// pixels wide.
  private static func step(_ dark: Double, _ bright: Double, soft: Double) -> Samples {
    let row = (0..<width).flatMap { x -> [Int] in
      let way = soft == 0 ? (x < width / 2 ? 0 : 1) : (Double(x) + 0.5 - 256) / soft + 0.5
      let level = dark + (bright - dark) * min(1, max(0, way))
      return Array(repeating: Int((65_535 * level).rounded()), count: 3)
    }
    return Samples(
      width: width, height: height, bands: 3, maximum: 65_535,
      values: (0..<height).flatMap { _ in row })
  }

  /// The maximum overshoot above the level at the bright side's end, and the maximum undershoot
  /// below the level at the dark side's end.
  private static func rims(
    _ photo: Samples, _ filter: String, around edge: Int = 0
  ) throws -> (bright: Double, dark: Double) {
    let result = try Samples(file: Studio.develop(photo.file(), "[\(filter)]"))
    let line = (0..<width).map { Double(result[$0, height / 2, 1]) / 257 }
    let middle = width / 2
    let bright = line[(middle + edge)...].reduce(0) { max($0, $1 - line[width - 1]) }
    let dark = line[..<(middle - edge)].reduce(0) { max($0, line[0] - $1) }
    return (bright, dark)
  }

  /// A filter step, and the maximum halo in levels.
  private static let bounds: [(step: String, most: Double)] = [
    (#"{"filter": "clarity", "amount": 1}"#, 2.5), (#"{"filter": "clarity", "amount": 0.4}"#, 1),
    (#"{"filter": "texture", "amount": 1}"#, 4),
  ]
  /// The dark level, the bright level, and the width of the edge in pixels.
  private static let edges: [(Double, Double, Double)] = [
    (0.05, 0.9, 0), (0.15, 0.75, 0), (0.2, 0.6, 0), (0.15, 0.75, 6), (0.2, 0.6, 6),
  ]
  /// The dark level, the bright level, and the maximum difference, in levels, between the tone
  /// beside the edge and the tone far from it.
  private static let tones: [(Double, Double, Double)] = [
    (0.05, 0.9, 2), (0.15, 0.75, 2), (0.2, 0.6, 2),
  ]

  @Test(arguments: TestVolume.pairs(bounds, edges))
  func localContrastFiltersCreateNoHalosAtEdges(
    _ filter: (step: String, most: Double), _ edge: (Double, Double, Double)
  ) throws {
    let found = try Self.rims(Self.step(edge.0, edge.1, soft: edge.2), filter.step, around: 3)
    #expect(max(found.bright, found.dark) <= filter.most, "\(filter.step) at \(edge): \(found)")
  }

  /// Clarity hardly changes a small step between two tones, although it strengthens texture of the
  /// same contrast.
  @Test(
    arguments: TestVolume.pairs(
      [4, 8, 10, 12, 14, 16, 20, 24, 32, 40, 50, 60] as [Double], [0.25, 0.5, 0.7]))
  func clarityHardlyChangesSmallStepsBetweenTones(_ levels: Double, _ middle: Double) throws {
    let half = levels / 510
    let found = try Self.rims(
      Self.step(middle - half, middle + half, soft: 1), #"{"filter": "clarity", "amount": 1}"#)
    #expect(max(found.bright, found.dark) <= 8, "\(levels) levels at \(middle): \(found)")
  }

  /// The gain in contrast of noise that is blurred by `sigma` pixels, in a frame 512 pixels wide.
  @Test(arguments: [(0.7, 2.1), (2, 2.0), (4, 1.8)]) func clarityStrengthensFineTexture(
    _ sigma: Double, _ least: Double
  ) throws {
    let texture = BlurredNoise(width: 512, height: 256, sigma: sigma, deviation: 10)
    let result = try Samples(
      file: Studio.develop(
        texture.samples.file(), #"[{"filter": "clarity", "amount": 1}]"#))
    let gain = result.deviation / texture.samples.deviation
    #expect(gain >= least, "σ \(sigma): \(gain)")
  }

  /// Pixels beside an edge get the same tone as pixels far from it.
  @Test(
    arguments: [
      #"{"filter": "shadows", "amount": 1}"#, #"{"filter": "highlights", "amount": -1}"#,
    ],
    tones)
  func pixelsBesideAnEdgeGetTheToneOfPixelsFarFromIt(
    _ filter: String, _ edge: (Double, Double, Double)
  ) throws {
    let result = try Samples(
      file: Studio.develop(Self.step(edge.0, edge.1, soft: 0).file(), "[\(filter)]"))
    let line = (0..<Self.width).map { Double(result[$0, Self.height / 2, 1]) / 257 }
    let dark = line[..<256].map { abs($0 - line[0]) }.max() ?? .infinity
    let bright = line[256...].map { abs($0 - line[Self.width - 1]) }.max() ?? .infinity
    #expect(max(dark, bright) <= edge.2, "\(filter) at \(edge): \(dark), \(bright)")
  }

  /// A gradient of a bright sky, 512 × 384 pixels, and the objects in front of it.
  ///
  /// `isObject` is true inside the objects; their edges are sharp.
  private static func sky(
    _ levels: ClosedRange<Double>, object: Double,
    isObject: (_ x: Double, _ y: Double) -> Bool = { _, _ in false }
  ) -> Samples {
    Samples(512, 384, maximum: 65_535) { x, y in
      let (u, v) = (Double(x) + 0.5, Double(y) + 0.5)
      let sky = levels.lowerBound + (levels.upperBound - levels.lowerBound) * v / 384
      let level = isObject(u, v) ? object : sky
      return Array(repeating: Int((257 * level).rounded()), count: 3)
    }
  }

  private static func isHead(_ x: Double, _ y: Double) -> Bool {
    hypot(x - 256, y - 170) < 36 || hypot((x - 256) / 2, y - 290) < 80
  }

  /// Calls `body` for each pixel of a photo that is at least 3 pixels away from all objects.
  private static func eachInSky(
    _ isObject: (_ x: Double, _ y: Double) -> Bool, _ body: (_ x: Int, _ y: Int) -> Void
  ) {
    let around = (0..<8).map { (step: Int) -> (across: Double, down: Double) in
      let angle = Double(step) * Double.pi / 4
      return (3 * cos(angle), 3 * sin(angle))
    }
    for y in 4..<380 {
      for x in 4..<508 {
        let (u, v) = (Double(x) + 0.5, Double(y) + 0.5)
        let isNear = around.contains { isObject(u + $0.across, v + $0.down) }
        if !isObject(u, v), !isNear { body(x, y) }
      }
    }
  }

  /// The sky beside a dark head becomes as bright as without the head.
  @Test(
    arguments: TestVolume.one(
      of: 2, [(150.0...245, 40.0), (200...250, 20), (170...240, 80), (170...240, 100)]))
  func theSkyBesideADarkHeadHasNoHalo(_ levels: ClosedRange<Double>, _ head: Double) throws {
    let steps = #"[{"filter": "highlights", "amount": -1}, {"filter": "shadows", "amount": 1}]"#
    let photo = Self.sky(levels, object: head, isObject: Self.isHead)
    let found = try Samples(file: Studio.develop(photo.file(), steps))
    let empty = try Samples(file: Studio.develop(Self.sky(levels, object: 0).file(), steps))
    var halo = 0.0
    Self.eachInSky(Self.isHead) { x, y in
      halo = max(halo, Double(abs(found[x, y, 1] - empty[x, y, 1])) / 257)
    }
    #expect(halo <= 2, "a head of \(head) in front of \(levels): \(halo)")
  }

  /// Clarity makes no patches around wires and poles: beside them, the change of the flat sky
  /// varies by at most half a level per pixel.
  @Test(arguments: TestVolume.pairs([2.0, 4, 8], [12.0, 25, 50, 100]))
  func clarityMakesNoPatchesAroundThinObjects(_ width: Double, _ contrast: Double) throws {
    func isThin(_ x: Double, _ y: Double) -> Bool {
      let isPole = abs(x - 180) < width / 2 && y > 60
      let isWire = abs(y - 150) < width / 2 && x > 120
      return isPole || isWire
    }
    let photo = Self.sky(185...200, object: 190 - contrast, isObject: isThin)
    let found = try Samples(
      file: Studio.develop(photo.file(), #"[{"filter": "clarity", "amount": 1}]"#))
    func change(_ x: Int, _ y: Int) -> Double {
      Double(found[x, y, 1] - photo[x, y, 1]) / 257
    }
    var slope = 0.0
    Self.eachInSky(isThin) { x, y in
      slope = max(
        slope, abs(change(x + 1, y) - change(x, y)), abs(change(x, y + 1) - change(x, y)))
    }
    #expect(slope <= 0.5, "\(width) pixels of \(contrast) levels: \(slope)")
  }

  /// By default, the halo of a wide unsharp mask is limited, and the halo of a narrow one is not;
  /// `halo` changes this limit.
  @Test func theHaloOfAWideUnsharpMaskIsLimited() throws {
    let photo = Self.step(0.2, 0.6, soft: 0)
    func rim(_ settings: String) throws -> Double {
      let found = try Self.rims(photo, #"{"filter": "sharpen", \#(settings)}"#)
      return max(found.bright, found.dark)
    }
    #expect(try rim(#""amount": 1, "radius": 3"#) <= 7)
    #expect(try rim(#""amount": 1, "radius": 10"#) <= 1.5)
    #expect(try rim(#""amount": 1, "radius": 3, "halo": 0"#) >= 40)
    #expect(try rim(#""amount": 1, "radius": 3, "halo": 1"#) <= 0.1)
    let narrow = try rim(#""amount": 0.5, "radius": 0.8"#)
    #expect(try narrow == rim(#""amount": 0.5, "radius": 0.8, "halo": 0"#) && narrow > 10)
  }

  /// A dark pole in front of a hazy sky: as much haze is removed from pixels beside the pole as
  /// from pixels far from the pole.
  @Test func hazeBesideADarkPoleIsRemovedToo() throws {
    let (width, height) = (512, 384)
    var values: [Int] = []
    for y in 0..<height {
      for x in 0..<width {
        let isPole = y > 60 && (250..<258).contains(x)
        // The sky is brighter towards the horizon.
        let sky = [110 + y * 85 / 300, 125 + y * 75 / 300, 150 + y * 55 / 300]
        values += y >= 300 ? [50, 60, 30] : isPole ? [25, 25, 25] : sky
      }
    }
    let photo = Samples(width: width, height: height, bands: 3, maximum: 255, values: values)
    let result = try Samples(
      file: Studio.develop(photo.file(), #"[{"filter": "dehaze", "amount": 1}]"#))
    let far = result[60, 150]
    for x in [220, 235, 245, 248, 259, 262, 275, 290] {
      let apart = zip(result[x, 150], far).map { abs($0 - $1) }.max() ?? 255
      #expect(apart <= 4, "at \(x): \(result[x, 150]) instead of \(far)")
    }
  }
}
