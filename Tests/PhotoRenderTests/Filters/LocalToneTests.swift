import Foundation
import PhotoRecipes
import PhotoRender
import TestRandom
import TestSupport
import Testing

/// Local tone filters in whole renders, compared with their formulas in double precision.
@Suite struct LocalToneTests {
  private static let hazy =
    #"[{"filter": "highlights", "amount": -0.8}, {"filter": "shadows", "amount": 0.7}]"#

  /// A 16-bit picture with an edge, ramps and noise.
  ///
  /// It is so small that filters measure it at full size.
  private static func picture(_ width: Int = 90, _ height: Int = 62) -> Samples {
    var random = SeededGenerator(seed: 11)
    var values: [Int] = []
    for y in 0..<height {
      for x in 0..<width {
        let light = x + y < (width + height) / 2 ? 9_000 : 48_000
        for c in 0..<3 {
          let noise = Int.random(in: -4_000...4_000, using: &random)
          let ramp: Int = 90 * x + 40 * y * c - 30 * y
          values.append(min(65_535, max(0, light + noise + ramp)))
        }
      }
    }
    return Samples(width: width, height: height, bands: 3, maximum: 65_535, values: values)
  }

  private static func result(
    _ photo: Samples, _ filters: String, rendering: String = "balanced"
  ) throws -> Samples {
    try Samples(file: Studio.develop(photo.file(), filters, rendering: rendering))
  }

  @Test(arguments: ["balanced", "exact"])
  func consecutiveLocalFiltersMatchTheirFormulas(_ rendering: String) throws {
    let photo = Self.picture()
    let found = try Self.result(photo, Self.hazy, rendering: rendering)
    let base = LocalFormulas.base(of: photo, radius: 3)
    var worst = 0.0
    for y in 0..<photo.height {
      for x in 0..<photo.width {
        var pixel = photo[x, y].map { Double($0) / 65_535 }
        let luma = LocalFormulas.luma(pixel)
        var tone = base[y * photo.width + x]
        var (darker, brighter) = (1.0, 1.0)
        for change in [LocalFormulas.highlights(-0.8), LocalFormulas.shadows(0.7)] {
          let (next, low, high) = change(tone)
          (tone, darker, brighter) = (next, darker * low, brighter * high)
        }
        let first = base[y * photo.width + x]
        let target =
          luma < first
          ? tone * luma / (luma + darker * (first - luma))
          : 1 - (1 - tone) * (1 - luma) / (1 - luma + brighter * (luma - first))
        pixel = LocalFormulas.relit(pixel, target)
        for (value, wanted) in zip(found[x, y], pixel) {
          worst = max(worst, abs(Double(value) - 65_535 * min(1, max(0, wanted))))
        }
      }
    }
    // Most of the error comes from linear interpolation between the values of lookup tables.
    #expect(worst <= 10, "off by \(worst) of 65535")
  }

  /// The pixels of an output do not depend on the recipe's other outputs, nor on where the recipe
  /// names the steps.
  @Test(arguments: [
    #"{"filter": "highlights", "amount": -1}"#, #"{"filter": "localLight", "amount": 1}"#,
    #"{"filter": "toneEqualizer", "zone2": -1, "zone6": 1.5}"#,
  ])
  func outputsDoNotChangeEachOther(_ first: String) throws {
    let photo = try Self.picture(240, 160).file()
    let shadows = #"{"filter": "shadows", "amount": 1}"#
    func file(_ shared: String, _ outputs: [String]) throws -> [UInt8] {
      let list = zip("abc", outputs).map { name, filters in
        #"{"name": "\#(name)", "format": "png", "filters": [\#(filters)]}"#
      }
      let recipe = try Studio.recipe(
        text: """
          {"identifier": "org.example.test", "version": "1.0.0", "filters": [\(shared)],
           "outputs": [\(list.joined(separator: ", "))]}
          """)
      return try #require(try Studio.render(photo, recipe).files["a"])
    }
    let both = "\(first), \(shadows)"
    let alone = try file("", [both])
    #expect(try file("", [both, first]) == alone)
    #expect(try file("", [both, first, both + #", {"filter": "whites", "amount": 1}"#]) == alone)
    #expect(try file(first, [shadows, ""]) == alone)
  }

  /// A step that is mixed by an opacity changes the tones like a step that is not.
  @Test func opacityOfASecondStepDoesNotChangeItsTones() throws {
    let photo = Self.picture(240, 160)
    let steps = #"[{"filter": "highlights", "amount": -1}, {"filter": "shadows", "amount": 1"#
    let full = try Self.result(photo, steps + "}]")
    let part = try Self.result(photo, steps + #", "opacity": 0.999}]"#)
    let most = zip(full.values, part.values).map { abs($0 - $1) }.max() ?? 0
    #expect(most <= 60, "off by \(most) of 65535")
  }

  @Test(
    arguments: ["highlights", "shadows", "clarity", "texture"], [-1.0, 1.0])
  func greysStayGreyAndKeepTheirOrder(_ filter: String, _ amount: Double) throws {
    let values = (0..<40).flatMap { _ in
      (0..<400).flatMap { x in Array(repeating: x * 65_535 / 399, count: 3) }
    }
    let ramp = Samples(width: 400, height: 40, bands: 3, maximum: 65_535, values: values)
    let found = try Self.result(ramp, #"[{"filter": "\#(filter)", "amount": \#(amount)}]"#)
    var last = -1
    for x in 0..<400 {
      let pixel = found[x, 20]
      #expect(pixel.max() == pixel.min())
      #expect(pixel[0] >= last, "\(filter) \(amount) at \(x)")
      last = pixel[0]
    }
    #expect(found[0, 20, 0] == 0 && found[399, 20, 0] == 65_535)
  }

  @Test(
    arguments: ["highlights", "shadows", "clarity", "texture", "dehaze"])
  func theOrderOfAPixelsChannelsStays(_ filter: String) throws {
    let photo = Self.picture()
    for amount in [-1, 1] {
      let found = try Self.result(photo, #"[{"filter": "\#(filter)", "amount": \#(amount)}]"#)
      for y in 0..<photo.height {
        for x in 0..<photo.width {
          let (a, b) = (photo[x, y], found[x, y])
          for (i, j) in [(0, 1), (1, 2), (0, 2)] where a[i] > a[j] {
            #expect(b[i] >= b[j] || filter == "dehaze", "\(filter) \(amount) at \(x), \(y)")
          }
        }
      }
    }
  }

  /// A crop, rotation or flip after local tone filters is computed before these filters, and gives
  /// the same pixels.
  @Test(arguments: [
    hazy, #"[{"filter": "dehaze", "amount": 0.8}]"#, #"[{"filter": "clahe"}]"#,
    #"[{"filter": "texture", "amount": 1}]"#,
  ])
  func cropsAndRotationsAreComputedBeforeLocalToneFilters(_ filters: String) throws {
    let photo = Self.picture()
    let whole = try Self.result(photo, filters)
    let steps = filters.dropLast()
    let cut = try Self.result(
      photo, steps + #", {"filter": "crop", "left": 17, "top": 9, "width": 40, "height": 30}]"#)
    let turned = try Self.result(photo, steps + #", {"filter": "rotate", "angle": 90}]"#)
    let flipped = try Self.result(photo, steps + #", {"filter": "flip"}]"#)
    try #require(cut.width == 40 && turned.width == photo.height)
    var worst = 0
    func compare(_ a: [Int], _ b: [Int]) {
      for (p, q) in zip(a, b) { worst = max(worst, abs(p - q)) }
    }
    for y in 0..<30 {
      for x in 0..<40 { compare(cut[x, y], whole[x + 17, y + 9]) }
    }
    for y in 0..<photo.height {
      for x in 0..<photo.width {
        compare(turned[photo.height - 1 - y, x], whole[x, y])
        compare(flipped[photo.width - 1 - x, y], whole[x, y])
      }
    }
    #expect(worst <= 2, "off by \(worst) of 65535")
  }

  /// The opacity of a local tone filter mixes its result with the photo.
  @Test func opacityMixesTheResultWithThePhoto() throws {
    let photo = Self.picture()
    let full = try Self.result(photo, #"[{"filter": "shadows", "amount": 1}]"#)
    let half = try Self.result(photo, #"[{"filter": "shadows", "amount": 1, "opacity": 0.5}]"#)
    for (index, value) in half.values.enumerated() {
      let wanted = (full.values[index] + photo.values[index]) / 2
      if abs(value - wanted) > 2 {
        Issue.record("\(value) instead of \(wanted)")
        break
      }
    }
  }

  /// A large photo looks like a small one: the filters measure it at a reduced size, and apply the
  /// result at full size.
  @Test func largePhotosLookLikeSmallOnes() throws {
    let small = Self.picture(240, 160)
    var values: [Int] = []
    for y in 0..<640 {
      for x in 0..<960 { values += small[x / 4, y / 4] }
    }
    let large = Samples(width: 960, height: 640, bands: 3, maximum: 65_535, values: values)
    let reduced = try Self.result(small, Self.hazy)
    let found = try Self.result(large, Self.hazy)
    var sum = 0.0
    for y in 0..<160 {
      for x in 0..<240 {
        for (a, b) in zip(reduced[x, y], found[4 * x + 2, 4 * y + 2]) { sum += Double(abs(a - b)) }
      }
    }
    #expect(sum / Double(small.values.count) < 400)
  }

  @Test func transparentPixelsDoNotChangeLocalTone() throws {
    func photo(hidden: Int) -> Samples {
      var random = SeededGenerator(seed: 5)
      let values = (0..<60 * 40).flatMap { place -> [Int] in
        let colour = (0..<3).map { _ in Int.random(in: 60...180, using: &random) }
        return place % 60 < 30 ? colour + [255] : [hidden, hidden, hidden, 0]
      }
      return Samples(width: 60, height: 40, bands: 4, maximum: 255, values: values)
    }
    for filters in [Self.hazy, #"[{"filter": "autoLevels"}]"#, #"[{"filter": "clahe"}]"#] {
      let dark = try Self.result(photo(hidden: 0), filters)
      let bright = try Self.result(photo(hidden: 255), filters)
      for y in 0..<40 {
        for x in 0..<30 { #expect(dark[x, y] == bright[x, y]) }
      }
    }
  }
}

/// The formulas of the local filters as their documentation states them.
enum LocalFormulas {
  static func luma(_ p: [Double]) -> Double { 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2] }

  /// The new tone for a tone of the local base (the smoothed luma), and the gains for detail that
  /// is darker or brighter than the base.
  typealias Change = (_ base: Double) -> (tone: Double, darker: Double, brighter: Double)

  static func shadows(_ amount: Double) -> Change {
    { b in
      let r = 1 + (amount > 0 ? 2.4 : 0.8) * amount * pow(1 - b, 4)
      return (r * b, 1, r * (1 - b) / (1 - r * b))
    }
  }

  static func highlights(_ amount: Double) -> Change {
    { b in
      let q = 1 - (amount < 0 ? 1.45 : 0.8) * amount * pow(b, 3)
      let tone = 1 - q * (1 - b)
      return (tone, q.squareRoot() * b / tone, max(q.squareRoot() / q, q / 2.45))
    }
  }

  /// The luma without the smaller differences from its surroundings.
  ///
  /// It is computed pixel by pixel, for photos up to 128 pixels wide.
  static func base(of photo: Samples, radius: Int) -> [Double] {
    let (width, height) = (photo.width, photo.height)
    let luma = (0..<width * height).map { place in
      Self.luma(photo[place % width, place / width].map { Double($0) / 65_535 })
    }
    func mean(_ plane: [Double], _ radius: Int = radius) -> [Double] {
      (0..<width * height).map { place in
        let (x, y) = (place % width, place / width)
        var (sum, count) = (0.0, 0.0)
        for j in max(0, y - radius)...min(height - 1, y + radius) {
          for i in max(0, x - radius)...min(width - 1, x + radius) {
            sum += plane[j * width + i]
            count += 1
          }
        }
        return sum / count
      }
    }
    func variance(_ radius: Int) -> [Double] {
      zip(mean(luma, radius), mean(luma.map { $0 * $0 }, radius)).map { max(0, $1 - $0 * $0) }
    }
    // The texture measure: the mean variance of windows of 3 × 3 pixels, relative to the variance
    // of the large window.
    let textures = zip(zip(variance(radius), variance(radius + 1)), mean(variance(1)))
      .map { variances, small in
        let t = min(1, max(0, (small / (max(variances.0, variances.1) + 1e-9) - 0.3) / 0.2))
        return t * t * (3 - 2 * t)
      }
    let (across, down) = (Self.weights(width), Self.weights(height))
    func base(_ x: Int, _ y: Int, _ tone: Double) -> Double {
      var (total, texture, edges, inTexture) = (0.0, 0.0, 0.0, 0.0)
      for (j, wy) in down[y] {
        for (i, wx) in across[x] {
          let d = luma[j * width + i] - tone
          total += wx * wy
          texture += wx * wy * textures[j * width + i]
          edges += wx * wy * d * exp(-d * d / (2 * 0.06 * 0.06))
          inTexture += wx * wy * d * exp(-d * d / (2 * 0.12 * 0.12))
        }
      }
      return tone + (edges + texture / total * (inTexture - edges)) / total
    }
    return (0..<width * height).map { place in
      let (x, y, position) = (place % width, place / width, luma[place] * 31)
      let knot = min(30, floor(position))
      let (low, high) = (base(x, y, knot / 31), base(x, y, (knot + 1) / 31))
      return low + (position - knot) * (high - low)
    }
  }

  /// For each position on a line, the positions around it and their weights: three box sums of
  /// radius 2, which end at the line's ends.
  private static func weights(_ length: Int) -> [[(place: Int, weight: Double)]] {
    (0..<length).map { place in
      var line = (0..<length).map { $0 == place ? 1.0 : 0 }
      for _ in 0..<3 {
        line = line.indices.map { line[max(0, $0 - 2)...min(length - 1, $0 + 2)].reduce(0, +) }
      }
      return line.indices.filter { line[$0] > 0 }.map { ($0, line[$0]) }
    }
  }

  static func relit(_ p: [Double], _ target: Double) -> [Double] {
    let y = luma(p)
    let ratio = (target + 0.001) / (y + 0.001)
    let colour = min(4, ratio < 1 ? ratio : 0.2 + 0.8 * ratio)
    let change = p.map { target - y + (colour - 1) * ($0 - y) }
    let most = p.max() ?? 0
    let rise = target - y + (colour - 1) * (most - y)
    let grey = 1 - min(1, max(0, (most - y) / max(most, 0.001)))
    let part = rise > 0 ? 1 - (1 - pow(grey, 3)) * rise / (rise + max(0, 1 - most) + 1e-6) : 1
    let lit = zip(p, change).map { $0 + part * $1 }
    func way(_ p: [Double]) -> Double { ((p.max() ?? 0) - luma(p)) / max(1 - luma(p), 0.0001) }
    let (before, after) = (way(p), way(lit))
    let growth = (after + 0.001) / (before + 0.001) - 1
    if rise <= 0 || growth <= 0 { return lit }
    let factor = min(1 / (1 + growth * pow(min(1, before), 4)), max(1, before) / after)
    return lit.map { luma(lit) + factor * ($0 - luma(lit)) }
  }
}
