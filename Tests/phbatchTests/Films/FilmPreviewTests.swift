import Foundation
import TestSupport
import Testing
import Vips

/// Outputs with several frames of a film; ffmpeg decodes the results.
@Suite(.enabled(if: FFmpeg.isHere)) struct FilmPreviewTests {
  /// Makes a film with 10 frames a second, each 10 levels brighter than the one before it.
  private func makeFilm(_ place: Workplace, seconds: Double = 2) throws {
    try FFmpeg.run([
      "-f", "lavfi", "-i",
      "nullsrc=size=64x48:rate=10:duration=\(seconds),format=yuv420p,"
        + "geq=lum='20+10*N':cb=128:cr=128", "-c:v", "libx264", "-qp", "0", "-g", "6",
      "-color_range", "tv", "-colorspace", "bt709", place.path("photos/a.mp4"),
    ])
  }

  private func recipe(_ place: Workplace, _ output: String, filters: String = "") throws {
    try place.folder.write(
      """
      { "identifier": "org.example.preview", "version": "1.0.0",
        "filters": [ \(filters) ], "outputs": [ { "name": "view", \(output) } ] }
      """, to: "recipe.json")
  }

  /// The grey of the frame with this number in the film, 0…255.
  private func grey(_ number: Int) -> Double { Double(20 + 10 * number - 16) * 255 / 219 }

  /// The mean of a frame of a picture or an animation.
  private func mean(_ bytes: [UInt8]) -> Double {
    bytes.reduce(0) { $0 + Double($1) } / Double(max(1, bytes.count))
  }

  /// The frames of an animation: the size, the greys and the delays in milliseconds.
  private func animation(
    _ path: String
  ) throws -> (size: String, greys: [Double], delays: [Int]) {
    let all = try Image.load(
      from: Source(bytes: Array(Data(contentsOf: URL(filePath: path)))), ["n": .integer(-1)])
    guard case .integers(let delays) = all.field("delay"), !delays.isEmpty else {
      return ("", [], [])
    }
    let height = all.height / delays.count
    let row = 3 * all.width
    let pixels = try all.applying("extract_band", ["band": .integer(0), "n": .integer(3)]).pixels()
    let greys = delays.indices.map { number in
      mean(Array(pixels[(number * height * row)..<((number + 1) * height * row)]))
    }
    return ("\(all.width)x\(height)", greys, delays)
  }

  @Test(arguments: ["webp", "gif"]) func everyGivesAnAnimationOfAFilm(_ format: String) throws {
    let place = try Workplace([])
    try makeFilm(place)
    try recipe(
      place, #""format": "\#(format)", "every": "0.5s""#,
      filters: #"{ "filter": "resize", "width": 32 }"#)
    #expect(try place.reasons().reasons == ["a.mp4": "rendered"])
    let made = try animation(place.path("photos/a.view.\(format)"))
    #expect(made.size == "32x24")
    #expect(made.delays == [500, 500, 500, 500])
    #expect(made.greys.count == 4)
    for (found, number) in zip(made.greys, [0, 5, 10, 15]) {
      #expect(abs(found - grey(number)) < 4)
    }
    #expect(try place.reasons().reasons == ["a.mp4": "up-to-date"])
  }

  @Test func anAnimationOfAPartHasItsFramesAndItsOwnDelay() throws {
    let place = try Workplace([])
    try makeFilm(place)
    try recipe(
      place, #""format": "webp", "every": "25%", "from": "1s", "to": "1.8s", "delay": 80"#)
    #expect(try place.reasons().reasons == ["a.mp4": "rendered"])
    let made = try animation(place.path("photos/a.view.webp"))
    #expect(made.delays == [80, 80, 80, 80])
    for (found, number) in zip(made.greys, [10, 12, 14, 16]) {
      #expect(abs(found - grey(number)) < 4)
    }
  }

  @Test func aSheetShowsTheFramesInRows() throws {
    let place = try Workplace([])
    try makeFilm(place)
    try recipe(place, #""format": "png", "every": "0.4s", "sheet": 3"#)
    #expect(try place.reasons().reasons == ["a.mp4": "rendered"])
    let path = place.path("photos/a.view.png")
    #expect(try FFmpeg.probe(path, "stream=width,height") == ["192,96"])
    for (index, wanted) in [0, 4, 8, 12, 16].map(grey).enumerated() {
      let place = "crop=64:48:\(64 * (index % 3)):\(48 * (index / 3))"
      #expect(abs(mean(try FFmpeg.frame(0, of: path, filters: place)) - wanted) < 3)
    }
    #expect(mean(try FFmpeg.frame(0, of: path, filters: "crop=64:48:128:48")) == 0)
  }

  /// From a distance of 5 s on, the film is not decoded between the frames.
  @Test func framesFarApartAreFound() throws {
    let place = try Workplace([])
    try makeFilm(place, seconds: 17)
    try recipe(place, #""format": "png", "every": "5s", "sheet": 9"#)
    #expect(try place.reasons().reasons == ["a.mp4": "rendered"])
    let path = place.path("photos/a.view.png")
    #expect(try FFmpeg.probe(path, "stream=width,height") == ["256,48"])
  }

  @Test func moreFramesThanTheLimitAreRefused() throws {
    let place = try Workplace([])
    try makeFilm(place, seconds: 3)
    try recipe(place, #""format": "webp", "every": "0.01s""#)
    let result = try place.run()
    #expect(result.code == 3)
    #expect((result.output + result.messages).contains("would have 300 frames of the film"))
    #expect(try place.names() == ["a.mp4"])
    let more = try Command.run([
      "run", place.path("recipe.json"), place.library, "--max-frames", "300",
    ])
    #expect(more.code == 0)
  }

  @Test func previewsThatNoFormatStoresAreRefused() throws {
    let place = try Workplace([])
    for (output, word) in [
      (#""format": "avif", "every": "1s""#, "writes no animations in avif"),
      (#""format": "jpeg", "every": "1s""#, "writes no animations in jpeg"),
      (#""format": "mp4", "every": "1s""#, "stores films with all frames"),
      (#""format": "webp", "every": "0s""#, "'every' is 0"),
      (#""format": "webp", "every": 2"#, "a time such as"),
      (#""format": "webp", "sheet": 2"#, "'sheet' needs 'every'"),
      (#""format": "webp", "every": "1s", "sheet": 0"#, "sheet"),
      (#""format": "dzi", "every": "1s", "sheet": 2"#, "dzi stores no sheets"),
      (#""format": "webp", "every": "1s", "frame": "1s""#, "is a single frame"),
      (#""format": "webp", "every": "1s", "current": true"#, "cannot represent the edited film"),
    ] {
      try recipe(place, output)
      let result = try place.run()
      #expect(result.code != 0)
      #expect(result.messages.contains(word), "\(output): \(result.messages)")
    }
  }
}
