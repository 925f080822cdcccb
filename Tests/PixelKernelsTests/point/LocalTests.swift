import Foundation
import TestReference
import Testing
import Vips

/// The instructions that read maps, compared with their formulas in double precision.
@Suite struct LocalTests {
  enum Kind: CaseIterable { case local, dehaze, tiles }

  /// The position of the image on its map.
  enum Lie: CaseIterable {
    case upright, cropped, turned, mirrored

    /// The six floats r of `u = r0 + r1 x + r2 y`, `v = r3 + r4 x + r5 y`.
    func rows(_ width: Int, _ height: Int) -> [Double] {
      let (w, h) = (1 / Double(width), 1 / Double(height))
      return switch self {
      case .upright: [w / 2, w, 0, h / 2, 0, h]
      case .cropped: [0.3 + w / 8, w / 4, 0, 0.1 + h / 4, 0, h / 2]
      case .turned: [1 - h / 2, 0, -h, w / 2, w, 0]
      case .mirrored: [1 - w / 2, -w, 0, h / 2, 0, h]
      }
    }
  }

  private static let steps = 32

  /// A map of increasing curves with noise: many curves of two values for `local`, and few curves
  /// of nine or more values for the other kinds.
  private static func map(_ kind: Kind) -> Raster {
    switch kind {
    case .tiles:
      return Raster(5, 3, bands: 9) { x, y, k in
        pow(Double(k) / 8, 0.5 + Double((x * 7 + y * 5) % 6) / 4)
      }
    case .dehaze:
      return Raster(12, 9, bands: 32) { x, y, k in
        pow(Double(k) / 31, 1 + Double((x * 5 + y * 7) % 6) / 4)
      }.stored(as: .float)
    case .local:
      let noise = Raster.noise(23, 11, bands: 2)
      return Raster(23, 11, bands: 2) { x, y, band in
        let part = Double(x) / 22
        return 0.7 * (band == 0 ? part / 2 : 1 - part / 2) + 0.3 * noise.value(x, y, band)
      }.stored(as: .float)
    }
  }

  private static func payload(_ kind: Kind, _ lie: Lie, _ width: Int, _ height: Int) -> [Float] {
    let place = [0] + lie.rows(width, height).map { Float($0) }
    switch kind {
    case .tiles: return place
    case .dehaze: return place + [0.8, 0.75, 0.9, 0.85, 0.25, 0.5]
    case .local:
      let table = (0...steps).flatMap { k -> [Float] in
        let base = Double(k) / Double(steps)
        return [Float(pow(base, 0.8)), Float(2 - base), Float(0.5 + base), Float(2.5 - 2 * base)]
      }
      return place + [Float(steps)] + table
    }
  }

  private static func opcode(_ kind: Kind) -> PointProgram.Opcode {
    switch kind {
    case .local: .local
    case .dehaze: .dehaze
    case .tiles: .tiles
    }
  }

  private static func program(_ kind: Kind, _ lie: Lie, _ width: Int, _ height: Int) -> [UInt8] {
    PointProgram(instructions: [.init(opcode(kind), payload(kind, lie, width, height))]).bytes
  }

  private static func run(
    _ image: Image, _ kind: Kind, _ lie: Lie, to: SampleFormat, portable: Bool = false
  ) throws -> Image {
    try image.applying(
      "phbatch_point",
      [
        "program": .blob(program(kind, lie, image.width, image.height)),
        "maps": .images([map(kind).image(as: .float)]), "format": .choice(to.rawValue),
        "portable": .flag(portable),
      ])
  }

  @Test(arguments: Kind.allCases, Lie.allCases)
  func theMapInstructionsMatchTheirFormulas(_ kind: Kind, _ lie: Lie) throws {
    for (from, range) in [
      // Removing haze from a luma above 1 divides rounding errors by one another.
      (SampleFormat.uchar, 0.0...1.0), (.ushort, 0...1),
      (.float, -0.3...(kind == .dehaze ? 1 : 1.4)),
    ] {
      for (width, height) in [(700, 5), (40, 31), (3, 2)] {
        let input = Raster.noise(width, height, bands: 3, in: range).stored(as: from)
        let reference = MapReference(
          map: Self.map(kind), payload: Self.payload(kind, lie, width, height).map(Double.init))
        let expected = Raster(width, height) { x, y in
          let pixel = SIMD3(input.value(x, y, 0), input.value(x, y, 1), input.value(x, y, 2))
          return switch kind {
          case .local: reference.local(pixel, x, y)
          case .dehaze: reference.dehazed(pixel, x, y)
          case .tiles: reference.tiled(pixel, x, y)
          }
        }
        for to in SampleFormat.allCases {
          let output = try Self.run(input.image(as: from), kind, lie, to: to)
          let distance = try expected.distance(to: output, as: to)
          // The tolerance is larger than in the other tests, because a value just below white is
          // divided by its distance from white.
          #expect(distance <= 1.5 * to.longTolerance, "\(from) to \(to), \(width)×\(height)")
        }
      }
    }
  }

  @Test(arguments: Kind.allCases, Lie.allCases)
  func mapInstructionsDoNotDependOnTilesOrInstructionSets(_ kind: Kind, _ lie: Lie) throws {
    let image = try Raster.noise(1201, 61, bands: 4, in: -0.2...1.2).image(as: .float)
    let whole = try Self.run(image, kind, lie, to: .float).pixels()
    let portable = try Self.run(image, kind, lie, to: .float, portable: true).pixels()
    #expect(portable.firstDifference(from: whole) == nil)
    for threads in [1, 4] {
      for (width, height) in [(37, 29), (700, 1), (1, 50)] {
        let tiled = try Threads.with(threads) {
          try Self.run(image.applying("copy"), kind, lie, to: .float).applying(
            "tilecache",
            [
              "tile_width": .integer(width), "tile_height": .integer(height),
              "max_tiles": .integer(3), "threaded": .flag(true),
            ]
          ).pixels()
        }
        #expect(tiled.firstDifference(from: whole) == nil, "\(width)×\(height)")
      }
    }
  }

  @Test func nonFiniteValuesNeverIndexATable() throws {
    let values: [Double] = [.nan, .infinity, -.infinity, 1e30, -1e30, 0]
    let input = try Raster(6, 1, bands: 3) { x, _, _ in values[x] }.image(as: .float)
    for kind in Kind.allCases {
      #expect(try Self.run(input, kind, .upright, to: .uchar).pixels().count == 18)
    }
  }

  @Test func mapInstructionsWithInvalidPayloadsThrow() throws {
    let image = try Raster.noise(4, 4, bands: 3).image(as: .uchar)
    func run(_ opcode: PointProgram.Opcode, _ payload: [Float], bands: Int? = 2) throws {
      var arguments: [String: Argument] = [
        "program": .blob(PointProgram(instructions: [.init(opcode, payload)]).bytes),
        "format": .choice("uchar"),
      ]
      if let bands {
        arguments["maps"] = .images([try Raster.noise(2, 2, bands: bands).image(as: .float)])
      }
      _ = try image.applying("phbatch_point", arguments).pixels()
    }
    let place: [Float] = [0, 0, 1, 0, 0, 0, 1]
    let table: [Float] = [1, 0, 1, 1, 1, 1, 1, 1, 1]
    try run(.local, place + table)
    try run(.tiles, place)
    try run(.dehaze, place + [1, 1, 1, 0.5, 0.1, 0.5])
    let bad: [(PointProgram.Opcode, [Float], Int?)] = [
      (.local, place + table, 1), (.local, place + table, nil),
      (.local, [1] + place[1...] + table, 2),
      (.local, place + [0] + table[1...], 2), (.local, place + table + [1], 2),
      (.local, place + [1, -0.1, 1, 1, 1, 1, 1, 1, 1], 2), (.local, place, 2), (.local, [], 2),
      (.tiles, place, 1), (.tiles, place, nil), (.tiles, [0.5] + place[1...], 2),
      (.tiles, place + [0], 2), (.dehaze, place + [1, 1, 1, 0.5, 0, 0.5], 2),
      (.dehaze, place + [1, 1, 1, 0.5, -1, 0.5], 2),
      (.dehaze, place + [1, 1, 1, 0.5, 0.1, 0.5], 1), (.dehaze, place + [1, 1, 1, 0.5, 0.1], 2),
      (.dehaze, place + [1, 1, 1, 0.5, 0.1, -0.1], 2),
    ]
    for (opcode, payload, bands) in bad {
      #expect(throws: VipsError.self, "\(opcode) \(payload)") {
        try run(opcode, payload, bands: bands)
      }
    }
  }
}

/// The formulas of the instructions that read maps, in double precision.
struct MapReference {
  typealias Pixel = SIMD3<Double>

  let map: Raster
  let payload: [Double]

  private func unit(_ x: Double) -> Double { min(1, max(0, x)) }

  private func luma(_ p: Pixel) -> Double { 0.2126 * p.x + 0.7152 * p.y + 0.0722 * p.z }

  /// A value of the map at a pixel of the image, interpolated bilinearly between the centres of the
  /// map's pixels; `value` returns the value of a map pixel.
  private func sample(_ x: Int, _ y: Int, _ value: (_ x: Int, _ y: Int) -> Double) -> Double {
    let r = payload[1..<7].map { $0 }
    let (i, j) = (Double(x), Double(y))
    let across: Double = unit(r[0] + r[1] * i + r[2] * j)
    let down: Double = unit(r[3] + r[4] * i + r[5] * j)
    let column: Double = across * Double(map.width) - 0.5
    let row: Double = down * Double(map.height) - 0.5
    let (u, v) = (
      min(Double(map.width - 1), max(0, column)), min(Double(map.height - 1), max(0, row))
    )
    var sum = 0.0
    let (left, top) = (Int(u), Int(v))
    for j in top...min(top + 1, map.height - 1) {
      for i in left...min(left + 1, map.width - 1) {
        let near: Double = max(0, 1 - abs(u - Double(i)))
        let weight: Double = near * max(0, 1 - abs(v - Double(j)))
        if weight > 0 { sum += weight * value(i, j) }
      }
    }
    return sum
  }

  /// The value of the map's curves at `guide`, by default the luma of the pixel.
  private func curve(_ p: Pixel, _ x: Int, _ y: Int, at guide: Double? = nil) -> Double {
    let n = map.bands - 1
    let position = unit(guide ?? luma(p)) * Double(n)
    let knot = min(Int(position), n - 1)
    let part = position - Double(knot)
    return sample(x, y) { i, j in
      let (low, high) = (map.value(i, j, knot), map.value(i, j, knot + 1))
      return low + part * (high - low)
    }
  }

  private func relit(_ p: Pixel, _ target: Double) -> Pixel {
    let y = unit(luma(p))
    let ratio = (target + 0.001) / (y + 0.001)
    let colour = min(4, ratio < 1 ? ratio : 0.2 + 0.8 * ratio)
    let change = Pixel(repeating: target - y) + (colour - 1) * (p - luma(p))
    let most = p.max()
    let rise = target - y + (colour - 1) * (most - luma(p))
    if rise <= 0 { return p + change }
    let grey = 1 - unit((most - luma(p)) / max(most, 0.001))
    let lit = p + (1 - (1 - pow(grey, 3)) * rise / (rise + max(0, 1 - most) + 1e-6)) * change
    // The position of the greatest channel between the luma (0) and white (1).
    func way(_ p: Pixel) -> Double { (p.max() - luma(p)) / max(1 - luma(p), 0.0001) }
    let (before, after) = (way(p), way(lit))
    let growth = (after + 0.001) / (before + 0.001) - 1
    if growth <= 0 { return lit }
    let factor = min(1 / (1 + growth * pow(min(1, before), 4)), max(1, before) / after)
    return Pixel(repeating: luma(lit)) + factor * (lit - luma(lit))
  }

  func local(_ p: Pixel, _ x: Int, _ y: Int) -> Pixel {
    let base = unit(curve(p, x, y))
    let light = unit(luma(p))
    let n = Int(payload[7])
    let position = base * Double(n)
    let knot = min(Int(position), n - 1)
    let entry = (0..<4).map { k -> Double in
      let (a, b) = (payload[8 + 4 * knot + k], payload[12 + 4 * knot + k])
      return a + (position - Double(knot)) * (b - a)
    }
    if light < base {
      return relit(p, entry[0] * (light + 1e-6) / (light + 1e-6 + entry[1] * (base - light)))
    }
    let rest = 1 - light + 1e-6
    return relit(p, 1 - (1 - entry[0]) * rest / (rest + entry[2] * (light - base)))
  }

  func dehazed(_ p: Pixel, _ x: Int, _ y: Int) -> Pixel {
    let air = Pixel(payload[7], payload[8], payload[9])
    let guide = luma(p) - 0.6 * max(0, p.x - p.z)
    let gain = 1 / max(1 - payload[10] * unit(curve(p, x, y, at: guide)), payload[11])
    if payload[10] < 0 { return air + gain * (p - air) }
    let (light, target) = (unit(luma(p)), cleared(unit(luma(p)), luma(air), gain))
    // The odds of the saturation grow by `odds`.
    let odds = 1 + payload[12] * (gain - 1)
    let saturation = unit((light - p.min()) / (light + 1e-6))
    let more = odds / (1 + (odds - 1) * saturation)
    var scale = more * (target + 0.001) / (light + 0.001)
    let way = unit((p.max() - light) / (1 - light + 1e-6))
    let growth = scale * (1 - light + 1e-6) / (1 - target + 1e-6)
    if growth > 1 { scale /= 1 + (growth - 1) * way }
    return Pixel(repeating: luma(p) + target - light) + scale * (p - luma(p))
  }

  /// The luma after the removal of haze in front of air with the luma `air`.
  private func cleared(_ luma: Double, _ air: Double, _ gain: Double) -> Double {
    if luma >= air {
      let way = (luma - air) / (1 - air + 1e-6)
      return air + (1 - air + 1e-6) * gain * way / (1 + (gain - 1) * way)
    }
    let line = air + gain * (luma - air)
    let half = luma / 2 + 1e-6
    return line < half ? half / 2 * (1 + pow(max(0, line / half), 2)) : line
  }

  func tiled(_ p: Pixel, _ x: Int, _ y: Int) -> Pixel { relit(p, curve(p, x, y)) }
}
