import PhotoRecipes
import PhotoRender
import Synchronization
import TestSupport
import Testing
import Vips

/// Rendering of all frames of an animation.
@Suite struct AnimationTests {
  private static let colours = [[250, 10, 10], [10, 250, 10], [10, 10, 250]]

  private static func animation(_ saver: String, count: Int = 3) throws -> [UInt8] {
    let frames = try (0..<count).map { try Samples.flat(colours[$0 % 3], 40, 20).image() }
    let tall = try Image.calling("arrayjoin", ["in": .images(frames), "across": .integer(1)])
      .image("out").setting([
        "page-height": .integer(20), "n-pages": .integer(count), "loop": .integer(2),
        "delay": .integers((0..<count).map { 100 + 10 * $0 }),
      ])
    let lossless: [String: Argument] = saver.hasPrefix("webp") ? ["lossless": .flag(true)] : [:]
    return try SyntheticPhoto.bytes(tall, saver, lossless)
  }

  private static func recipe(_ filters: String, outputs: String) throws -> Recipe {
    try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "inputs": {"frames": "all"},
         "filters": \(filters), "outputs": [\(outputs)]}
        """)
  }

  private static let webp = #"{"name": "out", "format": "webp", "lossless": true}"#

  @Test(arguments: ["gifsave_target", "webpsave_target"])
  func filtersAreAppliedToEveryFrameOfAnAnimation(_ saver: String) throws {
    let filters =
      #"[{"filter": "rotate", "angle": 90}, {"filter": "resize", "width": 10}, {"filter": "invert"}]"#
    let still = #"{"name": "still", "format": "png"}"#
    let (files, report) = try Studio.render(
      Self.animation(saver), Self.recipe(filters, outputs: "\(Self.webp), \(still)"))
    #expect(report.renditions.map(\.size) == [Size(10, 20), Size(10, 20)])
    let file = try #require(files["out"])
    let all = try Image.load(from: Source(bytes: file), ["n": .integer(-1)])
    #expect((all.width, all.height) == (10, 60))
    guard case .integers(let delays) = all.field("delay"),
      case .integer(let loop) = all.field("loop")
    else {
      Issue.record("the rendition is no animation")
      return
    }
    #expect(delays == [100, 110, 120])
    #expect(loop == 2)
    let samples = try Samples(all)
    for (number, colour) in Self.colours.enumerated() {
      let pixel = samples[5, 20 * number + 10].prefix(3)
      #expect(zip(pixel, colour).allSatisfy { abs($0 - (255 - $1)) <= 2 }, "\(number): \(pixel)")
    }
    // Output formats without frames get the first frame.
    #expect(try Samples(file: #require(files["still"]))[5, 5].prefix(3).min() == 5)
  }

  /// Filters that measure places measure them in each frame; a filter that follows one of them, too.
  @Test(arguments: [
    #"[{"filter": "clarity", "amount": 1}]"#, #"[{"filter": "clahe", "strength": 0.6}]"#,
    #"[{"filter": "shadows", "amount": 0.6}, {"filter": "highlights", "amount": -0.6}]"#,
    #"[{"filter": "clarity", "amount": 0.6}, {"filter": "crop", "aspect": "1:1"}, {"filter": "texture", "amount": 0.5}]"#,
    #"[{"filter": "clarity", "amount": 0.6}, {"filter": "exposure", "stops": 0.5}, {"filter": "clarity", "id": "less", "amount": -0.5}]"#,
    #"[{"filter": "highlights", "amount": -0.5}, {"filter": "exposure", "stops": 0.4}, {"filter": "shadows", "amount": 0.6}]"#,
  ])
  func aFrameOfAnAnimationIsEditedAsThatFrameAlone(_ filters: String) throws {
    // The first frame and the last are flat, so that the maps of several steps are equal in them.
    let frames = (0..<4).map { number in
      Samples(120, 80) { x, y in
        let isDark = abs(x - 30 * number) < 18 && abs(y - 40) < 25
        let light = (isDark ? 40 : 180) + 8 * (x / 5 % 2)
        return Array(repeating: number == 0 ? 120 : number == 3 ? 0 : light, count: 3)
      }
    }
    let tall = try Image.calling(
      "arrayjoin", ["in": .images(frames.map { try $0.image() }), "across": .integer(1)]
    ).image("out").setting(["page-height": .integer(80), "n-pages": .integer(4)])
    let animation = try SyntheticPhoto.bytes(tall, "webpsave_target", ["lossless": .flag(true)])
    let recipe = try Self.recipe(filters, outputs: Self.webp)
    let all = try Image.load(
      from: Source(bytes: #require(Studio.render(animation, recipe).files["out"])),
      ["n": .integer(-1)])
    let samples = try Samples(all)
    let height = samples.height / 4
    for number in 0..<4 {
      let alone = try Samples(
        file: #require(Studio.render(frames[number].file(), recipe).files["out"]))
      let part = Samples(alone.width, height) { x, y in
        Array(samples[x, number * height + y].prefix(3))
      }
      #expect(part.difference(from: alone) <= 1, "frame \(number)")
    }
  }

  @Test func theProgressOfAnAnimationIsReportedByFrames() throws {
    let outputs = [Self.webp, #"{"name": "other", "format": "gif"}"#].joined(separator: ", ")
    var renderer = Renderer(try Self.recipe("[]", outputs: outputs))
    let reported = Mutex<[[Int]]>([])
    renderer.progress = { frames, all in reported.withLock { $0.append([frames, all]) } }
    _ = try Studio.render(Self.animation("gifsave_target", count: 5), renderer)
    #expect(reported.withLock { $0 } == (1...5).map { [$0, 5] })
  }

  /// An animation written to GIF keeps its frames, with fewer colours and with delays in units of
  /// 1/100 second.
  @Test func anAnimationInGIFKeepsItsFrames() throws {
    let output = #"{"name": "out", "format": "gif"}"#
    let (files, _) = try Studio.render(
      Self.animation("webpsave_target"), Self.recipe("[]", outputs: output))
    let all = try Image.load(from: Source(bytes: #require(files["out"])), ["n": .integer(-1)])
    #expect((all.width, all.height) == (40, 60))
    guard case .integers(let delays) = all.field("delay") else {
      Issue.record("the rendition is no animation")
      return
    }
    #expect(delays == [100, 110, 120])
    let samples = try Samples(all)
    for (number, colour) in Self.colours.enumerated() {
      let pixel = samples[5, 20 * number + 10].prefix(3)
      #expect(zip(pixel, colour).allSatisfy { abs($0 - $1) <= 6 }, "\(number): \(pixel)")
    }
  }

  @Test func onlyTheFirstFrameIsRenderedByDefault() throws {
    let recipe = try Studio.recipe("[]", output: #""format": "webp""#)
    let (files, report) = try Studio.render(Self.animation("gifsave_target"), recipe)
    #expect(report.warnings.contains { $0.contains("3 pictures") })
    let all = try Image.load(from: Source(bytes: #require(files["out"])), ["n": .integer(-1)])
    #expect(all.height == 20)
  }

  @Test(arguments: [
    #"{"filter": "lensBlur"}"#, #"{"filter": "blur", "radius": 3, "mask": {"depth": {}}}"#,
  ])
  func aMissingDepthMapIsReportedAsOfAPhoto(_ step: String) throws {
    let file = try Self.animation("gifsave_target")
    #expect(throws: RenderError.missingPicture(.depth)) {
      try Studio.render(file, Self.recipe("[\(step)]", outputs: Self.webp))
    }
  }

  @Test func anAnimationWithTooManyFramesIsRefused() throws {
    let file = try Self.animation("gifsave_target", count: 300)
    let error = #expect(throws: RenderError.self) {
      try Studio.render(file, Self.recipe("[]", outputs: Self.webp))
    }
    #expect(error == .tooManyFrames(300, limit: 256))
  }
}
